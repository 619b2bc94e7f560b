"""The lives of nodes with each deploy interface: deployed, serviced, rebuilt, cleaned.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.test_deploy_interfaces import HTTP, ISO, REGISTRY, lab
from fake_server.tests.baremetal.test_stages_of_networks import MAC, NETWORKS, network, networks

RECORD = Path(__file__).with_name("deployments.json.gz")
STEP = {"interface": "deploy", "step": "burnin_cpu"}
ERASE = {"interface": "deploy", "step": "erase_devices"}
OWN = {"interface": "deploy", "step": "bogus"}
OTHER = {"interface": "deploy", "step": "erase_devices", "args": {}, "priority": 99}
EVENTS = (
    ("manage", {}),
    ("clean", {"clean_steps": [ERASE]}),
    ("clean", {"clean_steps": [ERASE], "disable_ramdisk": True}),
    ("clean", {"clean_steps": [OWN]}),
    ("manage", {}),
    ("inspect", {}),
    ("provide", {}),
    ("active", {}),
    ("service", {"service_steps": [STEP]}),
    ("abort", {}),
    ("rebuild", {}),
    ("deleted", {}),
    ("active", {"deploy_steps": [OTHER]}),
    ("active", {"configdrive": {"meta_data": {"a": 1}}}),
    ("deleted", {}),
)
TROUBLES = {
    "nothing": {},
    "no step": {"match": {"step": "deploy.deploy"}, "do": {"last_error": "Broken."}},
    "no cleaning": {"match": {"flow": "clean"}, "do": {"last_error": "Broken."}},
}
SHOWN = (
    *("provision_state", "target_provision_state", "power_state", "last_error", "maintenance"),
    *("maintenance_reason", "fault", "deploy_interface", "clean_step", "deploy_step"),
    *("service_step", "instance_info", "properties"),
)


def looked_at(api, uuid):
    node = api.node()
    found = {name: node[name] for name in SHOWN} | {"keys": sorted(node["driver_internal_info"])}
    history = api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
    found["history"] = [[one["event_type"], one["severity"], one["event"]] for one in history]
    text = json.dumps(found).replace(uuid, "UUID")
    return json.loads(re.sub(recorded.UUID, "<uuid>", text))


def life(interface, info, trouble, power_off):
    """Yield each event with its answer and what changed."""
    api = lab(automated_clean=True, delay=1)
    of_services = {f"{name}_network": network(api, name) for name in NETWORKS}
    images = {"deploy_kernel": "k", "deploy_ramdisk": "r"}
    uuid = api.enrol(
        driver="redfish",
        boot_interface="redfish-virtual-media",
        deploy_interface=interface,
        # A node that can't be powered off can't change its networks.
        network_interface="neutron" if power_off else "noop",
        driver_info={"redfish_address": "a", **images, **of_services},
        instance_info=info,
        disable_power_off=not power_off,
    )
    link = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "eth1"}
    port = {"node_uuid": uuid, "address": MAC, "local_link_connection": link}
    status, port = api("POST", "/v1/ports", port)
    assert status == 201
    allow_pxe = [{"op": "replace", "path": "/pxe_enabled", "value": True}]
    wanted = {"port": {"network_id": network(api, "tenant")}}
    vif = api("POST", "/networking/v2.0/ports", wanted)[1]["port"]["id"]
    assert api("POST", "/v1/nodes/n/vifs", {"id": vif}) == (204, None)
    if trouble:
        assert api("POST", "/_fake/faults", trouble)[0] == 201
    seen = {}
    for number, (verb, arguments) in enumerate(EVENTS):
        answer = api.provision(verb, **arguments)
        visited = []
        for seconds in (*[1] * 12, *[10] * 7):
            api.clock.advance(seconds)
            api.node()
            if visited[-1:] != [found := sorted(networks(api))]:
                visited.append(found)
        now = looked_at(api, uuid) | {"networks": visited}
        told = now["history"][len(seen.get("history", ())) :]
        changed = {name: value for name, value in now.items() if seen.get(name) != value}
        seen = now
        yield f"{number} {verb}", [str(answer).replace(uuid, "UUID"), {**changed, "history": told}]
        if verb == "inspect":
            # The machine has other cards, so that inspection took this one for none to boot from.
            assert api("PATCH", f"/v1/ports/{port['uuid']}", allow_pxe)[0] == 200
        if now["maintenance"]:
            api("DELETE", "/v1/nodes/n/maintenance")


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize(
    ("interface", "info", "power_off"),
    [
        *((name, HTTP, True) for name in ("direct", "ansible", "anaconda", "autodetect")),
        *(("custom-agent", {}, True), ("bootc", REGISTRY, True), ("ramdisk", ISO, True)),
        ("direct", HTTP, False),
    ],
)
def test_lives_are_as_recorded(request, interface, info, power_off, trouble):
    found = dict(life(interface, info, TROUBLES[trouble], power_off))
    key = f"{interface}, {power_off}, {trouble}"
    recorded.check(request, RECORD, key, found)
