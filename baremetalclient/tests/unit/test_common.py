"""What programs for python-ironicclient import."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import configdrive, exc
from baremetalclient.common import base, http, utils
from baremetalclient.common.apiclient import exceptions
from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.tests.unit.scripted import Reply
from baremetalclient.v1 import resource_fields
from baremetalclient.v1 import utils as v1_utils


def test_the_exceptions_are_the_same():
    assert exceptions.NotFound is exc.NotFound
    assert {name for name in vars(exc) if not name.startswith("_")} <= set(vars(exceptions))


def test_versions():
    assert http.DEFAULT_VER == "1.9"
    assert f"1.{http.LAST_KNOWN_API_VERSION}" == http.LATEST_VERSION == str(CLIENT_MAX)


@pytest.mark.parametrize("op", ["add", "replace"])
def test_a_patch_of_pairs(op):
    assert utils.args_array_to_patch(op, ["extra/a=b=c", "/name=n", "x=1", 'y={"z": [null]}']) == [
        {"op": op, "path": "/extra/a", "value": "b=c"},
        {"op": op, "path": "/name", "value": "n"},
        {"op": op, "path": "/x", "value": 1},
        {"op": op, "path": "/y", "value": {"z": [None]}},
    ]
    assert utils.args_array_to_patch(op, []) == []


NAMES = st.text(min_size=1).filter(lambda name: "=" not in name and not name.startswith("/"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.lists(st.tuples(NAMES, VALUES)))
def test_a_patch_of_any_pairs(pairs):
    patch = utils.args_array_to_patch(
        "add", [f"{name}={json.dumps(value)}" for name, value in pairs]
    )
    assert patch == [{"op": "add", "path": f"/{name}", "value": value} for name, value in pairs]


def test_a_patch_that_removes():
    paths = [one["path"] for one in utils.args_array_to_patch("remove", ["a/b", "/name", "a=b"])]
    assert paths == ["/a/b", "/name", "/a=b"]
    assert utils.args_array_to_patch("remove", ["name"]) == [{"op": "remove", "path": "/name"}]


@pytest.mark.parametrize(
    ("op", "attributes", "message"),
    [("add", ["name"], "without '='"), ("move", ["a=b"], "'move'")],
)
def test_what_makes_no_patch(op, attributes, message):
    with pytest.raises(exc.CommandError, match=message):
        utils.args_array_to_patch(op, attributes)


def test_a_dictionary_of_pairs():
    given = {"properties": ["cpus=4", "arch=x86_64"], "extra": [], "name": "n"}
    assert utils.args_array_to_dict(given, "properties") is given
    utils.args_array_to_dict(given, "extra")
    utils.args_array_to_dict(given, "absent")
    assert given == {"properties": {"cpus": 4, "arch": "x86_64"}, "extra": [], "name": "n"}


def test_the_columns_of_lists():
    nodes = resource_fields.NODE_RESOURCE
    assert nodes.fields[:2] == ("uuid", "name")
    assert nodes.labels[:2] == ("UUID", "Name")
    detailed = resource_fields.NODE_DETAILED_RESOURCE
    assert set(nodes.fields) < set(detailed.fields)
    assert "traits" not in detailed.sort_fields
    assert len(detailed.sort_fields) == len(detailed.sort_labels) < len(detailed.labels)


def test_what_nodes_can_be_told():
    assert v1_utils.PROVISION_ACTIONS["manage"] == {
        "expected_state": "manageable",
        "poll_interval": 2,
    }
    assert v1_utils.PROVISION_ACTIONS["active"]["expected_state"] == "active"
    assert v1_utils.PROVISION_ACTIONS["abort"] is None
    assert set(v1_utils.PROVISION_STATES) >= {"rebuild", "deleted", "provide", "unhold"}
    assert "pxe" in v1_utils.BOOT_DEVICES
    assert sorted(v1_utils.HTTP_METHODS) == ["DELETE", "GET", "PATCH", "POST", "PUT"]


def test_a_config_drive_is_made_of_a_directory(monkeypatch):
    monkeypatch.setattr(configdrive, "image_of", lambda path: f"image of {path}")
    assert utils.make_configdrive("files") == "image of files"


def test_managers_can_be_written(scripted):
    class Things(base.CreateManager[base.Resource]):
        pass

    assert issubclass(base.CreateManager, base.Manager)
    client, _ = scripted(Reply({"uuid": "u"}))
    assert base.getid(client.node.get("u")) == base.getid("u") == "u"
    assert Things.get
