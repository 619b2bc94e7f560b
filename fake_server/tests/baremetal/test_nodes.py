"""Nodes: create, show, change and remove."""

from __future__ import annotations

import copy

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_server.tests.baremetal.api import Api

URL = "/v1/nodes/n"


@pytest.fixture
def api():
    return Api()


def replace(path, value):
    return [{"op": "replace", "path": path, "value": value}]


def test_before_1_5_only_uuids_name_nodes(api):
    uuid = api.enrol()
    assert api("GET", URL, version="1.4") == (404, "Node n could not be found.")
    assert api("GET", f"/v1/nodes/{uuid}", version="1.4")[0] == 200
    assert api("GET", f"/v1/nodes/{uuid.upper()}")[0] == 404


def test_secrets_are_masked(api):
    info = {"ipmi_password": "x", "note": "password=x y", "snmp_auth_key": "k", "list": ["token"]}
    api.enrol(driver_info=info, instance_info={"configdrive": "x", "image_url": "u"})
    node = api.node()
    assert node["driver_info"] == {
        "ipmi_password": "******",
        "note": "password=****** y",
        "snmp_auth_key": "******",
        "list": ["token"],
    }
    assert node["instance_info"] == {"configdrive": "******", "image_url": "******"}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("abc", max_size=3),
    lambda values: (
        st.lists(values, max_size=3) | st.dictionaries(st.sampled_from("abc"), values, max_size=3)
    ),
    max_leaves=6,
)
POINTERS = st.lists(st.sampled_from(["a", "b", "c", "0", "1", "-"]), min_size=1, max_size=3)
OPERATIONS = st.builds(
    lambda op, parts, value: (
        {"op": op, "path": "/extra/" + "/".join(parts)}
        | ({} if op == "remove" else {"value": value})
    ),
    st.sampled_from(["add", "replace", "remove"]),
    POINTERS,
    VALUES,
)


@given(
    extra=st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3),
    patch=st.lists(OPERATIONS, min_size=1, max_size=4),
)
def test_patches_do_what_rfc_6902_says_or_nothing(extra, patch):
    api = Api()
    api.enrol(extra=extra)
    try:
        expected = jsonpatch.apply_patch({"extra": copy.deepcopy(extra)}, patch)["extra"]
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError):
        expected = None
    status, answer = api("PATCH", URL, patch)
    if expected is None:
        assert (status, api.node()["extra"]) == (400, extra), answer
    else:
        assert (status, answer["extra"]) == (200, expected)


def test_a_patch_that_fails_does_not_show_the_record(api):
    api.enrol("n", driver_info={"token": "hidden"})
    patch = [
        {"op": "remove", "path": "/bios_interface"},
        {"op": "add", "path": "/bios_interface/a", "value": "fake"},
    ]
    status, message = api("PATCH", "/v1/nodes/n", patch)
    assert status == 400
    assert message.endswith("Reason: member 'bios_interface' not found")


@pytest.mark.parametrize(("length", "status"), [(0, 400), (1, 201), (255, 201), (256, 400)])
def test_names_of_instances_have_at_most_255_characters(api, length, status):
    body = {"driver": "fake-hardware", "instance_name": "i" * length}
    assert api("POST", "/v1/nodes", body)[0] == status


def test_fields_that_are_given_one_by_one_are_taken_as_they_are_written(api):
    api.enrol()
    _, found = api("GET", "/v1/nodes?fields=uuid&fields=name")
    assert {*found["nodes"][0]} == {"uuid", "name", "links"}
    refused = (400, "Field NAME is not a valid field of a list.")
    assert api("GET", "/v1/nodes?fields=uuid&fields=NAME") == refused
    assert api("GET", "/v1/nodes?fields=uuid,NAME")[0] == 200
