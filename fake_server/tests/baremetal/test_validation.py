"""``validate``: what each interface needs, and the reasons it gives."""

from __future__ import annotations

import pytest

from fake_server.baremetal.drivers import registry
from fake_server.baremetal.drivers.base import InspectInterface
from fake_server.baremetal.hardware_types import TYPES
from fake_server.settings import ENABLED_INTERFACES, Settings
from fake_server.tests.baremetal.api import Api


@pytest.fixture
def api():
    return Api()


def result(api, kind):
    status, body = api("GET", "/v1/nodes/n/validate")
    assert status == 200
    return body[kind]


def connect(api, *types):
    uuid = api.node()["uuid"]
    for number, kind in enumerate(types):
        body = {"node_uuid": uuid, "type": kind, "connector_id": f"{kind}-{number}"}
        assert api("POST", "/v1/volume/connectors", body)[0] == 201


def add_target(api, **fields):
    uuid = api.node()["uuid"]
    body = {"node_uuid": uuid, "volume_type": "iscsi", "boot_index": 0, "volume_id": "v"} | fields
    status, target = api("POST", "/v1/volume/targets", body)
    assert status == 201
    return target["uuid"]


def test_flat_needs_a_cleaning_network(api):
    api.enrol(network_interface="flat")
    assert result(api, "network")["reason"] == (
        "UUID or name of cleaning_network is not set in configuration or in node driver_info."
    )
    api.patch("driver_info", {"cleaning_network": "bogus"})
    assert result(api, "network")["reason"] == (
        "cleaning_network with name or UUID bogus was not found"
    )
    api("POST", "/networking/v2.0/networks", {"network": {"name": "bogus"}})
    assert result(api, "network") == {"result": True}
    api("POST", "/networking/v2.0/networks", {"network": {"name": "bogus"}})
    assert result(api, "network")["reason"].startswith("More than one cleaning_network was found")


def test_flat_uses_the_servers_cleaning_network():
    api = Api(cleaning_network="clean-here")
    api.enrol(network_interface="flat")
    assert result(api, "network") == {"result": True}


@pytest.mark.parametrize(("version", "status"), [("1.4", 406), ("1.5", 200)])
def test_nodes_are_validated_by_their_names_since_they_have_some(api, version, status):
    api.enrol()
    assert api("GET", "/v1/nodes/validate?node=n", version=version)[0] == status


def test_an_interface_that_crashes_is_invalid(api, caplog, monkeypatch):
    def crash(*_arguments):
        raise RuntimeError("boom")

    monkeypatch.setattr(InspectInterface, "validate", crash)
    api.enrol()
    reason = result(api, "inspect")["reason"]
    assert reason.startswith("Unexpected exception, traceback saved into log by ironic conductor")
    assert reason.endswith(": boom")
    (logged,) = caplog.records
    assert logged.getMessage() == f"Validating inspect of node {api.node()['uuid']} crashed"


def test_direct_needs_an_image_or_a_volume(api):
    uuid = api.enrol(deploy_interface="direct", storage_interface="external")
    assert result(api, "deploy")["reason"] == (
        f"Node {uuid} failed to validate deploy image info. Some parameters were missing. Missing "
        "are: ['instance_info.image_source']"
    )
    api.patch("instance_info", {"image_source": "http://images/one"})
    assert '"image_checksum"' in result(api, "deploy")["reason"]
    api.patch("instance_info/image_checksum", "abc")
    assert result(api, "deploy") == {"result": True}
    api.patch("instance_info", {})
    add_target(api)
    assert result(api, "deploy") == {"result": True}


def test_interfaces_without_code_are_refused():
    registry.check_known(Settings(hardware_types=tuple(TYPES)).completed().interfaces)
    with pytest.raises(ValueError, match="There is no deploy interface bogus: use some of anac"):
        registry.check_known({"deploy": ("fake", "bogus")})


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ({"capabilities": "boot_mode:odd"}, "invalid value: 'odd'. Acceptable values are: bios"),
        ({"root_device": {"size": 0}}, "should be a positive integer"),
        ({"root_device": {"bogus": 1}}, 'The hints "bogus" are invalid.'),
        ({"root_device": {"rotational": "maybe"}}, "is not a Boolean value"),
        ({"root_device": {"size": ">= 10"}}, None),
    ],
)
def test_direct_checks_what_the_node_says_of_itself(api, properties, reason):
    api.enrol(deploy_interface="direct", storage_interface="external", properties=properties)
    add_target(api)
    found = result(api, "deploy")
    assert found["result"] is (reason is None)
    assert (reason or "") in found.get("reason", "")


def test_cinder_needs_ipxe_for_iscsi():
    interfaces = {**ENABLED_INTERFACES, "boot": ("fake", "pxe"), "storage": ("noop", "cinder")}
    api = Api(interfaces=interfaces)
    uuid = api.enrol(storage_interface="cinder", boot_interface="pxe")
    body = {"node_uuid": uuid, "type": "iqn", "connector_id": "iqn.2010-10.org.openstack:a"}
    assert api("POST", "/v1/volume/connectors", body)[0] == 201
    found = api("GET", "/v1/nodes/n/validate")[1]["storage"]
    assert found["reason"].endswith("to support network booting to an iSCSI volume.")


def test_cinder_wants_as_many_ports_as_names(api, caplog):
    api.enrol(storage_interface="cinder")
    connect(api, "wwpn", "wwpn", "wwnn")
    found = result(api, "storage")
    assert found["result"] is False
    assert found["reason"].startswith("Unexpected exception, traceback saved into log by ironic")
    assert found["reason"].endswith("There are 2 wwpn entries and 1 wwnn entries.")
    assert caplog.records == []
