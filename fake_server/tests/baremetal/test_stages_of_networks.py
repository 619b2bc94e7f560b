"""Which networks nodes are in, in the middle of transitions that take time."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.test_stages import seen, take

INTERFACES = {
    **ENABLED_INTERFACES,
    "boot": ("fake", "ipxe"),
    "deploy": ("fake", "direct"),
    "inspect": ("fake", "agent"),
    "network": ("noop", "flat", "neutron"),
    "rescue": ("fake", "agent"),
}
NETWORKS = ("provisioning", "cleaning", "rescuing", "inspection", "servicing")
IMAGES = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
MAC = "52:54:00:00:00:01"
BURNIN = {"interface": "deploy", "step": "burnin_cpu"}
DIRECT = {
    "boot_interface": "ipxe",
    "deploy_interface": "direct",
    "inspect_interface": "agent",
    "rescue_interface": "agent",
    "network_interface": "neutron",
    "driver_info": {name: f"http://192.0.2.1/{name}" for name in IMAGES},
    "instance_info": {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
}


@pytest.fixture
def cloud(request):
    """A server that plays agents, with a node in Neutron's networks; nothing takes time yet.

    A parameter holds more settings.
    """
    more = getattr(request, "param", {})
    cloud = Api(agent="simulated", interfaces=INTERFACES, automated_clean=True, **more)
    ids = {name: network(cloud, name) for name in (*NETWORKS, "tenant")}
    of_services = {f"{name}_network": ids[name] for name in NETWORKS}
    fields = {**DIRECT, "driver_info": {**DIRECT["driver_info"], **of_services}}
    uuid = cloud.enrol(**fields)
    link = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "eth1"}
    port = {"node_uuid": uuid, "address": MAC, "local_link_connection": link}
    assert cloud("POST", "/v1/ports", port)[0] == 201
    cloud("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    cloud.provision("manage")
    wanted = {"port": {"network_id": ids["tenant"]}}
    vif = cloud("POST", "/networking/v2.0/ports", wanted)[1]["port"]["id"]
    assert cloud("POST", "/v1/nodes/n/vifs", {"id": vif})[0] == 204
    return cloud


def network(cloud, name):
    """Create a network and return its ID."""
    return cloud("POST", "/networking/v2.0/networks", {"network": {"name": name}})[1]["network"][
        "id"
    ]


def slowly(api, **transitions):
    """Have transitions take 60 seconds, heartbeats 10."""
    api.app.control.delays.set(default=60, transitions={"heartbeat": 10, **transitions})


def networks(api):
    """Return the networks in which the node's card is bound to the node."""
    names = {
        row["id"]: row["name"] for row in api("GET", "/networking/v2.0/networks")[1]["networks"]
    }
    return {
        names[port["network_id"]]
        for port in api("GET", "/networking/v2.0/ports")[1]["ports"]
        if port["mac_address"] == MAC and port["binding:profile"].get("local_link_information")
    }


def test_the_documented_dialect_switches_networks_with_every_deploy_interface():
    interfaces = {**INTERFACES, "deploy": ("fake",)}
    services = {"provisioning_network": "provisioning", "cleaning_network": "cleaning"}
    api = Api(dialect="spec", delay=60, interfaces=interfaces, automated_clean=True, **services)
    uuid = api.enrol(network_provider="neutron")
    link = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "eth1"}
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": MAC, "local_link_connection": link})
    vif = {"port": {"network_id": network(api, "tenant")}}
    vif = api("POST", "/networking/v2.0/ports", vif)[1]["port"]["id"]
    take(api, "manage")
    api("POST", "/v1/nodes/n/vifs", {"id": vif})
    for verb, state, meanwhile, afterwards in (
        ("provide", "cleaning", {"cleaning"}, set()),
        ("active", "deploying", {"provisioning"}, {"tenant"}),
        ("deleted", "deleting", set(), {"cleaning"}),
    ):
        api.provision(verb)
        assert (api.state(), networks(api)) == (state, meanwhile)
        api.clock.advance(60)
        api.state()
        assert networks(api) == afterwards


def test_a_simulated_agent_rests_while_its_node_is_in_maintenance(cloud):
    slowly(cloud)
    cloud.provision("provide")
    cloud.clock.advance(45)
    assert seen(cloud, "clean")[2] == "erase_devices_metadata"
    cloud.clock.advance(5)
    assert cloud.state() == "clean wait"
    assert cloud("PUT", "/v1/nodes/n/maintenance", {})[0] == 202
    cloud.clock.advance(1000)
    assert (cloud.state(), networks(cloud)) == ("clean wait", {"cleaning"})
