"""Patches of nodes of which ``asked_of_ironic.txt`` has no row.

Ironic 39.0.0 fails on some with 500, where the fake server says what is wrong; others are long, or
need an allocation.
"""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api


@pytest.fixture
def api():
    made = Api()
    made.enrol()
    return made


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        ({"op": "add", "path": "/description", "value": 5}, "description has to be a string"),
        ({"op": "add", "path": "/description", "value": None}, "description has to be a string"),
        (
            {"op": "add", "path": "/maintenance", "value": None},
            "maintenance can't be removed or null",
        ),
        ({"op": "remove", "path": "/maintenance"}, "maintenance can't be removed or null"),
        ({"op": "remove", "path": "/automated_clean"}, "automated_clean can't be removed"),
        (
            {"op": "remove", "path": "/conductor_group"},
            "conductor_group of a node can't be removed",
        ),
    ],
)
def test_a_patch_that_ironic_fails_on_says_what_is_wrong_and_changes_nothing(api, patch, says):
    before = api.node()
    status, text = api("PATCH", "/v1/nodes/n", [patch])
    assert status == 400
    assert says in text
    assert api.node() == before


def test_a_description_has_at_most_4096_characters(api):
    longest = "x" * 4096
    assert api.patch("description", longest)[0] == 200
    status, text = api.patch("description", f"{longest}y")
    # As Ironic says.
    assert (status, "exceeding 4096 characters" in text) == (400, True)
    assert api.node()["description"] == longest


@pytest.mark.parametrize(("owner", "status"), [("p", 409), (None, 200)])
def test_an_allocation_with_an_owner_keeps_the_owner_of_its_node(api, owner, status):
    """Ironic answered so; it looks for a node after the request, which a row can't wait for."""
    # Another allocation without an owner: the one of the node has to be found.
    api.enrol("other")
    for name in ("other", "n"):
        api("PUT", f"/v1/nodes/{name}/states/power", {"target": "power off"})
        api.provision("manage", "provide", ident=name)
        assert api.patch("resource_class", f"of-{name}", name)[0] == 200
    assert api.patch("owner", owner)[0] == 200
    for name, of in (("other", {}), ("n", {"owner": owner} if owner else {})):
        body = {"name": f"a-{name}", "resource_class": f"of-{name}", **of}
        assert api("POST", "/v1/allocations", body)[0] == 201
        assert api("GET", f"/v1/allocations/a-{name}")[1]["state"] == "active"
    assert api.patch("owner", "q")[0] == status
    assert api("PATCH", "/v1/nodes/n", [{"op": "remove", "path": "/owner"}])[0] == 200
    assert api.patch("extra/a", 1)[0] == 200
