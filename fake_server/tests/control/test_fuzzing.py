"""Whatever the controls are asked, nothing fails, and the server goes on answering.

``FAKE_SERVER_EXAMPLES`` says how many requests are tried (default: 100).
"""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fake_server.app import Application
from fake_server.baremetal.models import machines
from fake_server.cli import remote_sweeps
from fake_server.clock import Clock
from fake_server.control import delays
from fake_server.control.handlers import OPERATIONS
from fake_server.seeds import schema
from fake_server.server import FakeServer
from fake_server.sweep.judge import VERDICTS
from fake_server.sweep.kinds import KINDS
from fake_server.tests.control import described
from fake_server.tests.wsgi import request

NAMES = [
    *("mode", "factor", "now", "seconds", "match", "do", "times", "default", "transitions"),
    *("nodes", "chassis", "count", "start", "traits", "ports", "portgroups", "portgroup"),
    *("method", "path", "node", "headers", "nth", "every", "probability", "seed", "flow", "step"),
    *("status", "message", "delay", "drop", "locked", "truncate", "content_type", "last_error"),
    *schema.NODES.fields,
    *schema.PORTS.fields,
    *machines.NEW,
]
WORDS = ["manual", "scaled", "real", "before", "n", "*", "[", "deploy", "a\r\nb", "é", "{index}"]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from([*NAMES, *delays.DELAYS]), inner, max_size=4)
    ),
    max_leaves=12,
)
bodies = values | st.dictionaries(st.sampled_from(NAMES), values, max_size=4)
queries = st.dictionaries(
    st.sampled_from(["method", "path", "status", "node", "version", "limit", "format", "text"]),
    st.text(max_size=5) | st.sampled_from(["GET", "*", "4xx", "har", "9" * 30]),
    max_size=2,
)


@pytest.fixture(scope="module")
def app():
    app = Application(seed={"nodes": [{"name": "n"}]})
    yield app
    app.close()


EXAMPLES = int(os.environ.get("FAKE_SERVER_EXAMPLES", settings.default.max_examples))


def ask(app, method, path, body=b"", query=""):
    asked = request(method, path, body, QUERY_STRING=query, HTTP_HOST="localhost")
    return app.answer(asked)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"]),
    address=st.sampled_from(sorted({one.address for one in OPERATIONS})),
    ident=st.sampled_from(["1", "2", "99", "-1", "x", "9" * 40, "é", "%00"]),
    body=bodies,
    query=queries,
)
def test_nothing_fails(app, method, address, ident, body, query):
    from urllib.parse import urlencode

    path = address.replace("{ident}", ident)
    response = ask(app, method, path, json.dumps(body).encode(), urlencode(query))
    assert response.status < 500
    if response.status >= 400:
        assert json.loads(response.body)["error"]
    if response.status != 405:
        described.check(method, address, response)
    app.control.faults.remove()
    assert ask(app, "GET", "/v1/nodes").status == 200
    for entry in ("/_fake/clock", "/_fake/delays", "/_fake/overview", "/_fake/seed"):
        assert ask(app, "GET", entry).status == 200


SWEEP_WORDS = [*KINDS, *VERDICTS, "GET /v1/*", "POST *", "*", "x", ""]
new_sweeps = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(max_size=5),
        "kinds": st.lists(st.sampled_from([*KINDS, "x"]), max_size=3) | values,
        "routes": st.lists(st.sampled_from(SWEEP_WORDS), max_size=3) | values,
        "limit": st.integers(-2, 3) | values,
        "timeout": st.floats() | values,
        "seed": st.integers() | values,
        "allow": st.lists(st.sampled_from(SWEEP_WORDS), max_size=3) | values,
    },
)
ended_runs = st.fixed_dictionaries(
    {"exit": st.integers(-2, 2) | st.none() | values}, optional={"output": st.text() | values}
)
steps = st.one_of(
    st.tuples(st.just("POST"), st.just("/_fake/sweeps"), new_sweeps),
    st.tuples(st.just("POST"), st.just("/_fake/sweeps/runs"), ended_runs),
    st.tuples(st.just("POST"), st.just("/_fake/sweeps/runs"), st.just({"exit": 0})),
    st.tuples(st.just("DELETE"), st.just("/_fake/sweeps"), st.none()),
    st.tuples(st.sampled_from(["GET", "POST"]), st.just("/v1/nodes"), st.just({"driver": "x"})),
    st.tuples(st.just("POST"), st.just("/_fake/reset"), st.none()),
    st.tuples(st.just("POST"), st.just("/_fake/snapshots"), st.none()),
)


@pytest.fixture(scope="module")
def sweeping():
    """An application that sweeps, too."""
    with FakeServer(seed={"nodes": [{"name": "n"}]}, clock=Clock("auto")) as server:
        server.app.control.add(remote_sweeps.operations(server))
        yield server.app


@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(st.lists(steps, min_size=2, max_size=8))
def test_nothing_fails_in_a_sweep(sweeping, asked):
    for method, path, body in asked:
        response = ask(sweeping, method, path, b"" if body is None else json.dumps(body).encode())
        assert response.status < 500, response.body
        assert response.status < 300 or json.loads(response.body)
    assert ask(sweeping, "DELETE", "/_fake/sweeps").status == 204
    assert ask(sweeping, "GET", "/v1/nodes").status == 200
