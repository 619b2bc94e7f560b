"""Values of any type in the fields of a node are refused or fail the node, never the server."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

IMAGES = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
GOOD = {
    "instance_info": {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
    "driver_info": dict.fromkeys(IMAGES, "http://192.0.2.1/x"),
    "properties": {},
    "extra": {},
    "network_data": {},
}
KEYS = {
    "properties": ("capabilities", "root_device", "cpu_arch", "memory_mb", "local_gb", "cpus"),
    "instance_info": (
        "capabilities",
        "root_device",
        "traits",
        "image_source",
        "image_type",
        "image_checksum",
        "image_os_hash_algo",
        "image_os_hash_value",
        "image_http_proxy",
        "image_download_source",
        "configdrive",
        "kernel",
        "ramdisk",
        "boot_iso",
        "project_id",
        "rescue_password",
        "ks_template",
    ),
    "driver_info": (
        *IMAGES,
        "agent_verify_ca",
        "has_dedicated_power_supply",
        "fast_track",
        "kernel_append_params",
        "image_download_source",
        "cleaning_network",
        "provisioning_network",
        "rescuing_network",
        "deploy_iso",
    ),
    "extra": ("vif_port_id",),
    "network_data": ("links", "networks"),
}
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 5, -1.5, 10**30, "", "x", "a:b", "é", "http://[", "{}", "[1]"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "size", "name"]), inner, max_size=2)
    ),
    max_leaves=3,
)
FIELDS = st.sampled_from([(field, key) for field, keys in KEYS.items() for key in keys])
#: Hardware interfaces that look at much and those that look at little.
HARDWARE = st.sampled_from(
    [
        {},
        {
            "deploy_interface": "direct",
            "boot_interface": "ipxe",
            "inspect_interface": "agent",
            "rescue_interface": "agent",
        },
        {"deploy_interface": "ramdisk", "boot_interface": "ipxe"},
        {"deploy_interface": "direct", "network_interface": "flat"},
    ]
)
FLOWS = st.sampled_from(
    [
        ("manage", "inspect", "manage", "provide", "active", "rescue", "unrescue", "deleted"),
        ("manage", "clean", "manage", "adopt", "service", "rebuild", "deleted"),
    ]
)
DELAYS = (0, 60)
STEPS = [{"step": "erase_devices", "interface": "deploy"}]
ARGUMENTS = {
    "clean": {"clean_steps": STEPS},
    "service": {"service_steps": STEPS},
    "rescue": {"rescue_password": "secret"},
}
OPTIONS = {
    "agent": "simulated",
    "automated_clean": True,
    "provisioning_network": "p",
    "cleaning_network": "c",
    "interfaces": {
        **ENABLED_INTERFACES,
        "boot": ("fake", "ipxe"),
        "deploy": ("fake", "direct", "ramdisk"),
        "inspect": ("fake", "agent"),
        "rescue": ("fake", "agent"),
    },
}
READERS = (
    "/v1/nodes/detail",
    "/v1/nodes/other",
    "/networking/v2.0/ports",
    "/placement/resource_providers",
    "/compute/v2.1/os-hypervisors/detail",
)


@pytest.fixture(scope="module")
def crashes():
    """What the server logs about crashes."""
    logged = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: logged.append((record.getMessage(), record.exc_text))
    logger = logging.getLogger("fake_server")
    logger.addHandler(handler)
    yield logged
    logger.removeHandler(handler)


@pytest.fixture(scope="module")
def apis():
    """Servers with one node, by their delay; each example begins with that state."""
    apis = {delay: Api(delay=delay, **OPTIONS) for delay in DELAYS}
    for api in apis.values():
        api.enrol("other")
        api.app.control.snapshots.take("begin")
    yield apis
    for api in apis.values():
        api.app.close()


@given(FIELDS, VALUES, HARDWARE, FLOWS, st.sampled_from(DELAYS))
def test_no_value_fails_a_request_or_another_node(
    apis, crashes, place, value, hardware, flow, delay
):
    crashes.clear()
    field, key = place
    api = apis[delay]
    api.app.control.snapshots.restore("begin")
    values = {**GOOD, field: {**GOOD[field], key: value}, **hardware}
    status, node = api("POST", "/v1/nodes", {"driver": "fake-hardware", "name": "n", **values})
    if status == 201:
        port = {"node_uuid": node["uuid"], "address": "52:54:00:00:00:01"}
        assert api("POST", "/v1/ports", port)[0] == 201
        for verb in flow:
            assert api.provision(verb, **ARGUMENTS.get(verb, {}))[0] in (202, 400, 409)
            for _ in range(3):
                api.clock.advance(delay)
                api.node()
            assert api("GET", "/v1/nodes/n/validate")[0] in (200, 400)
        api("PUT", "/v1/nodes/n/states/power", {"target": "rebooting"})
        api("POST", "/v1/nodes/n/vifs", {"id": "v"})
    for path in READERS:
        assert api("GET", path)[0] == 200, path
    assert crashes == []


def test_whole_numbers_with_a_point_are_integers():
    api = Api()
    uuid = api.enrol()
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})

    def target(boot_index):
        body = {"node_uuid": uuid, "volume_type": "iscsi", "volume_id": "v"}
        return api("POST", "/v1/volume/targets", {**body, "boot_index": boot_index})

    taken = (409, "A volume target with boot index '1' for the same node already exists.")
    assert target(1)[0] == 201
    assert target(1.0) == taken
    path = f"/v1/volume/targets/{target(2.0)[1]['uuid']}"
    assert type(api("GET", path)[1]["boot_index"]) is int
    replace = [{"op": "replace", "path": "/boot_index", "value": 7.0}]
    status, shown = api("PATCH", path, replace)
    assert (status, repr(shown["boot_index"])) == (200, "7")
    assert api("PATCH", path, [{**replace[0], "value": 1.0}]) == taken
