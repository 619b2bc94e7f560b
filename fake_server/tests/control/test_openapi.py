"""The OpenAPI description of the controls: valid, true of the answers, and good for clients."""

from __future__ import annotations

import json
import subprocess
import venv

import pytest
import requests

from fake_server.app import Application
from fake_server.control.handlers import OPERATIONS
from fake_server.seeds import schema, services
from fake_server.server import FakeServer
from fake_server.tests.control import described
from fake_server.tests.wsgi import request

EXPECTED = {"method": "GET", "path": "/bogus"}
# What is sent to each operation, and which path, where that isn't its address; in this order.
SENT = {
    "GET /_fake/page/{name}": ("/_fake/page/page.css", None),
    "PUT /_fake/clock": (None, {"mode": "manual"}),
    "POST /_fake/clock/advance": (None, {"seconds": 5}),
    "PUT /_fake/delays": (None, {"default": 5, "nodes": {"n": {"deploying": 9}}}),
    "POST /_fake/faults": (None, {"match": {"node": "n"}, "do": {"status": 503}}),
    "DELETE /_fake/faults/{ident}": ("/_fake/faults/1", None),
    "GET /_fake/nodes/{ident}": ("/_fake/nodes/m", None),
    "PATCH /_fake/nodes/{ident}": ("/_fake/nodes/m", {"last_error": "Broken."}),
    "GET /_fake/conductors/{ident}": ("/_fake/conductors/localhost", None),
    "PATCH /_fake/conductors/{ident}": ("/_fake/conductors/localhost", {"alive": True}),
    "GET /_fake/machines/{ident}": ("/_fake/machines/m", None),
    "PATCH /_fake/machines/{ident}": ("/_fake/machines/m", {"reachable": False}),
    "POST /_fake/requests/verify": (None, EXPECTED),
    "POST /_fake/seed": (None, {"nodes": [{"name": "another"}]}),
    "POST /_fake/snapshots": (None, {"id": "lab"}),
    "POST /_fake/snapshots/{ident}/restore": ("/_fake/snapshots/lab/restore", None),
    "DELETE /_fake/snapshots/{ident}": ("/_fake/snapshots/lab", None),
}


@pytest.fixture
def app():
    info = {"redfish_address": "bmc"}
    nodes = [{"name": "n"}, {"name": "m", "driver": "redfish", "driver_info": info}]
    app = Application(seed={"nodes": nodes})
    yield app
    app.close()


def ask(app, method, path, body=None):
    return app.answer(
        request(
            *(method, path, body),
            **{"HTTP_HOST": "localhost", "CONTENT_TYPE": "application/json"},
            **{"HTTP_X_OPENSTACK_IRONIC_API_VERSION": "latest"},
        )
    )


def rank(operation):
    """Let what removes something come last, and one thing before all of its kind."""
    removes = operation.method == "DELETE" or operation.address == "/_fake/reset"
    return (1, -len(operation.address)) if removes else (0, 0)


def test_each_operation_answers_as_described(app):
    assert ask(app, "PUT", "/v1/nodes/m/states/provision", {"target": "manage"}).status == 202
    assert ask(app, "GET", "/bogus").status == 404
    for operation in sorted(OPERATIONS, key=rank):
        path, body = SENT.get(f"{operation.method} {operation.address}", (None, None))
        response = ask(app, operation.method, path or operation.address, body)
        assert response.status == operation.status, (operation, response.body)
        described.check(operation.method, operation.address, response)


def test_other_answers_are_as_described(app):
    for method, path, address, body, status in (
        ("POST", "/_fake/requests/verify", None, {"order": [["GET", "/v1/ports"]]}, 409),
        ("POST", "/_fake/requests/verify", None, EXPECTED, 200),
        ("GET", "/_fake/requests?format=har", "/_fake/requests", None, 200),
        ("POST", "/_fake/faults", None, {"do": {"last_error": "No."}, "seconds": 5}, 201),
        ("GET", "/_fake/faults", None, None, 200),
        ("GET", "/_fake/nodes/none", "/_fake/nodes/{ident}", None, 404),
    ):
        ask(app, "GET", "/bogus")
        response = ask(app, method, path, body)
        assert response.status == status, response.body
        described.check(method, address or path, response)


def test_seeds_are_described_as_they_are_checked(app):
    found = described.DOCUMENT["components"]["schemas"]["Seed"]["properties"]
    assert set(found) == {kind.key for kind in (*schema.LISTS, *services.LISTS)}
    assert set(json.loads(ask(app, "GET", "/_fake/seed").body)) <= set(found)


PROGRAM = """
import sys
from fake_controls import Client
from fake_controls.api.clock import advance, set_clock
from fake_controls.api.faults import add_fault, list_faults
from fake_controls.api.hardware import change_node
from fake_controls.api.requests import verify_requests
from fake_controls.api.state import load_seed, reset, take_snapshot
from fake_controls.models import (
    Action, Advance, ClockChange, ClockChangeMode, Expectation, Match, Matched, Mismatch,
    NewFault, NewSnapshot, NodeChange, Seed,
)
client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)
assert load_seed.sync(client=client, body=Seed.from_dict({"nodes": [{"name": "n"}]}))["nodes"] == 1
set_clock.sync(client=client, body=ClockChange(mode=ClockChangeMode.MANUAL, now=1_800_000_000))
assert advance.sync(client=client, body=Advance(seconds=60)).now == 1_800_000_060
new = NewFault(match=Match(path="/v1/ports"), do=Action(status=503), times=1)
assert add_fault.sync(client=client, body=new).done == 0
assert list_faults.sync(client=client).faults[0].do.status == 503
changed = change_node.sync("n", client=client, body=NodeChange(last_error="Broken."))
assert changed.node["last_error"] == "Broken."
expected = Expectation(method="GET", path="/v1/nodes", times=1)
assert isinstance(verify_requests.sync(client=client, body=expected), Matched)
assert isinstance(verify_requests.sync(client=client, body=Expectation("PUT", "/v1")), Mismatch)
assert take_snapshot.sync(client=client, body=NewSnapshot(id="lab")).id == "lab"
assert reset.sync_detailed(client=client).status_code == 204
"""


@pytest.mark.night("makes an environment with a generator of clients")
def test_a_client_is_made_from_a_valid_description(tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv" / "bin" / "python")

    def run(*command):
        done = subprocess.run(
            [python, *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("-m", "pip", "install", "-q", "openapi-spec-validator", "openapi-python-client")
    with FakeServer() as server:
        description = tmp_path / "openapi.json"
        description.write_text(requests.get(f"{server.url}/_fake/openapi.json", timeout=9).text)
        run("-m", "openapi_spec_validator", str(description))
        made = run(
            *("-m", "openapi_python_client", "generate", "--path", str(description)),
            *("--meta", "none", "--output-path", str(tmp_path / "fake_controls")),
        )
        assert "Unsupported" not in made
        requests.get(f"{server.url}/v1/nodes", timeout=9).raise_for_status()
        run("-c", PROGRAM, server.url)
