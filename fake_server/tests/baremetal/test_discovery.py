"""Versions, addresses that lead nowhere, and the shape of errors; over a real socket."""

from __future__ import annotations

import http.client
import json

import pytest

from fake_server.baremetal import microversions
from fake_server.server import FakeServer
from fake_server.tests.baremetal.api import LATEST

VERSION = "X-OpenStack-Ironic-API-Version"
NEWER = f"1.{microversions.MAXIMUM + 1}"
RANGE = ("X-OpenStack-Ironic-API-Minimum-Version", "X-OpenStack-Ironic-API-Maximum-Version")


@pytest.fixture(scope="module")
def server():
    with FakeServer() as server:
        yield server


@pytest.fixture
def ask(server):
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"))

    def send(method, path, body=None, **headers):
        connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read()

    yield send
    connection.close()


@pytest.fixture
def node(ask):
    headers = {VERSION: LATEST, "Content-Type": "application/json"}
    _, data = ask("POST", "/v1/nodes", b'{"driver": "fake-hardware"}', **headers)
    return json.loads(data)["uuid"]


def fault(data):
    return json.loads(json.loads(data)["error_message"])


def test_links_stay_below_the_prefix(ask, server):
    _, data = ask("GET", "/baremetal/v1")
    assert json.loads(data)["nodes"][0]["href"] == f"{server.url}/baremetal/v1/nodes/"


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ({}, "1.1"),
        ({VERSION: "1.50"}, "1.50"),
        ({VERSION: "latest"}, LATEST),
        ({VERSION: "LATEST"}, LATEST),
        ({"OpenStack-API-Version": "compute 2.1, baremetal 1.33"}, "1.33"),
        ({"OpenStack-API-Version": "compute 2.1", VERSION: "1.7"}, "1.7"),
    ],
)
def test_the_version_that_is_asked_for_is_given(ask, asked, given):
    answer, _ = ask("GET", "/v1", **asked)
    assert answer.headers[VERSION] == given
    assert [answer.headers[name] for name in RANGE] == ["1.1", LATEST]


@pytest.mark.parametrize(
    ("asked", "says", "tells_range"),
    [
        (NEWER, f"Version {NEWER} was requested but the minor version is not supported", True),
        ("2.1", "Mutually exclusive versions requested. Version 2.1", True),
        ("banana", f"Invalid value for {VERSION} header", False),
        ("1", f"Invalid value for {VERSION} header", False),
    ],
)
def test_a_version_that_is_not_there_is_406(ask, asked, says, tells_range):
    answer, data = ask("GET", "/v1/nodes", **{VERSION: asked})
    assert answer.status == 406
    assert fault(data)["description"].startswith(says)
    assert all((name in answer.headers) == tells_range for name in RANGE)
    assert VERSION not in answer.headers


def test_head_and_options(ask):
    answer, data = ask("HEAD", "/v1")
    assert (answer.status, data) == (200, b"")
    for path, version, status in (
        ("/v1/nodes", "1.50", 405),
        ("/v1/bogus", "1.50", 404),
        ("/v1", "banana", 406),
        ("/", "banana", 406),
    ):
        answer, data = ask("HEAD", path, **{VERSION: version})
        assert (answer.status, data) == (status, b"")
        assert answer.getheader("Content-Length") == str(len(json.dumps({"error_message": ""})))
    answer, data = ask("OPTIONS", "/v1/nodes")
    assert (answer.status, data) == (200, b"")


def test_other_media_types_are_not_acceptable(ask):
    answer, data = ask("GET", "/v1/nodes", Accept="text/html")
    assert answer.status == 406
    assert "<h1>406 Not Acceptable</h1>" in json.loads(data)["error_message"]


@pytest.mark.parametrize(
    ("accept", "starts"),
    [
        ("*/*", '{"code": 404'),
        ("application/json", '{"code": 404'),
        ("application/json, text/plain;q=0.5", '{"code": 404'),
        ("text/plain, application/json;q=0.5", '{"message": "The resource could not be found.<br'),
        ("application/json, */*", "<html>\n <head>\n  <title>404 Not Found</title>"),
        ("text/html", "<html>\n <head>\n  <title>404 Not Found</title>"),
        ("text/plain", "404 Not Found\n\nThe resource could not be found.\n\n   "),
        ("image/*", "404 Not Found\n\nThe resource could not be found."),
        ("garbage", "<html>"),
        ("application/json;q=1.5", "<html>"),
        ("text/html;q=0.2, text/html, application/json;q=0.5", '{"code": 404'),
        ("*/*;a=1", "<html>"),
        ("application/json;q=0.9;x, text/plain;q=0.1", '{"code": 404'),
        ('application/json;a="x,y", text/plain', "404 Not Found\n\nThe resource"),
    ],
)
def test_routing_errors_look_as_the_client_likes(ask, accept, starts):
    answer, data = ask("GET", "/v1/bogus", Accept=accept)
    assert answer.headers["Content-Type"] == "application/json"
    assert json.loads(data)["error_message"].startswith(starts)


@pytest.mark.parametrize("path", ["/v1/nodes/%ff", "/v1/nodes?driver=%ff", "/v1/nodes?%ed%a0%80=1"])
def test_what_is_not_utf8_is_a_client_error(ask, path):
    answer, data = ask("GET", path, **{VERSION: LATEST})
    assert answer.status == 400
    fault = json.loads(json.loads(data)["error_message"])
    assert fault == {"code": 400, "title": "Bad Request", "description": ""}


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[NaN]",
        b'{"a": Infinity}',
        b'{"name": "\\ud800", "driver": "fake-hardware"}',
        b'{"extra": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_not_json_is_refused(ask, body):
    answer, data = ask(
        "POST", "/v1/nodes", body, **{VERSION: LATEST, "Content-Type": "application/json"}
    )
    assert answer.status == 400
    assert fault(data)["faultstring"].startswith("The request body can't be read as JSON: ")


UNKNOWN = "22222222-2222-4222-8222-222222222222"
SCHEMA = "Schema error: None is not of type '{}'"


@pytest.mark.parametrize(
    ("method", "path", "version", "status", "message"),
    [
        ("POST", "/v1/chassis", LATEST, 400, SCHEMA.format("object")),
        ("POST", "/v1/nodes", LATEST, 400, SCHEMA.format("object")),
        ("POST", "/v1/deploy_templates", LATEST, 400, SCHEMA.format("object")),
        ("PATCH", "/v1/nodes/NODE", LATEST, 400, SCHEMA.format("array")),
        ("PATCH", f"/v1/chassis/{UNKNOWN}", LATEST, 400, SCHEMA.format("array")),
        ("POST", "/v1/nodes/NODE/vifs", LATEST, 400, SCHEMA.format("object")),
        ("POST", "/v1/nodes/nowhere/vifs", LATEST, 404, "Node nowhere could not be found."),
        ("POST", "/v1/continue_inspection", "1.83", 404, "API version 1.84 or newer is required"),
        ("POST", "/v1/continue_inspection", "1.84", 400, SCHEMA.format("object")),
    ],
)
def test_null_is_no_body(ask, node, method, path, version, status, message):
    headers = {VERSION: version, "Content-Type": "application/json"}
    answer, data = ask(method, path.replace("NODE", node), b"null", **headers)
    assert (answer.status, fault(data)["faultstring"]) == (status, message)


def test_a_body_that_is_not_utf8_is_refused_as_a_path_would_be(ask):
    headers = {VERSION: LATEST, "Content-Type": "application/json"}
    answer, data = ask("POST", "/v1/nodes", b"\xff\xfe", **headers)
    assert (answer.status, answer.getheader(VERSION)) == (400, None)
    assert fault(data) == {"code": 400, "title": "Bad Request", "description": ""}
    answer, data = ask("POST", "/v1/nodes", b"\xff", **{**headers, "Content-Type": "text/plain"})
    assert (answer.status, answer.getheader(VERSION)) == (400, LATEST)
    assert fault(data)["faultstring"].startswith("The server could not comply with the request")


@pytest.mark.parametrize(
    ("charset", "status"),
    [("latin-1", 201), ('"ISO-8859-1"', 201), ("utf-8", 400), ("", 400), ("bogus", 400)],
)
def test_a_body_may_be_in_another_charset(ask, charset, status):
    kind = f"application/json; charset={charset}"
    body = '{"driver": "fake-hardware", "description": "\u00e9"}'.encode("latin-1")
    answer, data = ask("POST", "/v1/nodes", body, **{VERSION: LATEST, "Content-Type": kind})
    assert answer.status == status
    if status == 201:
        assert json.loads(data)["description"] == "\u00e9"


@pytest.mark.parametrize("charset", ["punycode", "undefined", "a\0b", "hex", "utf-16"])
def test_whatever_charset_is_named_nothing_fails(ask, charset):
    kind = {VERSION: LATEST, "Content-Type": f"application/json; charset={charset}"}
    for body in (b'{"driver": "fake-hardware"}', '{"name": "\\ud800"}'.encode("utf-16")):
        answer, _ = ask("POST", "/v1/nodes", body, **kind)
        assert answer.status == 400


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"limit": "no number"}'),
        ("application/json", b"\xff"),
        ("application/x-www-form-urlencoded", b"limit=no+number"),
        (None, b"limit=no+number"),
    ],
)
def test_a_get_has_no_arguments_in_a_body(ask, kind, body):
    """Pecan (``Pecan.find_controller_and_args``) reads only the query of a GET."""
    headers = {VERSION: LATEST, **({"Content-Type": kind} if kind else {})}
    answer, data = ask("GET", "/v1/chassis", body, **headers)
    assert (answer.status, json.loads(data)) == (200, {"chassis": []})


def test_what_is_not_json_has_no_arguments(ask, node):
    headers = {VERSION: LATEST, "Content-Type": "application/json"}
    answer, data = ask("PUT", f"/v1/nodes/{node}/states/provision", b"a=b", **headers)
    assert answer.status == 400
    assert fault(data)["faultstring"] == "Missing mandatory parameter: target"
    answer, _ = ask("DELETE", f"/v1/nodes/{node}", b"{", **headers)
    assert answer.status == 204


def test_an_argument_in_query_and_body_has_both_values(ask, node):
    headers = {VERSION: LATEST, "Content-Type": "application/json"}
    path = f"/v1/nodes/{node}/states/console"
    answer, data = ask("PUT", f"{path}?enabled=x", b'{"enabled": true}', **headers)
    assert answer.status == 400
    assert "Unrecognized value '['x', True]'," in fault(data)["faultstring"]
    answer, data = ask("PUT", f"{path}?enabled=1&enabled=2", b'{"enabled": 3}', **headers)
    assert "Unrecognized value '['1', '2', 3]'," in fault(data)["faultstring"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_forms_have_arguments_whatever_the_method(ask, node, method):
    path = "/v1/nodes" if method == "POST" else f"/v1/nodes/{node}"
    path += "/states/power" if method == "PUT" else ""
    headers = {VERSION: LATEST, "Content-Type": "application/x-www-form-urlencoded"}
    answer, data = ask(method, path, b'{"a": 1}', **headers)
    assert answer.status == 400
    assert fault(data)["faultstring"] == 'Unexpected arguments: {"a": 1}'


def test_a_body_of_an_empty_type_is_no_form(ask):
    body = b'{"driver": "fake-hardware"}'
    assert ask("POST", "/v1/nodes", body, **{VERSION: LATEST, "Content-Type": ""})[0].status == 201


def test_bodies_may_be_25_levels_deep_and_1_mib_long(ask):
    headers = {VERSION: LATEST, "Content-Type": "application/json"}
    answer, data = ask("POST", "/v1/nodes", b"[" * 26 + b"]" * 26, **headers)
    assert answer.status == 400
    assert json.loads(data)["faultstring"].startswith("Request body JSON is nested too deeply.")
    answer, data = ask("POST", "/v1/nodes", b" " * (1024 * 1024 + 1), **headers)
    assert answer.status == 413
    assert json.loads(data)["faultstring"].startswith("Request body is too large.")
    quoted = json.dumps({"driver": "fake-hardware", "description": "[" * 100}).encode()
    answer, _ = ask("POST", "/v1/nodes", quoted, **headers)
    assert answer.status == 201


def test_names_may_end_in_json(ask):
    body = json.dumps({"driver": "fake-hardware", "name": "host.json"}).encode()
    headers = {"Content-Type": "application/json"}
    ask("POST", "/v1/nodes", body, **headers, **{VERSION: LATEST})
    for version in ("1.90", "1.91"):
        answer, data = ask("GET", "/v1/nodes/host.json", **{VERSION: version})
        assert json.loads(data)["name"] == "host.json", version
    answer, _ = ask("GET", "/v1/nodes.json", **{VERSION: "1.90"})
    assert answer.status == 200


def test_options_of_the_root_are_its_document(ask):
    answer, data = ask("OPTIONS", "/", **{VERSION: LATEST})
    assert (answer.status, json.loads(data)["name"]) == (200, "OpenStack Ironic API")
    assert answer.getheader(VERSION) == LATEST
    for version in ("banana", "9.9", "1.500"):
        answer, data = ask("OPTIONS", "/", **{VERSION: version})
        assert (answer.status, data, answer.getheader("Content-Type")) == (200, b"", None)
    for path in ("/v1", "/v1/nodes", "/v1/bogus", "/?a=1"):
        answer, data = ask("OPTIONS", path, **{VERSION: LATEST})
        assert (answer.status, data, answer.getheader(VERSION)) == (200, b"", None)
