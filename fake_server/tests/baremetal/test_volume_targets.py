"""Volume targets: what is theirs beside what they share with connectors."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

URL = "/v1/volume/targets"


@pytest.fixture
def api():
    api = Api()
    api.uuid = api.enrol()
    return api


def create(api, boot_index=0, **fields):
    body = {
        "node_uuid": api.uuid,
        "volume_type": "iscsi",
        "volume_id": "volume-1",
        "boot_index": boot_index,
        **fields,
    }
    status, target = api("POST", URL, body)
    assert status == 201, target
    return target


def test_a_boot_index_that_no_database_holds_is_refused(api):
    body = {"node_uuid": api.uuid, "volume_type": "x", "volume_id": "v", "boot_index": 2**70}
    assert api("POST", URL, body)[0] == 400


def test_passwords_are_never_shown(api):
    secret = {"auth_username": "u", "auth_password": "p", "deep": {"token": "t"}, "note": "ok"}
    masked = {
        "auth_username": "u",
        "auth_password": "******",
        "deep": {"token": "******"},
        "note": "ok",
    }
    target = create(api, properties=secret)
    assert target["properties"] == masked
    assert api("GET", f"{URL}/{target['uuid']}")[1]["properties"] == masked
    assert api("GET", f"{URL}?detail=1")[1]["targets"][0]["properties"] == masked


def test_a_password_survives_the_change_of_its_neighbour(api):
    target = create(api, properties={"auth_password": "p", "lun": 0})
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    patch = [{"op": "replace", "path": "/properties/lun", "value": 1}]
    status, changed = api("PATCH", f"{URL}/{target['uuid']}", patch)
    assert (status, changed["properties"]) == (200, {"auth_password": "******", "lun": 1})


@pytest.mark.parametrize(
    ("options", "shown"), [({}, "******"), ({"show_volume_secrets": True}, "x")]
)
def test_passwords_can_be_shown_as_by_older_releases(options, shown):
    api = Api(**options)
    api.uuid = api.enrol()
    target = create(api, properties={"auth_password": "x", "target_lun": 0})
    for seen in (
        target,
        api("GET", f"{URL}/{target['uuid']}")[1],
        api("GET", f"{URL}?detail=True")[1]["targets"][0],
    ):
        assert seen["properties"] == {"auth_password": shown, "target_lun": 0}


def test_a_list_shows_the_order_of_booting(api):
    target = create(api)
    names = ("uuid", "node_uuid", "volume_type", "boot_index", "volume_id", "links")
    short = {name: target[name] for name in names}
    assert api("GET", URL) == (200, {"targets": [short]})


def test_a_patch_may_take_the_index_of_another_only_when_that_is_free(api):
    create(api)
    second = create(api, 1)
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    patch = [{"op": "replace", "path": "/boot_index", "value": 0}]
    message = "A volume target with boot index '0' for the same node already exists."
    assert api("PATCH", f"{URL}/{second['uuid']}", patch) == (409, message)


@pytest.mark.parametrize("key", ["extra", "properties"])
def test_objects_are_no_sort_keys(api, key):
    message = f"The sort_key value {key} is an invalid field for sorting"
    assert api("GET", f"{URL}?sort_key={key}") == (400, message)


def test_the_boot_index_is_required_and_a_number(api):
    body = {"node_uuid": api.uuid, "volume_type": "iscsi", "volume_id": "v"}
    message = "Schema error for target: 'boot_index' is a required property"
    assert api("POST", URL, body) == (400, message)
    message = "Schema error for target: '0' is not of type 'integer'"
    assert api("POST", URL, {**body, "boot_index": "0"}) == (400, message)


def test_the_boot_index_is_unique_on_a_node(api):
    create(api)
    body = {"node_uuid": api.uuid, "volume_type": "x", "volume_id": "v", "boot_index": 0}
    message = "A volume target with boot index '0' for the same node already exists."
    assert api("POST", URL, body) == (409, message)
    assert api("POST", URL, {**body, "node_uuid": api.enrol("other")})[0] == 201
