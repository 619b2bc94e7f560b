"""Time, faults, state and requests under the control of tests, over HTTP and from Python."""

from __future__ import annotations

import json
import time
from itertools import product

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.settings import Settings

VERSION = {"X-OpenStack-Ironic-API-Version": "1.115"}


@pytest.fixture
def server():
    with FakeServer(Settings(delay=600)) as server:
        yield server


@pytest.fixture
def call(server):
    def send(method, path, body=None, **headers):
        headers = {**VERSION, "Content-Type": "application/json", **headers}
        data = None if body is None else json.dumps(body)
        answer = requests.request(method, server.url + path, data=data, headers=headers, timeout=10)
        return answer.status_code, answer.json() if answer.content else None

    return send


@pytest.fixture
def node(call):
    return call("POST", "/v1/nodes", {"driver": "fake-hardware", "name": "n"})[1]["uuid"]


def state(call, node):
    return call("GET", f"/v1/nodes/{node}")[1]["provision_state"]


IMPOSSIBLE = {
    "now": (1e30, 10**400, float("inf"), -1),
    "seconds": (1e300, 10**400, float("nan")),
    "do": (
        *({"delay": 1e12}, {"delay": 10**400}, {"content_type": "a\r\nEvil: 1"}, {}),
        *({"status": 500, "headers": {"X": "a\r\nEvil: 1"}}, {"status": 200}),
        {"status": 500, "headers": {"X:": "a"}},
    ),
}
REFUSED = [
    *(("PUT", "clock", {"mode": "manual", "now": now}) for now in IMPOSSIBLE["now"]),
    ("PUT", "clock", {"mode": "scaled", "factor": 1e300}),
    *(("POST", "clock/advance", {"seconds": seconds}) for seconds in IMPOSSIBLE["seconds"]),
    *(("POST", "faults", {"do": do}) for do in IMPOSSIBLE["do"]),
    ("POST", "faults", {"do": {"status": 500}, "times": 10**30}),
]


def test_what_can_not_be_is_explained_and_changes_nothing(call):
    before = call("GET", "/_fake/faults"), call("GET", "/_fake/clock")[1]["mode"]
    for method, path, body in REFUSED:
        status, answer = call(method, f"/_fake/{path}", body)
        assert (status, bool(answer["error"])) == (400, True), (path, body)
        after = call("GET", "/_fake/faults"), call("GET", "/_fake/clock")[1]["mode"]
        assert after == before


def test_which_requests_go_wrong(call, server):
    for match, hit in (
        ({"nth": 2}, [2]),
        ({"every": 2}, [2, 4]),
        ({"method": "get", "path": "/v1/nodes"}, [1, 2, 3, 4]),
        ({"method": "POST"}, []),
        ({"path": "/v1/ports*"}, []),
        ({"headers": {"X-OpenStack-Ironic-API-Version": "1.115"}}, [1, 2, 3, 4]),
        ({"headers": {"X-OpenStack-Ironic-API-Version": "1.1"}}, []),
        ({"probability": 1}, [1, 2, 3, 4]),
        ({"probability": 0}, []),
    ):
        server.faults.add(match, {"status": 500})
        found = [number for number in range(1, 5) if call("GET", "/v1/nodes")[0] == 500]
        assert found == hit, match
        server.faults.remove()


def test_chance_is_the_same_each_time(call, server):
    def some():
        server.faults.remove()
        server.faults.add({"probability": 0.5, "seed": 7}, {"status": 500})
        return [call("GET", "/v1/nodes")[0] for _ in range(12)]

    first = some()
    assert {200, 500} == set(first)
    assert some() == first


def test_a_fault_of_a_time(call, server, node):
    server.clock.switch("manual")
    server.faults.add({"node": node}, {"locked": True}, seconds=30)
    patch = [{"op": "add", "path": "/extra/a", "value": 1}]
    server.clock.advance(29)
    assert call("PATCH", f"/v1/nodes/{node}", patch)[0] == 409
    server.clock.advance(1)
    assert call("PATCH", f"/v1/nodes/{node}", patch)[0] == 200


@pytest.mark.parametrize("wanted", ["uuid", "name"])
def test_a_node_in_queries_and_bodies(call, server, node, wanted):
    server.faults.add({"node": {"uuid": node, "name": "n"}[wanted]}, {"status": 503})
    connector = {"type": "iqn", "connector_id": "iqn.1", "node_uuid": node}
    port = {"address": "52:54:00:00:00:01"}
    for method, path, body, status in (
        ("GET", "/v1/ports?node=n", None, 503),
        ("GET", f"/v1/ports?node_uuid={node}", None, 503),
        ("POST", "/v1/ports", {**port, "node_uuid": node}, 503),
        ("POST", "/v1/ports", {**port, "node_ident": "n"}, 503),
        ("POST", "/baremetal/v1/volume/connectors", connector, 503),
        ("POST", "/v1/ports", {**port, "node_uuid": 5}, 400),
        ("POST", "/v1/chassis", {"extra": {"node": "n"}}, 201),
        ("GET", "/v1/ports?node=other", None, 404),
        ("GET", "/v1/ports", None, 200),
    ):
        assert call(method, path, body)[0] == status, path


def test_the_prefix_of_the_catalog_makes_no_difference(call, server):
    for path, asked in product(["/v1/chassis", "/baremetal/v1/chassis"], repeat=2):
        server.faults.add({"path": path}, {"status": 503}, times=1)
        assert call("GET", asked)[0] == 503, (path, asked)
    assert call("GET", asked)[0] == 200


def test_a_status_that_http_has_no_name_for(call, server):
    server.faults.add({}, {"status": 499})
    services = ("/networking/v2.0", "/volume/v3", "/identity/v3", "/compute", "/placement", "/v1")
    assert [call("GET", path)[0] for path in services] == [499] * 6


def test_answers_that_are_not_what_they_should_be(call, server):
    server.faults.add({"path": "/v1/nodes"}, {"truncate": 5}, times=1)
    with pytest.raises(requests.exceptions.RequestException):
        call("GET", "/v1/nodes")
    server.faults.add({"path": "/v1/nodes"}, {"content_type": "text/html"}, times=1)
    answer = requests.get(f"{server.url}/v1/nodes", timeout=5)
    assert answer.headers["Content-Type"] == "text/html"
    began = time.monotonic()
    server.faults.add({"path": "/v1/nodes"}, {"delay": 0.2}, times=1)
    assert call("GET", "/v1/nodes")[0] == 200
    assert time.monotonic() - began >= 0.2


def test_the_error_page_of_a_proxy(call, server):
    page = "<html>502 Bad Gateway</html>"
    do = {"status": 502, "message": page, "content_type": "text/html", "headers": {"Via": "p"}}
    server.faults.add({"path": "/v1/nodes"}, do, times=1)
    server.faults.add({"path": "/v1/nodes"}, {**do, "truncate": 6}, times=1)
    response = requests.get(f"{server.url}/v1/nodes", timeout=10)
    assert (response.status_code, response.text, response.headers["Via"]) == (502, page, "p")
    assert response.headers["Content-Type"] == "text/html"
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        requests.get(f"{server.url}/v1/nodes", timeout=10)


def test_headers_are_added_to_answers_too(server):
    server.faults.add({"path": "/v1/nodes"}, {"headers": {"Via": "p"}}, times=1)
    response = requests.get(f"{server.url}/v1/nodes", timeout=10)
    assert (response.status_code, response.headers["Via"]) == (200, "p")


@pytest.mark.parametrize(
    ("do", "why"),
    [
        ({"drop": "before", "status": 500}, "drop and status cannot"),
        ({"drop": "after", "truncate": 1}, "drop and truncate cannot"),
        ({"locked": True, "content_type": "text/html"}, "locked and content_type cannot"),
        ({"message": "x"}, "message needs status"),
    ],
)
def test_what_would_have_no_effect_is_refused(server, do, why):
    with pytest.raises(ValueError, match=why):
        server.faults.add({}, do)
    assert server.faults.rules() == []


def test_what_was_asked(call, server, node):
    call("GET", "/v1/nodes?limit=1")
    call("GET", "/v1/nodes/nowhere")
    found = call("GET", "/_fake/requests?status=404")[1]["requests"]
    assert [(entry["method"], entry["path"]) for entry in found] == [("GET", "/v1/nodes/nowhere")]
    server.requests.assert_asked("GET", "/v1/nodes", times=1)
    server.requests.assert_asked("POST", "/v1/*")
    with pytest.raises(AssertionError, match="received it 0 times") as caught:
        server.requests.assert_asked("DELETE", "/v1/nodes/*")
    assert "GET /v1/nodes/nowhere (404)" in str(caught.value)
    assert call("DELETE", "/_fake/requests")[0] == 204
    assert call("GET", "/_fake/requests")[1] == {"requests": [], "dropped": 0}


def test_a_state_is_called_by_a_name(call, server, node):
    assert call("POST", "/_fake/snapshots", {"id": "lab"}) == (201, {"id": "lab"})
    number = call("POST", "/_fake/snapshots")[1]["id"]
    call("DELETE", f"/v1/nodes/{node}")
    assert call("POST", "/_fake/snapshots/lab/restore")[0] == 204
    assert call("GET", f"/v1/nodes/{node}")[0] == 200
    call("DELETE", f"/v1/nodes/{node}")
    # The name is the new one's from now on.
    assert server.snapshots.take("lab") == "lab"
    assert call("POST", "/_fake/snapshots/lab/restore")[0] == 204
    assert call("GET", "/v1/nodes")[1]["nodes"] == []
    assert server.snapshots.idents() == [number, "lab"]
    for ident in ("7", "", "a b", "x" * 65, 5, ["a"]):
        assert call("POST", "/_fake/snapshots", {"id": ident})[0] == 400
    assert call("POST", "/_fake/snapshots", {"name": "lab"})[0] == 400


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:1", "null"])
@pytest.mark.parametrize("path", ["reset", "snapshots", "snapshots/1/restore", "faults"])
def test_pages_from_elsewhere_may_not_even_send_nothing(call, node, path, origin):
    for headers in ({"Origin": origin}, {"Content-Type": None}, {"Content-Type": "text/plain"}):
        assert call("POST", f"/_fake/{path}", **headers)[0] in (403, 415)
    assert call("GET", f"/v1/nodes/{node}")[0] == 200
    assert call("GET", "/_fake/snapshots")[1] == {"snapshots": []}


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_only_what_browsers_send_unasked_needs_a_media_type(server, call, method):
    # They ask first whether a page of another site may send these, and nobody allows it.
    url, page = f"{server.url}/_fake/delays", {"Origin": "http://evil.example"}
    asked = {**page, "Access-Control-Request-Method": method}
    answer = requests.options(url, headers=asked, timeout=9)
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert answer.status_code == 403
    assert requests.request(method, url, headers=page, timeout=9).status_code == 403
    assert call("PUT", "/_fake/delays", {"default": 5})[0] == 200
    answer = requests.put(url, data='{"default": 7}', timeout=9)
    assert (answer.status_code, answer.json()["default"]) == (200, 7)
    assert requests.delete(url, timeout=9).status_code == 204


def test_a_token_guards_the_controls():
    with FakeServer(Settings(control_token="t")) as server:
        url = f"{server.url}/_fake/clock"
        assert requests.get(url, timeout=5).status_code == 403
        wrong = {"X-Fake-Token": "wrong"}
        assert requests.get(url, headers=wrong, timeout=5).status_code == 403
        assert requests.get(url, headers={"X-Fake-Token": "t"}, timeout=5).status_code == 200
        assert requests.get(f"{server.url}/v1", timeout=5).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_server_for_others_needs_its_token(host):
    with FakeServer(host=host) as server:
        token = server.app.settings.control_token
        clock = f"http://127.0.0.1:{server.url.rpartition(':')[2]}/_fake/clock"
        if host == "::":
            clock = clock.replace("127.0.0.1", "[::1]")
        assert len(token) > 20
        assert requests.get(clock, headers={"Host": "localhost"}, timeout=9).status_code == 403
        assert requests.get(clock, headers={"X-Fake-Token": token}, timeout=9).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_server_for_this_machine_needs_none(host):
    with FakeServer(host=host) as server:
        assert server.app.settings.control_token is None
        assert requests.get(f"{server.url}/_fake/clock", timeout=9).status_code == 200


def test_a_chosen_token_is_kept():
    server = FakeServer(Settings(control_token="chosen"), host="0.0.0.0")
    assert server.app.settings.control_token == "chosen"
    server.stop()
