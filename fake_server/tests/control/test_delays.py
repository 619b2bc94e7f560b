"""How long transitions take, and steps that fail; a ten-minute deployment in milliseconds."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

IMAGES = ("deploy_kernel", "deploy_ramdisk")
DIRECT = {
    "boot_interface": "ipxe",
    "deploy_interface": "direct",
    "driver_info": {name: f"http://192.0.2.1/{name}" for name in IMAGES},
    "instance_info": {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
}
INTERFACES = {**ENABLED_INTERFACES, "boot": ("fake", "ipxe"), "deploy": ("fake", "direct")}


@pytest.fixture
def api():
    return Api(automated_clean=True)


@pytest.fixture
def agent():
    """A server that plays the agents; each heartbeat comes after a minute."""
    api = Api(agent="simulated", interfaces=INTERFACES, automated_clean=True)
    uuid = api.enrol(**DIRECT)
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:aa:00:01"})
    api.provision("manage")
    api.app.control.delays.set(transitions={"deploying": 600, "cleaning": 120, "heartbeat": 60})
    return api


@pytest.mark.parametrize("by", ["uuid", "name"])
def test_nodes_have_their_own_delays(api, by):
    slow, fast = api.enrol("slow"), api.enrol("fast")
    ident = {"uuid": slow, "name": "slow"}[by]
    api.app.control.delays.set(default=1, nodes={ident: {"default": 50, "verifying": 100}})
    for node in (slow, fast):
        api.provision("manage", ident=node)
    api.clock.advance(1)
    assert (api.state("slow"), api.state("fast")) == ("verifying", "manageable")
    api.clock.advance(99)
    assert api.state("slow") == "manageable"
    api.provision("inspect", ident=slow)
    api.clock.advance(49)
    assert api.state("slow") == "inspecting"
    api.clock.advance(1)
    assert api.state("slow") == "manageable"


def test_a_deployment_is_stopped_in_every_state(agent):
    agent.provision("provide")
    agent.clock.advance(1000)
    assert agent.state() == "available"
    agent.provision("active")
    seen = []
    for _ in range(40):
        node = agent.node()
        step = (node["deploy_step"] or {}).get("step")
        if not seen or seen[-1] != (node["provision_state"], step):
            seen.append((node["provision_state"], step))
        agent.clock.advance(60)
    assert seen == [
        ("deploying", "deploy"),
        ("wait call-back", "deploy"),
        ("deploying", "write_image"),
        ("wait call-back", "write_image"),
        ("deploying", "prepare_instance_boot"),
        ("deploying", "tear_down_agent"),
        ("deploying", "switch_to_tenant_network"),
        ("deploying", "boot_instance"),
        ("active", None),
    ]


def test_whichever_service_looks_first(api):
    api.enrol()
    api.provision("manage", "provide", "active")
    api.app.control.delays.set(transitions={"deleting": 5, "cleaning": 100})
    api.provision("deleted")
    api.clock.advance(5)
    assert api("GET", "/placement/resource_providers")[0] == 200
    assert api.state() == "cleaning"
    api.clock.advance(100)
    assert api.state() == "available"


def test_a_clean_step_and_a_service_step_fail(api):
    api.enrol()
    faults = api.app.control.faults
    faults.add({"flow": "clean"}, {"last_error": "No erasing."}, 1)
    api.provision("manage", "provide")
    node = api.node()
    assert node["provision_state"] == "clean failed"
    assert node["maintenance"] is True
    assert node["last_error"].endswith("No erasing.")
    api("DELETE", "/v1/nodes/n/maintenance")
    api.provision("manage", "provide", "active")
    assert api.state() == "active"
    faults.add({"node": "n", "flow": "service", "step": "*.nothing"}, {"last_error": "Never."})
    faults.add({"node": "other", "flow": "service"}, {"last_error": "Never."})
    faults.add({"node": "n", "flow": "service"}, {"last_error": "No service."})
    step = {"interface": "raid", "step": "apply_configuration", "args": {"raid_config": {}}}
    assert api.provision("service", service_steps=[step]) == (202, None)
    assert api.state() == "service failed"
    assert api.node()["last_error"].endswith("No service.")
    assert [rule.done for rule in faults.rules()] == [1, 0, 0, 1]


def test_what_comes_again_and_again_is_not_caught_up_with(api):
    api.enrol()
    api("PUT", "/v1/nodes/n/maintenance", {"reason": "x"})
    api.app.control.seeds.load({"nodes": [{"name": "w", "provision_state": "clean wait"}]})
    api("PUT", "/v1/nodes/w/maintenance", {"reason": "x"})
    # A node in maintenance is looked at each minute: half a million times in this year.
    api.clock.advance(365 * 86400)
    assert api.state("w") == "clean wait"
