"""What becomes of a node whose service network is lost before, during or at the end of a flow."""

from __future__ import annotations

import re

import pytest

from fake_server.tests.baremetal.test_stages_of_networks import BURNIN, cloud, slowly

__all__ = ["cloud"]

NETWORKS = "/networking/v2.0/networks"
ERASE = {"interface": "deploy", "step": "erase_devices"}
# The way to where the flow begins, the request that begins it, and its network.
FLOWS = {
    "clean": ((), {"target": "clean", "clean_steps": [ERASE]}, "cleaning"),
    "service": (
        ("provide", "active"),
        {"target": "service", "service_steps": [BURNIN]},
        "servicing",
    ),
    "deploy": (("provide",), {"target": "active"}, "provisioning"),
    "rescue": (("provide", "active"), {"target": "rescue", "rescue_password": "p"}, "rescuing"),
}
LOST = "{}_network with name or UUID UUID was not found"


def begin(cloud, flow):
    """Begin a flow, up to where it waits for its agent."""
    verbs, body, _ = FLOWS[flow]
    for verb in verbs:
        cloud.provision(verb)
    slowly(cloud)
    assert cloud("PUT", "/v1/nodes/n/states/provision", body) == (202, None)
    for _ in range(100):
        if "wait" in cloud.state():
            return
        cloud.clock.advance(5)
    raise AssertionError(cloud.node())


def lose(cloud, flow):
    """Delete the network of a flow in Neutron, with all ports."""
    for port in cloud("GET", "/networking/v2.0/ports")[1]["ports"]:
        cloud("DELETE", f"/networking/v2.0/ports/{port['id']}")
    rows = cloud("GET", NETWORKS)[1]["networks"]
    (uuid,) = (row["id"] for row in rows if row["name"] == FLOWS[flow][2])
    assert cloud("DELETE", f"{NETWORKS}/{uuid}")[0] == 204


def look(cloud):
    """Return the node's state, error without UUIDs, and power state; check that it is unlocked."""
    node = cloud.node()
    assert (node["reservation"], node["target_power_state"]) == (None, None)
    error = re.sub(r"[0-9a-f]{8}-[-0-9a-f]{27}", "UUID", node["last_error"] or "")
    return node["provision_state"], error, node["power_state"]


@pytest.mark.parametrize(
    ("flow", "error", "power"),
    [
        (
            "clean",
            "Failed to prepare node UUID for cleaning: {lost}. Also Failed to tear down cleaning "
            "on node UUID, reason: {lost}",
            "power off",
        ),
        (
            "service",
            "Failed to prepare node UUID for service: {lost}. Also failed to tear down servicing.",
            "power off",
        ),
        ("deploy", "Failed to prepare to deploy: {lost}", "power off"),
        ("rescue", "Failed to rescue: {lost}", "power on"),
    ],
)
def test_before_the_flow(cloud, flow, error, power):
    verbs, body, network = FLOWS[flow]
    for verb in verbs:
        cloud.provision(verb)
    lose(cloud, flow)
    assert cloud("PUT", "/v1/nodes/n/states/provision", body) == (202, None)
    lost = LOST.format(network)
    assert look(cloud) == (f"{flow} failed", error.format(lost=lost), power)


@pytest.mark.parametrize(
    ("flow", "state", "error", "power"),
    [
        (
            "clean",
            "clean failed",
            "Failed to tear down cleaning after aborting the operation",
            "power off",
        ),
        (
            "service",
            "active",
            "Failed to tear down service after aborting the operation",
            "power off",
        ),
        (
            "deploy",
            "deploy failed",
            "By request, the deploy operation was aborted during or after the completion of step "
            '"deploy.deploy"',
            "power on",
        ),
        (
            "rescue",
            "rescue failed",
            "Failed to clean up rescue after aborting the operation",
            "power on",
        ),
    ],
)
def test_before_the_flow_is_aborted(cloud, flow, state, error, power):
    begin(cloud, flow)
    lose(cloud, flow)
    cloud.app.control.delays.set(default=1)
    assert cloud.provision("abort") == (202, None)
    cloud.state()
    cloud.clock.advance(1)
    assert look(cloud) == (state, error, power)


@pytest.mark.parametrize(
    ("flow", "error", "power"),
    [
        ("clean", "Failed to tear down from cleaning for node UUID, reason: {lost}", "power off"),
        ("service", "Failed to tear down from service for node UUID, reason: {lost}", "power off"),
        (
            "deploy",
            "Deploy step deploy.switch_to_tenant_network failed: Error changing node UUID to "
            "tenant networks after deploy. InvalidParameterValue: {lost}",
            "power off",
        ),
        (
            "rescue",
            "Rescue operation was unsuccessful, clean up failed for node: {lost}",
            "power off",
        ),
    ],
)
def test_while_the_flow_waits(cloud, flow, error, power):
    begin(cloud, flow)
    lose(cloud, flow)
    for _ in range(100):
        cloud.clock.advance(5)
        found = look(cloud) if cloud.node()["reservation"] is None else ("",)
        if found[0].endswith("failed"):
            break
    assert found == (f"{flow} failed", error.format(lost=LOST.format(FLOWS[flow][2])), power)
