"""Trees of providers: who is above whom, and who may serve a request together."""

from __future__ import annotations

import pytest

STOCK = {
    # Each with the provider above it, and what it has.
    "root": (None, {"DISK_GB": 9}),
    "left": ("root", {"VCPU": 9}),
    "left card": ("left", {"VGPU": 9}),
    "middle": ("root", {}),
    "port": ("middle", {"PCI_DEVICE": 9}),
    "right": ("root", {"VCPU": 9}),
    "right card": ("right", {"VGPU": 9}),
}


@pytest.fixture
def tree(api):
    """Return the UUIDs of the providers of a tree by their names."""
    made = {}
    for name, (above, totals) in STOCK.items():
        values = {} if above is None else {"parent_provider_uuid": made[above]}
        made[name] = api.provider(name, **values)["uuid"]
        if totals:
            api.stock(made[name], **totals)
    return made


def served(api, tree, query):
    """Return the names of the providers that could serve a request together."""
    body = api.get(f"/allocation_candidates?group_policy=none&{query}")
    names = {uuid: name for name, uuid in tree.items()}
    return {
        tuple(sorted(names[uuid] for uuid in one["allocations"]))
        for one in body["allocation_requests"]
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (
            "resources_C=VCPU:1&resources_G=VGPU:1",
            {
                ("left", "left card"),
                ("left", "right card"),
                ("left card", "right"),
                ("right", "right card"),
            },
        ),
        (
            "resources_C=VCPU:1&resources_G=VGPU:1&same_subtree=_C,_G",
            {("left", "left card"), ("right", "right card")},
        ),
        (
            "resources_C=VCPU:1&resources_P=PCI_DEVICE:1&same_subtree=_C,_P",
            set(),
        ),
        (
            "resources_D=DISK_GB:1&resources_G=VGPU:1&same_subtree=_D,_G",
            {("left card", "root"), ("right card", "root")},
        ),
        # Those between need not have what is asked for.
        (
            "resources_D=DISK_GB:1&resources_P=PCI_DEVICE:1&same_subtree=_D,_P",
            {("port", "root")},
        ),
        (
            "resources_C=VCPU:1&resources_G=VGPU:1&resources_P=PCI_DEVICE:1"
            "&same_subtree=_C,_G&same_subtree=_P",
            {("left", "left card", "port"), ("port", "right", "right card")},
        ),
    ],
)
def test_groups_are_served_in_the_same_subtree(api, tree, query, found):
    assert served(api, tree, query) == found


# Names and places in the tree


def change(api, tree, name, above, version="1.39", **values):
    body = {"name": name, **values}
    if above is not ...:
        body["parent_provider_uuid"] = tree.get(above, above)
    return api("PUT", f"/resource_providers/{tree[name]}", body, version)


def test_a_provider_moves_with_those_below_it(api, tree):
    tree["other"] = api.provider("other")["uuid"]
    status, shown = change(api, tree, "left", "other")
    assert (status, shown["parent_provider_uuid"]) == (200, tree["other"])
    roots = {
        row["name"]: row["root_provider_uuid"]
        for row in api.get("/resource_providers")["resource_providers"]
    }
    moved = {"left", "left card", "other"}
    assert roots == {name: tree["other" if name in moved else "root"] for name in tree}
    status, shown = change(api, tree, "left", None)
    assert (status, shown["root_provider_uuid"]) == (200, tree["left"])
    below = api.get(f"/resource_providers/{tree['left card']}")
    assert below["root_provider_uuid"] == tree["left"]
