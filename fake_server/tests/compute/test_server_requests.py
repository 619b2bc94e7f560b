"""What requests about servers may ask for, and what they show."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import message
from fake_server.tests.compute.test_attach_modes import IMAGE, running

STOCK = {"VCPU": {"total": 8}, "CUSTOM_GOLD": {"total": 1}}


# Servers


def test_metadata_is_added_to_replaced_and_removed(cloud):
    server = running(cloud, metadata={"a": "1"})
    path = f"/servers/{server}/metadata"
    assert cloud("POST", path, {"metadata": {"b": "2"}}) == (
        200,
        {"metadata": {"a": "1", "b": "2"}},
    )
    assert cloud("PUT", path, {"metadata": {"c": "3", "d": "4"}}) == (
        200,
        {"metadata": {"c": "3", "d": "4"}},
    )
    assert cloud("DELETE", f"{path}/c") == (204, None)
    answer = cloud("DELETE", f"{path}/c")
    assert (answer[0], message(answer)) == (404, "Metadata item was not found")
    assert cloud.get("compute", path) == {"metadata": {"d": "4"}}
    assert cloud.server(server)["metadata"] == {"d": "4"}


@pytest.mark.parametrize(
    ("policy", "status"), [({}, "ACTIVE"), ("none", "ACTIVE"), ("isolate", "ERROR")]
)
def test_groups_of_resources_follow_the_policy_of_the_flavor(cloud, policy, status):
    node = cloud.node()
    path = f"/resource_providers/{node}"
    generation = cloud.get("placement", path)["generation"]
    body = {"resource_provider_generation": generation, "inventories": STOCK}
    assert cloud.send("placement", "PUT", f"{path}/inventories", body)[0] == 200
    specs = {"resources1__CUSTOM_GOLD": "1", "resources2__VCPU": "2"}
    if policy:
        specs["group_policy"] = policy
    server = cloud.booted(cloud.flavor(**specs), imageRef=IMAGE)
    assert server["status"] == status
    if status == "ACTIVE":
        found = cloud.get("placement", f"/allocations/{server['id']}")["allocations"]
        assert found[node]["resources"] == {"CUSTOM_GOLD": 1, "VCPU": 2}
