from __future__ import annotations

import copy
import inspect
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from keystoneauth1 import exceptions as ksa

from baremetalclient import exc
from baremetalclient._bulk.result import Result
from baremetalclient._http import exceptions
from baremetalclient._http.error_responses import error_from, refused_arguments
from baremetalclient._http.response import Response


def error(status, body, headers=None, secrets=frozenset()):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    response = Response(
        status, headers or {"Content-Type": "application/json"}, raw, "GET http://host/v1/nodes/x"
    )
    return error_from(response, method="GET", url="http://host/v1/nodes/x", secrets=set(secrets))


def inside(fault):
    return {"error_message": json.dumps(fault)}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (inside({"faultcode": "Client", "faultstring": "No node.", "debuginfo": None}), "No node."),
        (inside({"code": 404, "title": "Not Found", "description": "No route."}), "No route."),
        ({"error_message": {"faultstring": "An object."}}, "An object."),
        ({"error_message": [{"faultstring": "One."}, "Two."]}, "One.; Two."),
        ({"error_message": '["One.", {"faultstring": "Two."}]'}, "One.; Two."),
        ({"error_message": "plain words"}, "plain words"),
        ({"error": {"code": 401, "title": "Unauthorized", "message": "Log in."}}, "Log in."),
        ({"errors": [{"status": 404, "title": "T", "detail": "Detail."}]}, "Detail."),
        ({"itemNotFound": {"code": 404, "message": "Of Nova."}}, "Of Nova."),
        ({"title": "Only a title", "description": ""}, "Only a title"),
        (b"<html><head><title>502 Bad &amp; worse</title></head></html>", "502 Bad & worse"),
        (b"just text", "just text"),
    ],
)
def test_the_message_is_found_wherever_it_is(body, message):
    assert error(404, body).message == message


@pytest.mark.parametrize("wrong", [None, [], {}, 7, True, [[[]]], {"error_message": None}])
def test_error_messages_of_any_shape_are_survived(wrong):
    assert isinstance(error(400, {"error_message": wrong}), exc.BadRequest)


@given(st.binary(), st.integers(300, 599))
def test_bodies_of_any_kind_give_an_error_of_the_status(body, status):
    found = error(status, body)
    assert found.http_status == status
    assert isinstance(found, exc.for_status(status))


def test_the_error_says_where_it_comes_from():
    headers = {"Content-Type": "application/json", "openstack-request-id": "req-1"}
    found = error(403, inside({"faultstring": "No.", "debuginfo": "Traceback"}), headers)
    assert type(found) is exc.Forbidden
    assert (found.method, found.url) == ("GET", "http://host/v1/nodes/x")
    assert (found.request_id, found.details) == ("req-1", "Traceback")
    assert str(found) == "No. (HTTP 403) (Request-ID: req-1)"


@pytest.mark.parametrize("form", [inside, lambda fault: fault["faultstring"].encode()])
def test_long_messages_are_cut(form):
    assert error(400, form({"faultstring": 4000 * "x" + "y"})).message == 4000 * "x"


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("Unexpected arguments: traits, not-traits-any", {"traits", "not-traits-any"}),
        ('Unknown argument: "traits"', {"traits"}),
        ("Invalid sort key", set()),
    ],
)
def test_refused_query_arguments_are_recognised(message, names):
    assert refused_arguments(exc.BadRequest(message)) == names


OUR_CLASSES = {
    kind.__name__: kind
    for kind in vars(exc).values()
    if inspect.isclass(kind) and issubclass(kind, exc.ClientException)
}


@pytest.mark.parametrize("kind", OUR_CLASSES.values(), ids=OUR_CLASSES)
@pytest.mark.parametrize("duplicate", [copy.copy, lambda one: pickle.loads(pickle.dumps(one))])
def test_each_is_pickled_and_copied_as_it_is(kind, duplicate):
    arguments = {
        exc.SomeFailed: [[Result("n", "u", "failed", error="No.")]],
        exc.AuthPluginOptionsMissing: [["username", "password"]],
        exc.AmbiguousEndpoints: [["http://a", "http://b"]],
    }
    error = kind(*arguments.get(kind, ["No."]))
    twin = duplicate(error)
    assert type(twin) is kind
    assert (str(twin), vars(twin)) == (str(error), vars(error))


CLASSES = [
    kind
    for kind in vars(exceptions).values()
    if inspect.isclass(kind) and issubclass(kind, exc.ClientException)
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_each_is_of_both_libraries_and_keeps_its_message(kind):
    error = kind("What failed.")
    assert isinstance(error, ksa.ClientException)
    assert "What failed." in str(error)
    assert "What failed." in error.message or kind is exceptions.AuthSystemNotFound
    assert kind.__name__ in repr(pickle.loads(pickle.dumps(error)))


def test_a_missing_version_is_not_said_to_come_from_the_server():
    error = exc.VersionLacksPath("Too old.", feature="volumes")
    assert str(error) == error.message == "Too old."
    assert (error.http_status, error.feature) == (404, "volumes")
    assert error.response is error.request_id is error.url is None
    assert exc.for_status(404) is exc.NotFound
    assert exc.for_status(405) is exc.MethodNotAllowed
