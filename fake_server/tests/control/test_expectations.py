"""Assertions about the requests that a server received: in Python, over HTTP and by the command."""

from __future__ import annotations

import pytest
import requests

from fake_server.cli import ctl
from fake_server.server import FakeServer

VERSION = "X-OpenStack-Ironic-API-Version"
NODE = {"driver": "fake-hardware", "name": "n", "extra": {"rack": {"row": 1}}, "owner": None}
PATCH = [{"op": "add", "path": "/extra/a", "value": 1}]


@pytest.fixture(scope="module")
def server():
    """A server that was asked four times."""
    with FakeServer() as server:
        for method, path, body in (
            ("POST", "/v1/nodes", NODE),
            ("GET", "/v1/nodes?fields=uuid&fields=name&limit=5", None),
            ("PATCH", "/v1/nodes/n", PATCH),
            ("PUT", "/v1/nodes/n/states/provision", {"target": "manage", "password": "s3cret"}),
        ):
            headers = {VERSION: "1.90", "X-Auth-Token": "t0ken"}
            requests.request(method, server.url + path, json=body, headers=headers, timeout=5)
        yield server


FOUND = [
    ("POST", "/v1/nodes", {}),
    ("post", "/baremetal/v1/nodes", {"json": NODE, "times": 1}),
    ("POST", "*", {"json_contains": {"extra": {"rack": {"row": 1}}}, "version": "1.90"}),
    (
        "POST",
        "*",
        {"json_contains": {"owner": None}, "headers": {"content-type": "application/json"}},
    ),
    ("GET", "/v1/nodes", {"query": {"fields": ["uuid", "name"], "limit": 5}}),
    ("PATCH", "/v1/nodes/*", {"json": PATCH, "headers": {"X-Auth-Token": "t0ken"}}),
    ("DELETE", "/v1/nodes/n", {"times": 0}),
]
#: What is expected, and a line that says what differs.
MISSING = [
    ("PATCH", "/v1/nodes/m", {}, "path: expected '/v1/nodes/m', got '/v1/nodes/n'"),
    (
        "PATCH",
        "/v1/nodes/n",
        {"times": 2},
        "n 2 times, received it 1 time.",
    ),
    ("PATCH", "*", {"json": [{**PATCH[0], "value": 2}]}, "json[0].value: expected 2, got 1"),
    ("PATCH", "*", {"json": [{**PATCH[0], "value": True}]}, "json[0].value: expected true, got 1"),
    ("PATCH", "*", {"json_contains": PATCH * 2}, "json: expected ["),
    ("POST", "*", {"json": {"name": "n"}}, "json.owner: not expected, got null"),
    ("POST", "*", {"json_contains": {"uuid": "x"}}, 'json.uuid: expected "x", it is missing'),
    ("GET", "*", {"json": {}}, "json: the request has none"),
    ("GET", "*", {"query": {"limit": "6"}}, "query limit: expected '6', got ['5']"),
    ("GET", "*", {"version": "1.91"}, "version: expected '1.91', got '1.90'"),
    ("GET", "*", {"headers": {"X-Auth-Token": "other"}}, "got '******'"),
    ("PUT", "*", {"json_contains": {"password": "x"}}, 'expected "******", got "******"'),
]


@pytest.mark.parametrize(("method", "path", "more"), FOUND)
def test_what_was_asked(server, method, path, more):
    server.requests.assert_asked(method, path, **more)
    if more.pop("times", 1):
        with pytest.raises(AssertionError, match="never, received it 1 time"):
            server.requests.assert_not_asked(method, path, **more)


@pytest.mark.parametrize(("method", "path", "more", "line"), MISSING)
def test_what_differs_is_named(server, method, path, more, line):
    with pytest.raises(AssertionError) as caught:
        server.requests.assert_asked(method, path, **more)
    text = str(caught.value)
    assert line in text
    assert "The nearest request is" in text or "times" in more
    assert "  POST /v1/nodes (201)" in text
    assert "s3cret" not in text
    assert "t0ken" not in text
    if "times" not in more:
        server.requests.assert_not_asked(method, path, **more)


def test_an_order(server):
    server.requests.assert_order(
        [
            ("POST", "/v1/nodes"),
            ("PUT", "*"),
        ]
    )
    server.requests.assert_order([])
    with pytest.raises(AssertionError, match="Expected GET /v1/nodes after PATCH /v1/nodes/n, did"):
        server.requests.assert_order([("PATCH", "/v1/nodes/n"), ("GET", "/v1/nodes")])


def test_only_the_last_requests_are_listed():
    server = FakeServer()
    session = requests.Session()
    session.mount("http://127.0.0.1", server.adapter())
    for _ in range(25):
        session.get("http://127.0.0.1/v1/nodes")
    with pytest.raises(AssertionError, match=r"… 5 before these\n(  GET.*\n?){20}$"):
        server.requests.assert_asked("POST", "/v1/nodes")
    server.stop()


def verify(server, body):
    answer = requests.post(f"{server.url}/_fake/requests/verify", json=body, timeout=5)
    return answer.status_code, answer.json()


def test_over_http(server):
    assert verify(server, {"method": "POST", "path": "/v1/*"}) == (200, {"matched": 1})
    assert verify(server, {"method": "POST", "path": "/v1/ports", "absent": True})[0] == 200
    assert verify(server, {"order": [["POST", "*"], ["PATCH", "*"]]}) == (200, {"matched": 2})
    status, body = verify(server, {"method": "PUT", "path": "*", "json": {}})
    assert (status, body["nearest"]["json"]) == (409, {"target": "manage", "password": "******"})
    assert body["message"].startswith("Expected PUT * at least once")
    assert verify(server, {"order": [["POST", "*"], ["POST", "*"]]})[1]["nearest"] is None


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"method": "GET"}, "path has to be text"),
        ({"method": "GET", "path": "*", "color": 1}, "Unknown name color"),
        ({"method": "GET", "path": "*", "times": "1"}, "times has to be a number"),
        ({"method": "GET", "path": "*", "times": True}, "times has to be a number"),
        ({"method": "GET", "path": "*", "times": 1, "absent": True}, "not together with absent"),
        ({"order": [["GET"]]}, "list of pairs"),
        ({"order": [], "times": 1}, "Unknown name times"),
    ],
)
def test_what_can_not_be_verified(server, body, why):
    status, answer = verify(server, body)
    assert status == 400
    assert why in answer["error"]


def test_the_command(server, capsys):
    def run(*words):
        return ctl.main(["ctl", "--url", server.url, "requests", "assert", *words])

    assert run("POST", "/v1/nodes", "--json-contains", '{"name": "n"}', "--times", "1") == 0
    assert run("GET", "/v1/nodes", "--query", "fields=uuid", "--query", "fields=name") == 0
    assert run("GET", "*", "--header", "X-Auth-Token=t0ken", "--api-version", "1.90") == 0
    assert run("DELETE", "*", "--absent") == 0
    capsys.readouterr()
    assert run("POST", "/v1/nodes", "--json", '{"name": "m"}') == 1
    found = capsys.readouterr()
    assert (found.out, 'json.name: expected "m", got "n"\n' in found.err) == ("", True)
    with pytest.raises(SystemExit):
        run("POST", "/v1/nodes", "--json", "{")
