"""Rescue and unrescue: what is refused, and what is left where they fail."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.test_stages_of_networks import cloud, slowly

__all__ = ["cloud"]

NETWORKS = "/networking/v2.0/networks"


@pytest.fixture
def active(cloud):
    """A server with a node in service whose rescue boots an agent."""
    cloud.provision("provide", "active")
    return cloud


def passwords(api):
    """Return what the node holds of the rescue system's password."""
    return {name for name in api.node()["instance_info"] if "rescue" in name}


def history(api):
    """Return what the node's history tells of each event."""
    rows = api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
    return [(row["severity"], row["event_type"], row["event"]) for row in rows]


def lose_network(api):
    """Make Neutron lose the network for rescue."""
    rows = api("GET", NETWORKS)[1]["networks"]
    (uuid,) = (row["id"] for row in rows if row["name"] == "rescuing")
    assert api("DELETE", f"{NETWORKS}/{uuid}")[0] == 204
    return uuid


@pytest.mark.parametrize("cloud", [{"rescue_kernel": ""}], indirect=True)
def test_a_rescue_that_can_not_begin_forgets_the_password(active):
    active.patch("driver_info/rescue_kernel", "")
    status, text = active.provision("rescue", rescue_password="p")
    assert (status, active.state(), passwords(active)) == (400, "active", set())
    uuid = active.node()["uuid"]
    assert text == (
        f"Failed to rescue instance None for node {uuid}: Validation failed: Cannot validate PXE "
        "bootloader. Some parameters were missing in node's driver_info and configuration. "
        "Missing are: ['rescue_kernel']"
    )


def test_a_rescue_that_fails_forgets_the_password_and_can_be_tried_again(active):
    network = lose_network(active)
    assert active.provision("rescue", rescue_password="p") == (202, None)
    node = active.node()
    text = f"Failed to rescue: rescuing_network with name or UUID {network} was not found"
    assert (node["provision_state"], node["target_provision_state"]) == ("rescue failed", "rescue")
    assert (node["last_error"], node["reservation"], passwords(active)) == (text, None, set())
    assert ("ERROR", "rescue", text) in history(active)
    active.patch("driver_info/rescuing_network", new_network(active))
    active.provision("rescue", rescue_password="p")
    assert (active.state(), active.node()["last_error"]) == ("rescue", None)


def new_network(api):
    """Create another network for rescue."""
    return api("POST", NETWORKS, {"network": {"name": "other"}})[1]["network"]["id"]


def test_an_unrescue_that_fails_leaves_the_node_rescued(active):
    active.provision("rescue", rescue_password="p")
    assert active.state() == "rescue"
    slowly(active)
    network = active.node()["driver_info"]["rescuing_network"]
    assert active.patch("driver_info/rescuing_network", "lost")[0] == 200
    assert active.provision("unrescue") == (202, None)
    node = active.node()
    assert node["provision_state"] == "unrescue failed"
    assert node["last_error"].startswith("Failed to unrescue: ")
    active.patch("driver_info/rescuing_network", network)
    active.provision("unrescue")
    active.clock.advance(60)
    assert (active.state(), active.node()["last_error"]) == ("active", None)


@pytest.mark.parametrize(
    ("verb", "doing"), [("rescue", "rescuing"), ("unrescue", "unrescuing")], ids=["rescue", "un"]
)
def test_maintenance_keeps_a_node_from_rescue_and_back(active, verb, doing):
    if verb == "unrescue":
        active.provision("rescue", rescue_password="p")
    before = active.state()
    active("PUT", "/v1/nodes/n/maintenance", {"reason": "broken"})
    arguments = {"rescue_password": "p"} if verb == "rescue" else {}
    node = active.node()
    assert active.provision(verb, **arguments) == (
        400,
        f"The {doing} operation can't be performed on node {node['uuid']} because it's in "
        "maintenance mode.",
    )
    assert (active.state(), active.node()["instance_info"]) == (before, node["instance_info"])


def wait_for_agent(api):
    """Begin a rescue that waits for its agent."""
    slowly(api)
    api.provision("rescue", rescue_password="p")
    api.clock.advance(60)
    assert (api.state(), passwords(api)) == (
        "rescue wait",
        {"rescue_password", "hashed_rescue_password"},
    )


def test_an_aborted_rescue_that_can_not_be_cleaned_up_needs_an_operator(active):
    wait_for_agent(active)
    for port in active("GET", "/networking/v2.0/ports")[1]["ports"]:
        active("DELETE", f"/networking/v2.0/ports/{port['id']}")
    lose_network(active)
    assert active.provision("abort") == (202, None)
    active.clock.advance(60)
    node = active.node()
    text = "Failed to clean up rescue after aborting the operation"
    assert (node["provision_state"], node["last_error"]) == ("rescue failed", text)
    assert (node["maintenance"], node["maintenance_reason"]) == (True, text)
    assert node["fault"] == "rescue abort failure"
    assert ("ERROR", "rescue", text) in history(active)
