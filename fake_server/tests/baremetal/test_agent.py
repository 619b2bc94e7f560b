"""The agent: lookup, heartbeats, reports, time limits, and the one that the server plays."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import LATEST, Api

MAC = "52:54:00:aa:00:01"
URL = "https://127.0.0.1:1"
IMAGES = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
INTERFACES = {
    **ENABLED_INTERFACES,
    "boot": ("fake", "ipxe"),
    "deploy": ("fake", "direct"),
    "inspect": ("fake", "agent"),
    "rescue": ("fake", "agent"),
}
NOT_FOUND = (404, "Resource could not be found.")


def started(agent, **options):
    api = Api(agent=agent, interfaces=INTERFACES, automated_clean=True, **options)
    uuid = api.enrol(
        boot_interface="ipxe",
        deploy_interface="direct",
        inspect_interface="agent",
        rescue_interface="agent",
        driver_info={name: f"http://192.0.2.1/{name}" for name in IMAGES},
        instance_info={"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
    )
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": MAC})
    api.provision("manage")
    return api


def beat(api, token, version=LATEST, **fields):
    body = {"callback_url": URL, "agent_version": "11.0", "agent_token": token, **fields}
    return api("POST", "/v1/heartbeat/n", body, version)


@pytest.fixture
def waiting():
    """A node that waits for its agent to be cleaned."""
    api = started("external")
    api.provision("provide")
    assert api.state() == "clean wait"
    return api


def test_the_agent_finds_its_node_and_gets_a_token_once(waiting):
    status, found = waiting("GET", f"/v1/lookup?addresses={MAC.upper()},bogus")
    assert status == 200
    assert found["node"]["uuid"] == waiting.node()["uuid"]
    assert len(found["config"]["agent_token"]) > 40
    _, again = waiting("GET", f"/v1/lookup?node_uuid={found['node']['uuid']}")
    assert again["config"]["agent_token"] == "******"
    assert waiting.node()["driver_internal_info"]["agent_secret_token"] == "******"


def test_only_nodes_that_wait_are_found(waiting):
    waiting.provision("abort")
    assert waiting("GET", f"/v1/lookup?addresses={MAC}") == NOT_FOUND
    assert waiting("GET", "/v1/lookup")[0] == 400


def test_without_agents_none_can_be_booted():
    api = started("none")
    api.provision("provide")
    assert api.state() == "clean failed"
    assert "Couldn't get the URL of the Ironic API service" in api.node()["last_error"]


def test_a_machine_without_ports_has_an_address_all_the_same():
    boot, fields = "redfish-virtual-media", {"redfish_address": "https://192.0.2.9"}
    interfaces = {**INTERFACES, "boot": (boot,), "power": ("redfish",), "management": ("redfish",)}
    api = Api(agent="simulated", interfaces=interfaces, hardware_types=("redfish",))
    fields |= {name: f"http://192.0.2.1/{name}" for name in IMAGES}
    body = {"name": "n", "driver": "redfish", "inspect_interface": "agent", "driver_info": fields}
    assert api("POST", "/v1/nodes", body)[0] == 201
    api.provision("manage")
    assert api.provision("inspect")[0] == 202
    _, found = api("GET", "/v1/nodes/n/inventory")
    (interface,) = found["inventory"]["interfaces"]
    assert interface["mac_address"] == "52:54:00:00:00:01"


def test_a_node_goes_on_after_its_maintenance():
    api = started("simulated", delay=60)
    api.clock.advance(300)
    api.provision("provide")
    while api.state() != "clean wait":
        api.clock.advance(10)
    api("PUT", "/v1/nodes/n/maintenance")
    api.clock.advance(300)
    assert api.state() == "clean wait"
    api("DELETE", "/v1/nodes/n/maintenance")
    api.clock.advance(3600)
    assert api.state() == "available"
