"""The situations that the guide promises, one after the other on the server of a session.

They need no real time: all of them together run in less than two seconds.
"""

from __future__ import annotations

import pytest
import requests

from fake_server.server import FakeServer

STABLE = {"name": "n", "provision_state": "available", "power_state": "power off"}
LATEST = {"X-OpenStack-Ironic-API-Version": "latest"}
NODE, PORTS = "/v1/nodes/n", "/v1/ports"
EXTRA = [{"op": "add", "path": "/extra/a", "value": 1}]


@pytest.fixture(scope="session")
def baremetal_shared_options():
    return {"seed": {"nodes": [STABLE, {"name": "m"}]}, "delay": 600}


@pytest.fixture(scope="module")
def session():
    with requests.Session() as session:
        session.headers.update(LATEST)
        yield session


@pytest.fixture
def ask(baremetal_shared_server, session):
    def send(method="GET", path=PORTS, body=None):
        return session.request(method, baremetal_shared_server.url + path, json=body, timeout=9)

    return send


# A fault of requests for ports, and what three of them are answered.
ANSWERED = {
    "error": ({"status": 503}, [503] * 3),
    "once": ({"status": 500, "times": 1}, [500, 200, 200]),
    "for a time": ({"status": 503, "seconds": 60}, [503, 200, 200]),
    "delay": ({"delay": 3600}, [200] * 3),
    "not for reading": ({"locked": True, "method": "PATCH", "path": NODE}, [200] * 3),
}


@pytest.mark.parametrize("situation", ANSWERED)
def test_what_is_answered(baremetal_shared_server, ask, situation):
    action, statuses = ANSWERED[situation]
    with baremetal_shared_server.fault(**{"method": "GET", "path": PORTS, **action}) as fault:
        assert [ask().status_code for _ in range(3)] == statuses
        if "locked" in action:
            assert ask("PATCH", NODE, EXTRA).status_code == 409
        assert fault.met


CHOSEN = {
    "nth": ({"nth": 2}, [200, 503, 200, 200]),
    "every": ({"every": 2}, [200, 503, 200, 503]),
    "always": ({"probability": 1}, [503] * 4),
    "header": ({"headers": LATEST}, [503] * 4),
}


@pytest.mark.parametrize("choice", CHOSEN)
def test_which_requests_fail(baremetal_shared_server, ask, choice):
    match, statuses = CHOSEN[choice]
    baremetal_shared_server.faults.add({"path": "/v1/p*", **match}, {"status": 503})
    assert [ask().status_code for _ in statuses] == statuses


def test_the_answer_of_a_proxy(baremetal_shared_server, ask):
    page = {"status": 502, "message": "<p>Bad</p>", "content_type": "text/html"}
    headers = {"Retry-After": "30"}
    with baremetal_shared_server.fault("GET", PORTS, headers=headers, **page):
        answer = ask()
    assert (answer.status_code, answer.text) == (502, "<p>Bad</p>")
    assert (answer.headers["Content-Type"], answer.headers["Retry-After"]) == ("text/html", "30")


@pytest.mark.parametrize(("drop", "created"), [("before", 404), ("after", 200)])
def test_a_connection_is_lost(baremetal_shared_server, ask, drop, created):
    body = {"driver": "fake-hardware", "name": "new"}
    with (
        baremetal_shared_server.fault("POST", "/v1/nodes", drop=drop),
        pytest.raises(requests.ConnectionError),
    ):
        ask("POST", "/v1/nodes", body)
    assert ask("GET", "/v1/nodes/new").status_code == created


def test_a_body_is_cut(baremetal_shared_server, ask):
    with (
        baremetal_shared_server.fault("GET", PORTS, truncate=5),
        pytest.raises(requests.exceptions.ChunkedEncodingError, match="5 bytes read"),
    ):
        ask()


def test_a_step_fails(baremetal_shared_server, baremetal_client):
    match = {"node": "n", "flow": "deploy", "step": "deploy.*"}
    baremetal_shared_server.faults.add(match, {"last_error": "No space"})
    baremetal_client.node.set_provision_state("n", "active")
    while (node := baremetal_client.node.get("n")).provision_state == "deploying":
        pass
    assert node.provision_state == "deploy failed"
    assert "No space" in node.last_error


FAILED = {
    "deploying": "deploy failed",
    "wait call-back": "deploy failed",
    "cleaning": "clean failed",
    "clean wait": "clean failed",
    "inspecting": "inspect failed",
    "rescuing": "rescue failed",
    "servicing": "service failed",
    "adopting": "adopt failed",
    "deleting": "error",
    "verifying": "enroll",
}


@pytest.mark.parametrize("state", FAILED)
def test_each_flow_fails(baremetal_shared_server, baremetal_client, state):
    node = baremetal_shared_server.nodes["n"]
    node.set(provision_state=state)
    assert baremetal_client.node.get("n").provision_state == state
    node.fail("Broken.")
    shown = baremetal_client.node.get("n")
    assert (shown.provision_state, shown.last_error) == (FAILED[state], "Broken.")


SET = {
    "locked": {"reservation": "conductor-1"},
    "old": {"provision_state": "clean wait", "provision_updated_at": "-3h"},
    "on": {"power_state": "power on"},
    "protected": {"protected": True, "protected_reason": "in use"},
    "retired": {"retired": True},
    "in maintenance": {
        "maintenance": True,
        "maintenance_reason": "broken",
        "fault": "power failure",
    },
}


@pytest.mark.parametrize("state", SET)
def test_each_state(baremetal_shared_server, ask, state):
    baremetal_shared_server.nodes["n"].set(**SET[state])
    shown = ask("GET", NODE).json()
    expected = SET[state] | ({"provision_updated_at": shown["provision_updated_at"]})
    assert {name: shown[name] for name in expected} == expected


ASKED = {
    "the body": {"json": EXTRA},
    "a version": {"version": "latest"},
    "a header": {"headers": {"x-openstack-ironic-api-version": "latest"}},
    "a number": {"times": 1},
    "any node": {"path": "/v1/nodes/*"},
}


@pytest.mark.parametrize("what", ASKED)
def test_what_was_asked(baremetal_shared_server, ask, what):
    ask("PATCH", NODE, EXTRA)
    expected = {"path": NODE, **ASKED[what]}
    baremetal_shared_server.requests.assert_asked("PATCH", **expected)
    with pytest.raises(AssertionError, match=r"Expected PATCH .* never, received it 1 time"):
        baremetal_shared_server.requests.assert_not_asked(
            "PATCH", **{name: value for name, value in expected.items() if name != "times"}
        )


def test_a_part_of_a_body_and_an_order(baremetal_shared_server, ask):
    ask("PUT", f"{NODE}/states/provision", {"target": "manage", "clean_steps": None})
    ask("GET", "/v1/nodes?fields=name")
    asked = baremetal_shared_server.requests
    asked.assert_asked("PUT", "*/provision", json_contains={"target": "manage"})
    asked.assert_asked("GET", "/v1/nodes", query={"fields": "name"})
    asked.assert_order([("PUT", "*/provision"), ("GET", "/v1/nodes")])


@pytest.mark.parametrize(
    ("path", "text"), [(PORTS, "met the fault 1"), ("/v1/nods", "No service has GET /v1/nods")]
)
def test_what_a_test_got_wrong(path, text):
    def wrong():
        with FakeServer.with_options() as server:
            requests.get(server.url + path, timeout=9)
            server.faults.add({"path": PORTS}, {"status": 503})

    with pytest.raises(AssertionError, match=text):
        wrong()


@pytest.mark.parametrize("polls", ["looks once", "waits"])
def test_time_passes_for_who_waits(baremetal_shared_server, ask, polls):
    ask("PUT", f"{NODE}/states/provision", {"target": "active"})
    states = [ask("GET", NODE).json()["provision_state"] for _ in range(1 + (polls == "waits"))]
    assert states == ["deploying", "active"][: len(states)]
