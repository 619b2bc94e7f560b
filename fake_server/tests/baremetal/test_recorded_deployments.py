"""The lives of nodes with each deploy interface: deployed, serviced, rebuilt, cleaned.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests.
"""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.facts import by_fact, changes, line
from fake_server.tests.baremetal.test_deploy_interfaces import HTTP, ISO, lab
from fake_server.tests.baremetal.test_stages_of_networks import MAC, NETWORKS, network, networks

pytestmark = pytest.mark.rows

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
    *("fault", "deploy_interface", "instance_info", "properties", "driver_internal_info"),
)


def life(interface, info, trouble, power_off):
    """Yield what each event changes."""
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
    if TROUBLES[trouble]:
        assert api("POST", "/_fake/faults", TROUBLES[trouble])[0] == 201
    seen, noted = {}, 0
    for number, (verb, arguments) in enumerate(EVENTS):
        status, said = api.provision(verb, **arguments)
        visited = []
        for seconds in (*[1] * 6, 10, 30):
            api.clock.advance(seconds)
            api.node()
            if visited[-1:] != [found := sorted(networks(api))]:
                visited.append(found)
        node = api.node()
        history = api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
        told = [one["event"] for one in history[noted:] if one["event"] != node["last_error"]]
        now = {name: node[name] for name in SHOWN} | {"networks": visited}
        answer = f"{status} {said}" if status >= 400 else ""
        yield from line(f"{number} {verb}", [answer, *changes(seen, now), *told])
        seen, noted = now, len(history)
        if verb == "inspect":
            # The machine has other cards, so that inspection took this one for none to boot from.
            assert api("PATCH", f"/v1/ports/{port['uuid']}", allow_pxe)[0] == 200
        if node["maintenance"]:
            api("DELETE", "/v1/nodes/n/maintenance")


LIVES = {
    "direct": ("direct", HTTP, "nothing", True),
    "direct, no step": ("direct", HTTP, "no step", True),
    "direct, no cleaning": ("direct", HTTP, "no cleaning", True),
    "direct, not to be powered off": ("direct", HTTP, "nothing", False),
    "ansible": ("ansible", HTTP, "nothing", True),
    "anaconda": ("anaconda", HTTP, "nothing", True),
    "custom-agent": ("custom-agent", {}, "nothing", True),
    "ramdisk": ("ramdisk", ISO, "nothing", True),
}


@pytest.mark.parametrize("first", range(0, len(LIVES), 4))
def test_lives_are_as_recorded(recorded, first):
    recorded(by_fact({name: life(*LIVES[name]) for name in list(LIVES)[first : first + 4]}))
