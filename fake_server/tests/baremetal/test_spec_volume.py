"""Volume resources in the dialect of the document on volume connection information."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

CONNECTORS = "/v1/volume/connectors"
TARGETS = "/v1/volume/targets"


@pytest.fixture
def api():
    api = Api(dialect="spec")
    api.uuid = api.enrol()
    return api


def connector(api, connector_id="a", kind="iqn", **fields):
    body = {"node_uuid": api.uuid, "type": kind, "connector_id": connector_id, **fields}
    return api("POST", CONNECTORS, body)


def target(api, **fields):
    body = {"node_uuid": api.uuid, "volume_type": "iscsi", "volume_id": "v", **fields}
    return api("POST", TARGETS, body)


def ids(answer, key, field):
    status, body = answer
    assert status == 200, body
    return [item[field] for item in body[key]]


def test_lists_have_the_documents_keys(api):
    assert api("GET", CONNECTORS) == (200, {"volume_connectors": []})
    assert api("GET", TARGETS) == (200, {"volume_targets": []})


@pytest.mark.parametrize("path", [CONNECTORS, TARGETS, "/v1/volume"])
def test_newer_endpoints_with_a_lesser_version(api, path):
    # "micro version will be bumped and 406 will be raised if newer endpoints are accessed with a
    # lesser micro version."
    assert api("GET", path, version="1.31")[0] == 406
    assert api("GET", path, version="1.32")[0] == 200


def test_detailed_lists_have_an_address(api):
    # "GET /v1/volume/connectors/detail"
    created = connector(api)[1]
    assert api("GET", f"{CONNECTORS}/detail") == (200, {"volume_connectors": [created]})
    created = target(api)[1]
    assert api("GET", f"{TARGETS}/detail?node=n") == (200, {"volume_targets": [created]})


def test_connectors_are_filtered(api):
    # "This operation can take parameters like type, container_id, limit, marker, sort_dir, and
    # fields." (the connector's id is meant)
    connector(api, "a")
    connector(api, "b")
    connector(api, "b", "ip")
    key, field = "volume_connectors", "connector_id"
    assert ids(api("GET", f"{CONNECTORS}?type=iqn"), key, field) == ["a", "b"]
    assert ids(api("GET", f"{CONNECTORS}?connector_id=b"), key, field) == ["b", "b"]
    assert ids(api("GET", f"{CONNECTORS}?type=ip&connector_id=a"), key, field) == []


def test_targets_are_filtered(api):
    # "This operation can take parameters like boot_index, volume_id, volume_type, limit, …"
    target(api, boot_index=0, volume_id="v0")
    target(api, boot_index=1, volume_id="v1", volume_type="fibre_channel")
    key, field = "volume_targets", "volume_id"
    assert ids(api("GET", f"{TARGETS}?boot_index=1"), key, field) == ["v1"]
    assert ids(api("GET", f"{TARGETS}?volume_id=v0"), key, field) == ["v0"]
    assert ids(api("GET", f"{TARGETS}?volume_type=iscsi"), key, field) == ["v0"]


def test_lists_below_a_node_take_its_name_and_pages_keep_filters(api):
    for connector_id in "abc":
        connector(api, connector_id)
    api.uuid = api.enrol("other")
    connector(api, "d")
    path, found = "/v1/nodes/n/volume/connectors?limit=2&type=iqn", []
    while path:
        status, page = api("GET", path)
        found += ids((status, page), "volume_connectors", "connector_id")
        path = page.get("next", "").removeprefix("http://fake")
        assert not path or ("node=n" in path and "type=iqn" in path)
    assert found == ["a", "b", "c"]


@pytest.mark.parametrize("kind", ["iqn", "ip", "mac", "wwnn", "wwpn", "net-id"])
def test_connectors_of_known_types_are_taken(api, kind):
    assert connector(api, kind=kind)[0] == 201


@pytest.mark.parametrize("kind", ["IQN", "bogus", ""])
def test_connectors_of_other_types_are_refused(api, kind):
    status, message = connector(api, kind=kind)
    assert (status, f"'{kind}' is not one of ['iqn', " in message) == (400, True)


@pytest.mark.parametrize(
    ("field", "length"), [("connector_id", 255), ("volume_type", 64), ("volume_id", 36)]
)
def test_texts_are_as_long_as_their_columns(api, field, length):
    create = connector if field == "connector_id" else target
    assert create(api, **{field: "x" * length})[0] == 201
    status, message = create(api, **{field: "y" * (length + 1)})
    assert (status, "is too long" in message) == (400, True)


def test_the_boot_index_is_optional_and_removable(api):
    first, second = target(api)[1], target(api, boot_index=0)[1]
    assert first["boot_index"] is None
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    path = f"{TARGETS}/{second['uuid']}"
    status, changed = api("PATCH", path, [{"op": "remove", "path": "/boot_index"}])
    assert (status, changed["boot_index"]) == (200, None)


def test_user_names_are_masked_too(api):
    # "REST API masks credential information such as auth_username and auth_password …"
    secret = {"auth_username": "u", "auth_password": "p", "target_lun": 0}
    shown = target(api, properties=secret)[1]["properties"]
    assert shown == {"auth_username": "******", "auth_password": "******", "target_lun": 0}


def test_resources_are_removed_only_while_the_node_is_off(api):
    path = f"{CONNECTORS}/{connector(api)[1]['uuid']}"
    assert api("DELETE", path)[0] == 400
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    assert api("DELETE", path)[0] == 204
