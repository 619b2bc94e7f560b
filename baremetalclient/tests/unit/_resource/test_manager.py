from __future__ import annotations

import copy
import pickle
from collections import UserList
from unittest.mock import ANY

import pytest

from baremetalclient import exc
from baremetalclient.tests.unit.scripted import Reply
from baremetalclient.v1.node import Node
from baremetalclient.v1.port import Port

INFO = {"uuid": "n", "name": "node-1", "extra": {"k": [1]}, "driver_info": {"ipmi_password": "pw"}}


def node(**more):
    return Node(None, {**copy.deepcopy(INFO), **more})


def test_a_field_that_was_not_sent_is_explained():
    with pytest.raises(AttributeError, match=r"'traits'.*since version 1\.37"):
        _ = node().traits
    with pytest.raises(AttributeError, match="no field 'colour'"):
        _ = node().colour
    assert not hasattr(node(), "owner")


def test_to_dict_returns_a_copy():
    first = node()
    first.to_dict()["extra"]["k"].append(2)
    assert first.to_dict() == INFO


def test_resources_are_equal_by_type_and_content():
    assert node() == node()
    assert node() != "node"
    assert node() == ANY
    assert node() != node(name="node-2")
    assert node() != Port(None, INFO)
    assert node() != INFO


def test_the_representation_names_the_resource_and_no_secret():
    assert repr(node()) == "<Node uuid='n' name='node-1'>"


def test_a_resource_has_what_programs_for_python_ironicclient_read():
    resource = Node(None, copy.deepcopy(INFO), loaded=True)
    assert resource._info == INFO
    assert resource.is_loaded()
    assert resource.human_id is None


def test_a_resource_is_requested_again(scripted):
    client, server = scripted(Reply({"uuid": "n"}), Reply(INFO))
    resource = client.node.get("n", fields=["uuid"])
    resource.get()
    assert resource.to_dict() == INFO
    assert server.requests[1].target == "/v1/nodes/n"


def test_odd_names_stay_one_segment(scripted):
    client, server = scripted(Reply(INFO))
    client.node.get("50% grün & mehr")
    assert server.requests[0].path == "/v1/nodes/50% grün & mehr"
    assert server.requests[0].target == "/v1/nodes/50%25%20gr%C3%BCn%20%26%20mehr"


@pytest.mark.parametrize("wrong", [{}, {"op": "add"}, "add", b"", iter([])])
def test_what_is_no_sequence_is_no_patch(scripted, wrong):
    client, server = scripted()
    with pytest.raises(TypeError, match="list of operations") as caught:
        client.node.update("n", wrong)
    assert isinstance(caught.value, exc.ValidationError)
    assert not server.requests


@pytest.mark.parametrize(
    "patch",
    [
        [],
        (),
        ({"op": "remove", "path": "/name"},),
        UserList([{"op": "remove", "path": "/name"}]),
        [{"path": "/a"}],
        [{"op": "add", "path": "a"}],
        ["add"],
    ],
)
def test_any_sequence_is_a_patch_and_the_server_judges_its_operations(scripted, patch):
    client, server = scripted(Reply(INFO))
    client.node.update("n", patch)
    assert server.requests[0].method == "PATCH"
    assert server.requests[0].json == list(patch)


def test_a_patch_without_a_slash_still_needs_the_version_of_its_field(scripted):
    client, server = scripted(os_ironic_api_version="1.20")
    with pytest.raises(exc.UnsupportedVersion, match="'resource_class'"):
        client.node.update("n", [{"op": "add", "path": "resource_class", "value": "x"}])
    assert not server.requests


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.node.get("n", None, "1.50", "req-1"),
        lambda client: client.node.delete("n", "1.50", "req-1"),
        lambda client: client.node.update("n", [], "PATCH", "1.50", "req-1"),
        lambda client: client.node.create("1.50", "req-1", driver="d"),
        lambda client: client.node.vif_attach("n", "v", "1.50", "req-1"),
        lambda client: client.node.set_provision_state(
            "n", "active", None, None, None, "1.50", "req-1"
        ),
        lambda client: client.driver.get("d", "1.50", "req-1"),
    ],
)
def test_the_version_and_the_request_id_may_be_given_by_position(scripted, call):
    client, server = scripted(Reply(INFO))
    call(client)
    assert server.requests[0].version == "1.50"
    assert server.requests[0].headers["x-openstack-request-id"] == "req-1"


def test_too_many_and_repeated_arguments_are_refused(scripted):
    client, server = scripted()
    with pytest.raises(TypeError, match="at most 3 arguments by position"):
        client.node.delete("n", "1.50", "req-1", "more")
    with pytest.raises(TypeError, match="multiple values"):
        client.node.delete("n", "1.50", os_ironic_api_version="1.50")
    assert not server.requests


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda nodes: nodes.set_traits("n", None), "each item a trait"),
        (lambda nodes: nodes.set_traits("n", 5), "each item a trait"),
        (lambda nodes: nodes.list(fields=5), "each item a field name"),
        (lambda nodes: nodes.set_power_state("n", None), "'state' has to be text"),
        (lambda nodes: nodes.set_boot_device("n", None), "'boot_device' has to be text"),
        (lambda nodes: nodes.vendor_passthru("n", "m", None, 5), "'http_method' has to be text"),
        (lambda nodes: nodes.wait_for_provision_state(None, "active"), "Expected nodes"),
    ],
)
def test_arguments_of_a_wrong_type_are_refused(scripted, call, message):
    client, server = scripted()
    with pytest.raises(TypeError, match=message) as caught:
        call(client.node)
    assert isinstance(caught.value, exc.InvalidType)
    assert not server.requests


def test_fields_that_cannot_be_asked_for_come_with_all_others(scripted):
    whole = {"uuid": "u", "name": "n", "conductor": "c", "created_at": "t", "extra": {}}
    client, server = scripted(Reply(whole), Reply({"nodes": [whole]}))
    found = client.node.get("n", fields=["created_at", "name"])
    assert found.to_dict() == {"created_at": "t", "name": "n"}
    (listed,) = client.node.list(fields=["conductor"])
    assert listed.conductor == "c"
    targets = [request.target for request in server.requests]
    assert targets == ["/v1/nodes/n", "/v1/nodes/detail"]
    with pytest.raises(exc.UnsupportedVersion, match=r"1\.49 or later is needed for the field"):
        client.node.list(fields=["conductor"], os_ironic_api_version="1.48")


def test_a_state_that_does_not_exist_is_not_waited_for(scripted):
    client, server = scripted()
    with pytest.raises(exc.ValidationError, match=r"state 'actve'\. Did you mean 'active'"):
        client.node.wait_for_provision_state("n", "actve")
    assert not server.requests


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_resources_are_copied_with_their_manager(scripted, duplicate):
    client, _ = scripted(Reply({"uuid": "u", "extra": {"a": [1]}}))
    node = client.node.get("u")
    twin = duplicate(node)
    assert twin == node
    assert twin is not node
    assert twin.manager is client.node
    twin.uuid = "v"
    assert node.uuid == "u"
    twin.extra["a"].append(2)
    assert (node.extra == {"a": [1]}) is (duplicate is copy.deepcopy)


def test_resources_are_pickled_without_their_manager(scripted):
    client, _ = scripted(Reply({"uuid": "u", "extra": {"a": [1]}}))
    node = client.node.get("u")
    loaded = pickle.loads(pickle.dumps(node))
    assert loaded == node
    assert loaded.to_dict() == {"uuid": "u", "extra": {"a": [1]}}
    assert loaded.manager is None


def test_fields_may_be_named_like_attributes_of_resources(scripted):
    response = {"resource": "r", "to_dict": "t", "manager": "m"}
    client, _ = scripted(Reply(response))
    found = client.node.vendor_passthru("n", "method", http_method="GET")
    assert found.to_dict() == response
    assert (found.resource, found.manager) == ("r", "m")
    assert repr(found) == "<Node >"
    with pytest.raises(AttributeError, match="sent no field 'uuid' for this node"):
        found.uuid  # noqa: B018


def test_a_resource_can_be_given_for_its_identifier(scripted):
    client, server = scripted(Reply({"ports": []}))
    client.port.list(node=node())
    client.node.list_ports(node())
    assert [request.query["node"] for request in server.requests] == ["n", "n"]


@pytest.mark.parametrize(
    ("call", "patch"),
    [
        (
            lambda c: c.node.update("n", extra={"a": 1}, name=None),
            [
                {"op": "add", "path": "/extra", "value": {"a": 1}},
                {"op": "remove", "path": "/name"},
            ],
        ),
        (
            lambda c: c.port.update("p", pxe_enabled=False),
            [{"op": "add", "path": "/pxe_enabled", "value": False}],
        ),
        (
            lambda c: c.volume_target.update(volume_target_id="t", boot_index=0, deadline=9),
            [{"op": "add", "path": "/boot_index", "value": 0}],
        ),
        (lambda c: c.allocation.update("a", name=None), [{"op": "remove", "path": "/name"}]),
    ],
)
def test_fields_by_name_make_the_smallest_patch(scripted, call, patch):
    client, server = scripted(Reply({"uuid": "u"}))
    call(client)
    assert [(one.method, one.json) for one in server.requests] == [("PATCH", patch)]


def test_fields_by_name_need_their_versions(scripted):
    client, server = scripted(os_ironic_api_version="1.50")
    with pytest.raises(exc.UnsupportedVersion, match="the field 'description' of nodes"):
        client.node.update("n", description="d")
    assert not server.requests


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"colour": "red"}, "Unknown attributes of a changed node: 'colour'"),
        ({"uuid": "u"}, "Unknown attributes of a changed node: 'uuid'"),
        ({"patch": [], "name": "n"}, "cannot be used together"),
        ({}, "Give a patch, or fields of a node by name"),
    ],
)
def test_fields_that_cannot_be_changed_are_refused(scripted, arguments, message):
    client, server = scripted()
    with pytest.raises((TypeError, exc.InvalidAttribute), match=message):
        client.node.update("n", **arguments)
    assert not server.requests


def test_a_client_is_not_pickled_with_its_token(scripted):
    client, server = scripted(token="hush")
    others = [client.block_storage(server.url), client.compute(server.url)]
    for one in (client, client.node, client.http_client, *others):
        with pytest.raises(TypeError, match="Make one in each process"):
            pickle.dumps(one)
