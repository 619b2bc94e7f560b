"""Volume connectors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_server.tests.baremetal.api import Api

URL = "/v1/volume/connectors"


@pytest.fixture
def api():
    api = Api()
    api.uuid = api.enrol()
    return api


def create(api, connector_id="iqn.a", **fields):
    body = {"node_uuid": api.uuid, "type": "iqn", "connector_id": connector_id, **fields}
    status, connector = api("POST", URL, body)
    assert status == 201, connector
    return connector


def test_a_patch_that_changes_nothing_leaves_no_trace(api):
    path = f"{URL}/{create(api)['uuid']}"
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    for value in (None, {}):
        status, same = api("PATCH", path, [{"op": "replace", "path": "/extra", "value": value}])
        assert (status, same["extra"], same["updated_at"]) == (200, {}, None)


def test_a_refused_change_shows_as_a_lock_of_the_node(api):
    path = f"{URL}/{create(api)['uuid']}"
    assert api.node()["updated_at"] is None
    api("PATCH", path, [{"op": "replace", "path": "/type", "value": "ip"}])
    assert api.node()["updated_at"] is not None


def test_connectors_go_with_their_node(api):
    create(api)
    api("DELETE", "/v1/nodes/n")
    assert api("GET", URL) == (200, {"connectors": []})


@settings(max_examples=8, deadline=None)
@given(
    ids=st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=8, unique=True),
    limit=st.integers(1, 4),
    sort_key=st.sampled_from(["id", "connector_id", "type", "created_at", "updated_at"]),
    sort_dir=st.sampled_from(["asc", "desc"]),
)
def test_pages_in_any_order_hold_everything_once(ids, limit, sort_key, sort_dir):
    api = Api()
    api.uuid = api.enrol()
    for connector_id in ids:
        create(api, connector_id)
    query = f"sort_key={sort_key}&sort_dir={sort_dir}"
    whole = api("GET", f"{URL}?{query}")[1]["connectors"]
    pages, path = [], f"{URL}?{query}&limit={limit}"
    while path:
        _, page = api("GET", path)
        pages += page["connectors"]
        path = page.get("next", "").removeprefix("http://fake")
    assert pages == whole
    assert sorted(item["connector_id"] for item in pages) == sorted(ids)
