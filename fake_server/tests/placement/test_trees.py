"""Trees of providers: who is above whom, and who may serve a request together."""

from __future__ import annotations

import pytest

from fake_server.tests.placement.conftest import detail

NOBODY = "4e8e5957-649f-477b-9e5b-f1f75b21c03c"
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


def test_what_serves_in_two_ways_is_one_candidate(api, tree):
    query = "resources1=VCPU:1&resources2=VCPU:1"
    assert served(api, tree, query) == {("left",), ("left", "right"), ("right",)}
    body = api.get(f"/allocation_candidates?group_policy=none&{query}")
    # That the groups change places makes no other candidate.
    assert len(body["allocation_requests"]) == 3


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("root_required=CUSTOM_A", {("left",), ("right",)}),
        ("root_required=CUSTOM_B", set()),
        ("root_required=!CUSTOM_A", set()),
        ("root_required=!CUSTOM_B", {("left",), ("right",)}),
        ("required=CUSTOM_B", {("left",)}),
        ("in_tree=LEFT", {("left",)}),
        ("in_tree=ROOT", {("left",), ("right",)}),
    ],
)
def test_conditions_of_candidates(api, tree, query, found):
    for name in ("CUSTOM_A", "CUSTOM_B"):
        api("PUT", f"/traits/{name}")
    api.set_traits(tree["root"], "CUSTOM_A")
    api.set_traits(tree["left"], "CUSTOM_B")
    query = query.replace("LEFT", tree["left"]).replace("ROOT", tree["root"])
    assert served(api, tree, f"resources=VCPU:1&{query}") == found


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


def test_a_provider_without_the_one_above(api):
    body = {"name": "p", "uuid": NOBODY.replace("4e", "5e"), "parent_provider_uuid": NOBODY}
    answer = api("POST", "/resource_providers", body)
    assert (answer[0], detail(answer)) == (
        400,
        f'Unable to create resource provider "p", {body["uuid"]}: Object action create failed '
        "because: parent provider UUID does not exist.",
    )
    assert api.get("/resource_providers")["resource_providers"] == []
