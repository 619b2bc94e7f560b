"""What can be seen in the middle of transitions that take time."""

from __future__ import annotations

from datetime import datetime

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

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
STEP = {"interface": "vendor", "step": "log_passthrough"}
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
def api():
    """A server whose nodes are fake: each transition takes 60 seconds."""
    return Api(delay=60, automated_clean=True)


@pytest.fixture
def cloud():
    """A server that plays agents, with a node in Neutron's networks; nothing takes time yet."""
    cloud = Api(agent="simulated", interfaces=INTERFACES, automated_clean=True)
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


def take(api, verb, seconds=300, **arguments):
    """Go through a transition to its end."""
    assert api.provision(verb, **arguments) == (202, None)
    api.clock.advance(seconds)


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


def seen(api, flow):
    """Return what shows how far a flow of steps is."""
    node = api.node()
    internal = node["driver_internal_info"]
    return (
        node["provision_state"],
        node["target_provision_state"],
        node[f"{flow}_step"].get("step"),
        internal.get(f"{flow}_step_index"),
        [step["step"] for step in internal.get(f"{flow}_steps") or []],
        node["reservation"],
    )


def seconds(moment):
    """Return a moment in seconds since the epoch."""
    return datetime.fromisoformat(moment).timestamp()


def test_cleaning_shows_each_step_for_its_part_of_the_time(api):
    api.enrol()
    take(api, "manage")
    api.provision("clean", clean_steps=[STEP, {**STEP}, {**STEP}])
    steps = ["log_passthrough"] * 3
    for position in range(3):
        expected = ("cleaning", "manageable", "log_passthrough", position, steps, "localhost")
        assert seen(api, "clean") == expected
        api.clock.advance(19)
        assert seen(api, "clean") == expected
        api.clock.advance(1)
    assert seen(api, "clean") == ("manageable", None, None, None, [], None)


def test_steps_that_nobody_watched_take_the_same_time(api):
    api.enrol()
    take(api, "manage")
    asked = api.clock.now().replace(tzinfo=None).isoformat()
    api.provision("clean", clean_steps=[STEP, {**STEP}])
    api.clock.advance(3600)
    node = api.node()
    assert node["provision_state"] == "manageable"
    assert node["provision_updated_at"] > asked
    history = api("GET", "/v1/nodes/n/history?detail=True")[1]["history"]
    (ended,) = [entry for entry in history if entry["event_type"] == "manual_cleaning_end"]
    (began,) = [entry for entry in history if entry["event_type"] == "manual_cleaning_start"]
    assert seconds(ended["created_at"]) - seconds(began["created_at"]) == 60


def test_cleaning_without_steps_takes_its_time_too():
    api = Api(delay=60, automated_clean=True, interfaces={**INTERFACES, "vendor": ("no-vendor",)})
    api.enrol()
    take(api, "manage")
    api.provision("provide")
    api.clock.advance(59)
    assert seen(api, "clean") == ("cleaning", "available", None, None, [], "localhost")
    api.clock.advance(1)
    assert api.state() == "available"


def test_servicing_shows_each_step(api):
    api.enrol()
    for verb in ("manage", "provide", "active"):
        take(api, verb)
    api.provision("service", service_steps=[STEP, {**STEP}])
    steps = ["log_passthrough"] * 2
    assert seen(api, "service")[:5] == ("servicing", "active", "log_passthrough", 0, steps)
    api.clock.advance(30)
    assert seen(api, "service")[:5] == ("servicing", "active", "log_passthrough", 1, steps)
    api.clock.advance(30)
    assert seen(api, "service") == ("active", None, None, None, [], None)


def test_a_step_fails_at_the_end_of_its_time(api):
    api.enrol()
    take(api, "manage")
    fault = {"node": "n", "flow": "clean", "step": "vendor.*", "nth": 2}
    api.app.control.faults.add(fault, {"last_error": "broken"})
    api.provision("clean", clean_steps=[STEP, {**STEP}])
    api.clock.advance(59)
    assert (api.state(), api.node()["last_error"]) == ("cleaning", None)
    api.clock.advance(1)
    node = api.node()
    assert (node["provision_state"], node["maintenance"]) == ("clean failed", True)
    assert "broken" in node["last_error"]
    assert node["reservation"] is None


def test_nothing_else_can_be_done_meanwhile(api):
    api.enrol()
    take(api, "manage")
    api.provision("clean", clean_steps=[STEP, {**STEP}])
    api.clock.advance(30)
    for answer in (
        api.provision("abort"),
        api("PUT", "/v1/nodes/n/maintenance", {}),
        api.patch("extra/a", 1),
        api("DELETE", "/v1/nodes/n"),
    ):
        assert answer[0] == 409, answer
    api.clock.advance(30)
    assert api.state() == "manageable"


def test_a_snapshot_from_between_two_steps_goes_on(api):
    api.enrol()
    take(api, "manage")
    api.provision("clean", clean_steps=[STEP, {**STEP}])
    api.clock.advance(30)
    between = seen(api, "clean")
    copy = api.app.control.snapshots.take()
    api.clock.advance(30)
    assert api.state() == "manageable"
    api.app.control.snapshots.restore(copy)
    api.app.control.clock.switch("manual", start=api.clock.seconds() - 30)
    assert seen(api, "clean") == between
    api.clock.advance(29)
    assert api.state() == "cleaning"
    api.clock.advance(1)
    assert api.state() == "manageable"


def test_a_torn_down_instance_is_there_until_the_end(api):
    api.enrol()
    for verb in ("manage", "provide"):
        take(api, verb)
    uuid = "11111111-1111-4111-8111-111111111111"
    api.patch("instance_uuid", uuid)
    take(api, "active")
    api.provision("deleted")
    api.clock.advance(59)
    node = api.node()
    assert (node["provision_state"], node["instance_uuid"]) == ("deleting", uuid)
    api.clock.advance(1)
    assert api.node()["instance_uuid"] is None
    assert seen(api, "clean")[:3] == ("cleaning", "available", "log_passthrough")


def test_inspection_through_an_agent_begins_with_its_network(cloud):
    slowly(cloud)
    cloud.provision("inspect")
    node = cloud.node()
    assert (node["provision_state"], node["power_state"]) == ("inspecting", "power on")
    assert networks(cloud) == {"inspection"}
    cloud.clock.advance(60)
    assert cloud.state() == "inspect wait"
    cloud.clock.advance(10)
    assert cloud.state() == "inspecting"
    assert networks(cloud) == {"inspection"}
    cloud.clock.advance(60)
    assert cloud.state() == "manageable"
    assert networks(cloud) == set()


def test_cleaning_through_an_agent_begins_with_its_network(cloud):
    slowly(cloud)
    cloud.provision("provide")
    assert seen(cloud, "clean") == ("cleaning", "available", None, None, [], "localhost")
    assert cloud.node()["power_state"] == "power on"
    assert networks(cloud) == {"cleaning"}
    cloud.clock.advance(30)
    assert cloud.state() == "clean wait"
    cloud.clock.advance(10)
    steps = ["erase_devices_metadata", "erase_devices", "log_passthrough"]
    for position, step in enumerate(steps):
        expected = ("cleaning", "available", step, position, steps, "localhost")
        assert seen(cloud, "clean") == expected
        assert networks(cloud) == {"cleaning"}
        cloud.clock.advance(10)
        if cloud.state() == "clean wait":
            cloud.clock.advance(10)
    assert cloud.state() == "available"
    assert networks(cloud) == set()


def test_a_deployment_is_in_the_provisioning_network_before_the_tenants(cloud):
    cloud.provision("provide")
    slowly(cloud)
    cloud.provision("active")
    steps = []
    while cloud.state() != "active":
        node = cloud.node()
        steps.append((node["deploy_step"]["step"], node["power_state"], networks(cloud)))
        cloud.clock.advance(10)
    assert [step for n, step in enumerate(steps) if step not in steps[:n]] == [
        ("deploy", "power off", {"provisioning"}),
        ("deploy", "power on", {"provisioning"}),
        ("write_image", "power on", {"provisioning"}),
        ("prepare_instance_boot", "power on", {"provisioning"}),
        ("tear_down_agent", "power on", {"provisioning"}),
        ("switch_to_tenant_network", "power off", {"provisioning"}),
        ("boot_instance", "power off", {"tenant"}),
    ]
    assert cloud.node()["power_state"] == "power on"
    assert networks(cloud) == {"tenant"}


def test_servicing_through_an_agent_begins_with_its_network(cloud):
    cloud.provision("provide", "active")
    slowly(cloud)
    cloud.provision("service", service_steps=[BURNIN])
    assert seen(cloud, "service")[:4] == ("servicing", "active", None, None)
    assert networks(cloud) == {"servicing"}
    cloud.clock.advance(30)
    assert cloud.state() == "service wait"
    cloud.clock.advance(10)
    assert seen(cloud, "service")[:4] == ("servicing", "active", "burnin_cpu", 0)
    cloud.clock.advance(30)
    assert seen(cloud, "service")[:4] == ("service wait", "active", "burnin_cpu", 0)
    cloud.clock.advance(10)
    assert cloud.state() == "active"
    assert networks(cloud) == {"tenant"}


def test_rescue_and_back_begin_with_their_networks(cloud):
    cloud.provision("provide", "active")
    slowly(cloud)
    cloud.provision("rescue", rescue_password="secret")
    assert (cloud.state(), networks(cloud)) == ("rescuing", {"rescuing"})
    cloud.clock.advance(60)
    assert cloud.state() == "rescue wait"
    cloud.clock.advance(10)
    assert cloud.state() == "rescue"
    cloud.provision("unrescue")
    assert (cloud.state(), networks(cloud)) == ("unrescuing", {"tenant"})
    cloud.clock.advance(60)
    assert cloud.state() == "active"


def test_a_tear_down_leaves_the_tenants_network_first(cloud):
    cloud.provision("provide", "active")
    slowly(cloud)
    cloud.provision("deleted")
    node = cloud.node()
    assert (node["provision_state"], node["power_state"]) == ("deleting", "power off")
    assert node["instance_info"] != {}
    assert networks(cloud) == set()
    assert len(cloud("GET", "/v1/nodes/n/vifs")[1]["vifs"]) == 1
    cloud.clock.advance(60)
    assert cloud("GET", "/v1/nodes/n/vifs")[1]["vifs"] == []
    assert (cloud.state(), networks(cloud)) == ("cleaning", {"cleaning"})


def test_aborting_takes_its_time_after_the_network_is_left(cloud):
    slowly(cloud, heartbeat=1000, aborting=20)
    cloud.provision("provide")
    cloud.clock.advance(30)
    assert cloud.state() == "clean wait"
    assert cloud.provision("abort") == (202, None)
    node = cloud.node()
    assert (node["provision_state"], node["reservation"]) == ("clean failed", "localhost")
    assert node["last_error"] == "By request, the clean operation was aborted"
    assert networks(cloud) == set()
    cloud.clock.advance(20)
    assert cloud.node()["reservation"] is None


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
