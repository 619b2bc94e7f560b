"""Volume connectors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_server.tests.baremetal.api import Api

UNKNOWN = "5a7f6ac9-d840-4dc2-b18c-9bb8777484b5"
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


def test_a_connector_is_changed_only_while_its_node_is_off(api):
    path = f"{URL}/{create(api)['uuid']}"
    patch = [{"op": "replace", "path": "/connector_id", "value": "iqn.b"}]
    message = (
        'The requested action "volume connector update" can not be performed on node '
        f'"{api.uuid}" while it is in state "None".'
    )
    assert api("PATCH", path, patch) == (400, message)
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    status, changed = api("PATCH", path, patch)
    assert (status, changed["connector_id"]) == (200, "iqn.b")
    assert changed["updated_at"] is not None


def test_a_connector_is_created_shown_and_listed(api):
    connector = create(api, extra={"a": 1})
    assert connector["links"][0] == {"href": f"http://fake{URL}/{connector['uuid']}", "rel": "self"}
    assert api("GET", f"{URL}/{connector['uuid']}") == (200, connector)
    short = {name: connector[name] for name in ("uuid", "node_uuid", "type", "connector_id")}
    short["links"] = connector["links"]
    assert api("GET", URL) == (200, {"connectors": [short]})
    assert api("GET", f"{URL}?detail=True") == (200, {"connectors": [connector]})


def test_a_connector_is_deleted_while_its_node_is_idle_or_off(api):
    first, second = create(api), create(api, "iqn.b")
    assert api("DELETE", f"{URL}/{first['uuid']}") == (204, None)
    api.provision("manage", "provide")
    api("PUT", "/v1/nodes/n/states/power", {"target": "power on"})
    status, message = api("DELETE", f"{URL}/{second['uuid']}")
    assert (status, '"power on"' in message) == (400, True)
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    assert api("DELETE", f"{URL}/{second['uuid']}") == (204, None)
    message = f"Volume connector {second['uuid']} could not be found."
    assert api("GET", f"{URL}/{second['uuid']}") == (404, message)


def test_lists_of_one_node_take_its_name(api):
    connector = create(api)
    create_other = {"node_uuid": api.enrol("other"), "type": "ip", "connector_id": "x"}
    api("POST", URL, create_other)
    found = api("GET", f"{URL}?node=n")[1]["connectors"]
    assert [item["uuid"] for item in found] == [connector["uuid"]]
    assert api("GET", f"{URL}?node=nowhere") == (404, "Node nowhere could not be found.")


def test_the_node_has_to_be_there(api):
    body = {"node_uuid": UNKNOWN, "type": "iqn", "connector_id": "a"}
    message = f"Invalid input for field/attribute node_uuid. Value: '{UNKNOWN}'. "
    assert api("POST", URL, body) == (400, message)


def test_type_and_id_are_unique_everywhere(api):
    create(api)
    other = api.enrol("other")
    message = "A volume connector with type iqn and connector ID iqn.a already exists."
    body = {"node_uuid": other, "type": "iqn", "connector_id": "iqn.a"}
    assert api("POST", URL, body) == (409, message)


@pytest.mark.parametrize("missing", ["connector_id", "node_uuid", "type"])
def test_what_is_required(api, missing):
    body = {"node_uuid": api.uuid, "type": "iqn", "connector_id": "a"}
    del body[missing]
    message = f"Schema error for connector: '{missing}' is a required property"
    assert api("POST", URL, body) == (400, message)
