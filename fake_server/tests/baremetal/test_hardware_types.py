"""Hardware types: their interfaces, their errors, and what they ask of ``driver_info``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.app import Application
from fake_server.baremetal.hardware_types import KINDS, TYPES
from fake_server.settings import Settings
from fake_server.tests.baremetal.api import Api

ALL = tuple(TYPES)
# Those of the entry points of Ironic 39.0.0, by kind and name, below ``ironic.drivers.modules``.
CLASSES = json.loads(Path(__file__).with_name("classes_of_ironic.json").read_text())


@pytest.fixture
def api():
    return Api(hardware_types=ALL, interfaces={})


def reason(api, kind, **fields):
    uuid = api.enrol(**fields)
    found = api("GET", "/v1/nodes/n/validate")[1][kind]
    return found["result"], found.get("reason", "").replace(uuid, "UUID")


def test_only_fake_hardware_is_enabled_by_default():
    api = Api()
    assert [item["name"] for item in api("GET", "/v1/drivers")[1]["drivers"]] == ["fake-hardware"]
    status, text = api("POST", "/v1/nodes", {"driver": "redfish"})
    assert status == 400
    assert "No conductor service registered which supports driver redfish" in text


@pytest.mark.parametrize("kind", KINDS)
def test_types_refuse_interfaces_by_their_classes_in_ironic(kind):
    names = sorted({name for one in TYPES.values() for name in one.interfaces[kind]})
    api = Api(hardware_types=ALL, interfaces={kind: tuple(names)})
    refused = "{} interface implementation '<ironic.drivers.modules.{} object at 0x7f0000000000>'"
    told = set()
    for name in names:
        for driver in ALL:
            body = {"driver": driver, f"{kind}_interface": name}
            status, text = api("POST", "/v1/nodes", body)
            if status == 400 and "is not supported by hardware type" in text:
                # Python shows the module that defines a class.
                path = CLASSES[kind][name].replace("inspector.Agent", "inspector.agent.Agent")
                assert refused.format(kind, path) in text
                told.add(name)
            else:
                assert (status, kind) == (201, kind), text
    assert told == set(CLASSES.get(kind, ()))


def test_all_types_are_listed(api):
    drivers = api("GET", "/v1/drivers")[1]["drivers"]
    assert [item["name"] for item in drivers] == sorted(ALL)
    assert api("GET", "/v1/conductors/localhost")[1]["drivers"] == sorted(ALL)
    assert api("GET", "/v1/drivers/ilo")[0] == 404


def test_unknown_types_are_refused():
    message = "Unknown hardware types: 'ilo'. Known hardware types: fake-hardware"
    with pytest.raises(ValueError, match=message):
        Settings(hardware_types=("ilo",)).completed()


def test_all_types_are_enabled_by_default():
    settings = Settings().completed()
    assert settings.hardware_types == ALL
    assert settings == Settings(hardware_types=ALL).completed() == settings.completed()


def test_types_that_the_enabled_interfaces_do_not_suit_are_left_out_by_default():
    found = Settings(interfaces={"power": ("fake",)}).completed().hardware_types
    assert found == ("fake-hardware", "manual-management")
    assert Settings(interfaces={"network": ("noop",)}).completed().hardware_types == ALL


def test_a_type_without_the_interfaces_that_it_needs_is_refused():
    settings = Settings(hardware_types=("redfish",), interfaces={"power": ("fake",)})
    with pytest.raises(ValueError, match="enable one of redfish with --enabled-power-interfaces"):
        Application(settings)


def test_fake_hardware_accepts_the_interfaces_of_all_types(api):
    api.enrol(power_interface="ipmitool")
    assert api.node()["power_interface"] == "ipmitool"


def test_another_driver_needs_other_interfaces(api):
    api.enrol(driver="redfish")
    change = [{"op": "replace", "path": "/driver", "value": "ipmi"}]
    status, text = api("PATCH", "/v1/nodes/n", change)
    assert status == 400
    assert "is not supported by hardware type IPMIHardware." in text
    status, node = api("PATCH", "/v1/nodes/n?reset_interfaces=true", change)
    assert (status, node["power_interface"], node["bios_interface"]) == (200, "ipmitool", "no-bios")


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        (
            {},
            "Missing the following Redfish properties in node UUID driver_info: "
            "['redfish_address']",
        ),
        ({"redfish_address": "10.0.0.1"}, ""),
        ({"redfish_address": "::1"}, ""),
        (
            {"redfish_address": "not a uri %%"},
            "Invalid Redfish address https://not a uri %% set in driver_info/redfish_address on "
            "node UUID",
        ),
        (
            {"redfish_address": 5},
            "Invalid Redfish address 5 set in driver_info/redfish_address on node UUID",
        ),
        (
            {"redfish_address": "bmc", "redfish_system_id": 5},
            'Invalid value "5" set in driver_info/redfish_system_id on node UUID. The value should '
            "be a path (string) to the resource that the driver will interact with. For example: "
            "/redfish/v1/Systems/1",
        ),
        (
            {"redfish_address": "bmc", "redfish_verify_ca": "banana"},
            "Invalid value type set in driver_info/redfish_verify_ca on node UUID. The value "
            'should be a Boolean or the path to a file/directory, not "banana"',
        ),
        (
            {"redfish_address": "bmc", "redfish_auth_type": "ntlm"},
            'Invalid value "ntlm" set in driver_info/redfish_auth_type on node UUID. The value '
            'should be one of "basic", "session" or "auto".',
        ),
    ],
)
def test_redfish_checks_driver_info(api, info, expected):
    found = reason(api, "power", driver="redfish", driver_info=info)
    assert found == (not expected, expected)


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({}, "Missing the following IPMI credentials in node's driver_info: ['ipmi_address']."),
        ({"ipmi_address": "10.0.0.1"}, ""),
        (
            {"ipmi_address": "bad host!"},
            'Invalid IPMI address "bad host!" for node UUID. Must be a valid IP address or '
            "hostname.",
        ),
        ({"ipmi_address": "h", "ipmi_port": "x"}, 'ipmi_port "x" is not a valid port.'),
        (
            {"ipmi_address": "h", "ipmi_priv_level": "GOD"},
            "Invalid privilege level value:GOD, the valid value can be one of ADMINISTRATOR, "
            "CALLBACK, OPERATOR, USER",
        ),
        (
            {"ipmi_address": "h", "ipmi_bridging": "single"},
            "['ipmi_target_channel', 'ipmi_target_address'] not provided",
        ),
        (
            {"ipmi_address": "h", "ipmi_protocol_version": 3},
            "Invalid IPMI protocol version value 3, the valid value can be one of 2.0, 1.5",
        ),
        (
            {"ipmi_address": "h", "ipmi_hex_kg_key": "abc"},
            "Number of ipmi_hex_kg_key characters is not even",
        ),
        (
            {"ipmi_address": "h", "ipmi_cipher_suite": "x"},
            "Invalid cipher suite x, expected a number",
        ),
    ],
)
def test_ipmi_checks_driver_info(api, info, expected):
    found = reason(api, "power", driver="ipmi", driver_info=info)
    assert found == (not expected, expected)


def test_a_bad_ipmi_address_concerns_power_only(api):
    info = {"ipmi_address": "bad host!"}
    assert reason(api, "management", driver="ipmi", driver_info=info) == (True, "")


def test_a_node_whose_controller_is_not_known_can_not_be_managed(api):
    uuid = api.enrol(driver="redfish")
    missing = (
        f"Missing the following Redfish properties in node {uuid} driver_info: ['redfish_address']"
    )
    assert api("PUT", "/v1/nodes/n/states/power", {"target": "power on"}) == (400, missing)
    assert api("GET", "/v1/nodes/n/management/boot_device") == (400, missing)
    api.provision("manage")
    node = api.node()
    assert (node["provision_state"], node["last_error"]) == (
        "enroll",
        f"Failed to validate power driver interface for node {uuid}. Error: {missing}",
    )
