"""Volume connectors and volume targets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_server.tests.baremetal.api import Api

CONNECTORS, TARGETS = "/v1/volume/connectors", "/v1/volume/targets"


@pytest.fixture
def api():
    return filled()


def filled(**options):
    api = Api(**options)
    api.uuid = api.enrol()
    return api


def connector(api, connector_id="iqn.a"):
    body = {"node_uuid": api.uuid, "type": "iqn", "connector_id": connector_id}
    status, found = api("POST", CONNECTORS, body)
    assert status == 201, found
    return found


def target(api, properties):
    body = {"node_uuid": api.uuid, "volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
    status, found = api("POST", TARGETS, {**body, "properties": properties})
    assert status == 201, found
    return found


def test_a_refused_change_shows_as_a_lock_of_the_node(api):
    path = f"{CONNECTORS}/{connector(api)['uuid']}"
    assert api.node()["updated_at"] is None
    api("PATCH", path, [{"op": "replace", "path": "/type", "value": "ip"}])
    assert api.node()["updated_at"] is not None


@pytest.mark.parametrize(
    "made",
    [
        lambda api: f"{CONNECTORS}/{connector(api)['uuid']}",
        lambda api: f"{TARGETS}/{target(api, {})['uuid']}",
    ],
)
def test_patches_find_no_node(api, made):
    """Ironic has none in what it patches."""
    patch = [{"op": "remove", "path": "/node_uuid/x"}]
    status, message = api("PATCH", made(api), patch)
    assert (status, "Document '<class 'NoneType'>' does not support" in message) == (400, True)


def test_connectors_go_with_their_node(api):
    connector(api)
    api("DELETE", "/v1/nodes/n")
    assert api("GET", CONNECTORS) == (200, {"connectors": []})


@settings(max_examples=8, deadline=None)
@given(
    ids=st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=8, unique=True),
    limit=st.integers(1, 4),
    sort_key=st.sampled_from(["id", "connector_id", "type", "created_at", "updated_at"]),
    sort_dir=st.sampled_from(["asc", "desc"]),
)
def test_pages_in_any_order_hold_everything_once(ids, limit, sort_key, sort_dir):
    api = filled()
    for connector_id in ids:
        connector(api, connector_id)
    query = f"sort_key={sort_key}&sort_dir={sort_dir}"
    whole = api("GET", f"{CONNECTORS}?{query}")[1]["connectors"]
    pages, path = [], f"{CONNECTORS}?{query}&limit={limit}"
    while path:
        _, page = api("GET", path)
        pages += page["connectors"]
        path = page.get("next", "").removeprefix("http://fake")
    assert pages == whole
    assert sorted(item["connector_id"] for item in pages) == sorted(ids)


def test_a_boot_index_that_no_database_holds_is_refused(api):
    body = {"node_uuid": api.uuid, "volume_type": "x", "volume_id": "v", "boot_index": 2**70}
    assert api("POST", TARGETS, body)[0] == 400


@pytest.mark.parametrize("old", [False, True])
def test_passwords_are_shown_only_as_by_older_releases(old):
    api = filled(show_volume_secrets=old)
    secret = {"auth_username": "u", "auth_password": "p", "deep": {"token": "t"}, "note": "ok"}
    shown = {**secret, "auth_password": "******", "deep": {"token": "******"}}
    found = target(api, secret)
    for seen in (
        found,
        api("GET", f"{TARGETS}/{found['uuid']}")[1],
        api("GET", f"{TARGETS}?detail=1")[1]["targets"][0],
    ):
        assert seen["properties"] == (secret if old else shown)


def test_a_password_survives_the_change_of_its_neighbour(api):
    path = f"{TARGETS}/{target(api, {'auth_password': 'p', 'lun': 0})['uuid']}"
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    patch = [{"op": "replace", "path": "/properties/lun", "value": 1}]
    status, changed = api("PATCH", path, patch)
    assert (status, changed["properties"]) == (200, {"auth_password": "******", "lun": 1})
