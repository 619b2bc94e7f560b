"""What is said of requests that few make, word for word.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fake_server.baremetal import errors, interfaces
from fake_server.baremetal.hardware_types import KINDS, TYPES
from fake_server.settings import ENABLED_INTERFACES, Settings
from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.test_recorded_values import Lab
from fake_server.tests.baremetal.test_recorded_versions import NODE, UNKNOWN

RECORD = Path(__file__).with_name("remarks.json.gz")
FIRMWARE = ("component", "vendor", "model", "serial_number", "created_at", "x")
STEP = {"interface": "deploy", "step": "erase_devices", "args": {}}
NUMBERS = (0, 1, "1", "01", "0", "x", -1, None, 2**63 - 1, 2**63, str(2**63), "0" * 30 + "1")
MACS = ("52:54:00:00:00:01", "52-54-00-00-00-01", "x", "")


def report(*macs, **inventory):
    interfaces = [{"name": "e", "mac_address": mac} for mac in macs]
    return {"inventory": {"interfaces": interfaces, **inventory}}


REQUESTS = (
    *(
        ("GET", f"/v1/nodes/n/firmware?{query}", None, version)
        for version in ("1.85", "1.86", "1.113", "1.114")
        for query in (
            *("", "detail=true", "detail=false", "fields=vendor,component,model"),
            *(f"fields={name}" for name in FIRMWARE),
        )
    ),
    *(
        ("POST", "/v1/continue_inspection", body, version)
        for version in ("1.1", "1.2", "1.83", "1.84", "1.115")
        for body in (
            *(report(), report("x"), report(*MACS), report(MACS[0]), report(bmc_address="")),
            *(report(bmc_address="192.0.2.1"), report(bmc_v6address="::1"), {}, {"inventory": {}}),
            *(report("x", bmc_address=None), {"inventory": {"interfaces": [{}]}}),
        )
    ),
    *(
        ("POST", f"/v1/continue_inspection?node_uuid={ident}", report(), version)
        for version in ("1.1", "1.84")
        for ident in (NODE, UNKNOWN, "x")
    ),
    *(
        ("GET", f"/v1/lookup?{query}", None, version)
        for version in ("1.21", "1.22", "1.61", "1.62")
        for query in ("", "addresses=x", f"addresses={MACS[0]}", f"node_uuid={NODE}", "node_uuid=x")
    ),
    *(
        ("POST", "/v1/volume/targets", {**body, "boot_index": value}, "1.115")
        for body in ({"node_uuid": NODE, "volume_type": "i", "volume_id": "w"},)
        for value in (0, 5, -1, 2**31 - 1, 2**63, "1", 1.5, None, True)
    ),
    *(
        ("GET", f"/v1/nodes/n/vmedia{query}", None, version)
        for version in ("1.88", "1.89", "1.92", "1.93")
        for query in ("", "?device_types=cdrom")
    ),
    *(
        (method, f"/v1/nodes/n/vendor_passthru{query}", {}, "1.115")
        for method in ("GET", "PUT", "POST", "PATCH", "DELETE")
        for query in ("", "?method=", "?method=x", "?method=first_method", "/", "/first_method")
    ),
)
STEPS = {
    "deploy_templates": ("priority", {"name": "CUSTOM_X"}),
    "runbooks": ("order", {"name": "CUSTOM_X"}),
}


@pytest.fixture(scope="module")
def lab():
    return Lab()


def answered(lab, method, path, body, version):
    status, answer = lab.api(method, path, body, version)
    if status < 300:
        lab.api.app.control.snapshots.restore("filled")
    text = recorded.masked(repr([status, answer]))
    # Each database says it in other words.
    return re.sub("(?<=can't be stored: )[^\"]+", "<why>", text)


def test_requests_are_answered_as_recorded(lab, request):
    lab.api.provision("manage")
    lab.api("PUT", "/v1/nodes/n/states/provision", {"target": "inspect"})
    lab.api.app.control.snapshots.take("filled")
    found = {str(asked): answered(lab, *asked) for asked in REQUESTS}
    recorded.check(request, RECORD, "requests", found)


@pytest.mark.parametrize("kind", STEPS)
def test_steps_are_stored_as_recorded(lab, request, kind):
    number, fields = STEPS[kind]
    path = f"/v1/{kind}"
    found = {}
    for value in NUMBERS:
        body = {**fields, "steps": [{**STEP, number: value}]}
        found[f"POST {value}"] = answered(lab, "POST", path, body, "1.115")
        for present in (1, 2):
            wanted = [{**STEP, number: present}, {**STEP, "step": "b", number: 7}]
            status, made = lab.api("POST", path, {**fields, "steps": wanted})
            assert status == 201, made
            for steps in (
                [{**STEP, number: value}],
                [{**STEP, "step": "b", number: 7}, {**STEP, "step": "a", number: value}],
                [{**STEP, "step": "b", "args": {"a": 1}, number: value}],
                [{name: STEP[name] for name in ("interface", "step")} | {number: value}],
            ):
                patch = [{"op": "replace", "path": "/steps", "value": steps}]
                said = lab.api("PATCH", f"{path}/{made['uuid']}", patch)
                kept = said[1]["steps"] if said[0] == 200 else said
                found[f"{present} {steps}"] = recorded.masked(repr(kept))
            lab.api("DELETE", f"{path}/{made['uuid']}")
    recorded.check(request, RECORD, f"steps of {kind}", found)


def test_traits_filter_as_recorded(request):
    api = Api(dialect="spec")
    for name, traits in {"a": ["CUSTOM_A"], "b": ["CUSTOM_A", "CUSTOM_B"], "c": []}.items():
        api.enrol(name)
        api("PUT", f"/v1/nodes/{name}/traits", {"traits": traits})
    found = {}
    for path in ("/v1/nodes", "/v1/nodes/detail"):
        for name in ("traits", "traits-any", "not-traits", "not-traits-any", "traits-x"):
            for value in (
                "CUSTOM_A",
                "CUSTOM_A,CUSTOM_B",
                " CUSTOM_B ,CUSTOM_A",
                "",
                ",",
                "CUSTOM_A,",
            ):
                for version in ("1.36", "1.37"):
                    status, answer = api("GET", f"{path}?{name}={value}", None, version)
                    rows = answer["nodes"] if status == 200 else answer
                    shown = [row["name"] for row in rows] if status == 200 else answer
                    found[f"{path} {name} {value} {version}"] = [status, shown]
    recorded.check(request, RECORD, "traits", found)


@pytest.mark.parametrize("kind", KINDS)
def test_a_default_interface_is_enabled(kind):
    text = (
        f"For hardware type 'fake-hardware', no default value found for {kind} interface could be "
        "determined. Please ensure the interfaces are enabled."
    )
    settings = Settings(hardware_types=("fake-hardware",), interfaces={kind: ()})
    with pytest.raises(errors.InvalidParameterValue) as failure:
        interfaces.default(settings, "fake-hardware", kind)
    assert str(failure.value) == text
    settings = Settings(hardware_types=("fake-hardware",), interfaces={kind: ("fake",)})
    assert interfaces.default(settings, "fake-hardware", kind) == "fake"


@pytest.mark.parametrize("console", [True, False])
def test_a_node_with_a_console_keeps_its_driver(console):
    api = Api(hardware_types=tuple(TYPES), interfaces={})
    api.enrol(console_interface="fake")
    api.provision("manage")
    assert api("PUT", "/v1/nodes/n/states/console", {"enabled": console})[0] == 202
    fields = {"driver": "manual-management"} | {
        f"{kind}_interface": None for kind in KINDS if kind not in ("network", "storage")
    }
    patch = [{"op": "add", "path": f"/{name}", "value": value} for name, value in fields.items()]
    text = (
        "Node n can not update the driver while the console is enabled. Please stop the console "
        "first."
    )
    said = api("PATCH", "/v1/nodes/n", patch)
    assert said == (409, text) if console else said[0] == 200, said


@pytest.mark.parametrize("option", [None, "netboot", "local"])
@pytest.mark.parametrize("network", ["neutron", "noop"])
@pytest.mark.parametrize("dialect", ["spec", "ironic"])
def test_instances_that_boot_from_the_network_are_refused_as_recorded(
    request, dialect, network, option
):
    api = Api(dialect=dialect, interfaces={"network": ("noop", "neutron")})
    info = {"capabilities": {"boot_option": option}} if option else {}
    name = "network_provider" if dialect == "spec" else "network_interface"
    uuid = api.enrol(**{name: network, "instance_info": info, "automated_clean": False})
    api.provision("manage", "provide")
    answer = api.provision("active")
    found = [answer, api.state(), api.node()["last_error"]]
    said = repr(found).replace(uuid, "UUID")
    recorded.check(request, RECORD, f"{option} {network} {dialect}", {"": said})


@pytest.mark.parametrize(
    "properties",
    [
        {},
        {"local_gb": 20, "memory_mb": 1024, "cpus": 2, "cpu_arch": "aarch64"},
        {"local_gb": "20", "memory_mb": "1024", "cpus": "2", "cpu_arch": ""},
        {"local_gb": None, "memory_mb": None, "cpus": "x", "cpu_arch": None},
    ],
)
@pytest.mark.parametrize("addresses", [(), MACS[:1], ("52:54:00:00:00:03", MACS[0])])
def test_simulated_agents_find_what_is_recorded(request, properties, addresses):
    kinds = {"inspect": ("fake", "agent"), "boot": ("fake", "ipxe")}
    api = Api(agent="simulated", interfaces={**ENABLED_INTERFACES, **kinds})
    images = dict.fromkeys(("deploy_kernel", "deploy_ramdisk"), "http://192.0.2.1/x")
    options = {"inspect_interface": "agent", "boot_interface": "ipxe", "driver_info": images}
    uuid = api.enrol(properties=properties, **options)
    for number, address in enumerate(addresses):
        body = {"node_uuid": uuid, "address": address, "pxe_enabled": number > 0}
        assert api("POST", "/v1/ports", body)[0] == 201
    api.provision("manage", "inspect")
    for _ in range(5):
        api.clock.advance(60)
        api.node()
    node = api.node()
    found = [node["provision_state"], node["properties"], node["last_error"]]
    found += [api("GET", "/v1/nodes/n/inventory")[1]]
    found += [
        [port["address"], port["pxe_enabled"]]
        for port in api("GET", "/v1/ports/detail")[1]["ports"]
    ]
    said = recorded.masked(repr(found).replace(uuid, "UUID"))
    recorded.check(request, RECORD, f"{properties} {addresses}", {"": said})
