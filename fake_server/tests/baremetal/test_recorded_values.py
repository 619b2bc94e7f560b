"""What becomes of each field of each kind, with values of every type, when it is set or changed.

The answers were recorded from the fake server itself, so that no change goes unnoticed. Those to
POST requests with one field changed were compared with a real Ironic 39: they differ where that
fails with 500, and in the deploy interfaces that are enabled. A deliberate change is written down
with ``--record -n 0``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.test_recorded_versions import (
    KINDS,
    NODE,
    STEP,
    UNKNOWN,
    numbered,
)

RECORD = Path(__file__).with_name("values.json.gz")
VALUES = (
    *(None, "", "text", "Text with spaces", "CUSTOM_TEXT", "x" * 256, "on", "fake", "noop"),
    *(-1, 0, 1, 1.5, 2**31 - 1, True, False, [], ["a"], [{}], {}, {"a": 1}, {"a": None}),
    *(NODE, UNKNOWN, "52-54-00-AA-BB-CC", "2026-11-22T10:00:00", "active", "n"),
)
# One of each type, for changes that hardly differ from others.
FEW = (None, "text", 1, True, ["a"], {"a": 1})
ACTION = {"op": "fail", "args": {"msg": "m"}}
CONDITION = {"op": "eq", "args": {"values": [1, 1]}}
# Lists, of whose items each part has each of the values.
PARTS = {
    "deploy_templates": {"steps": {**STEP, "priority": 1, "order": 1}},
    "runbooks": {"steps": {**STEP, "priority": 1, "order": 1}},
    "inspection_rules": {
        "actions": {**ACTION, "loop": ["a"]},
        "conditions": {**CONDITION, "loop": ["a"], "multiple": "any"},
    },
}


class Lab:
    """One of each kind, on a server of its own."""

    def __init__(self) -> None:
        self.api = Api()
        self.paths = {}
        self.fields = {}
        for kind in KINDS:
            more = {"uuid": NODE, "name": "n"} if kind == "nodes" else {}
            status, created = self.api("POST", f"/v1/{kind}", {**numbered(KINDS[kind], 1), **more})
            assert status == 201, created
            self.paths[kind] = f"/v1/{kind}/{created['uuid']}"
            self.fields[kind] = sorted({*created, "colour"} - {"links"})
        self.api.app.control.snapshots.take("filled")

    def ask(self, method, path, wanted):
        """Send a request, and undo what it does; return the status and the answer."""
        status, answer = self.api(method, path, wanted)
        if status < 300 and method != "GET":
            self.api.app.control.snapshots.restore("filled")
        return status, answer

    def said(self, method, path, wanted, name):
        """Return the status and what a field is after a request, or why it isn't taken."""
        status, answer = self.ask(method, path, wanted)
        said = answer.get(name, "<nothing>") if status < 300 else answer
        return f"{status} {recorded.masked(json.dumps(said))}"


@pytest.fixture(scope="module")
def lab():
    return Lab()


def patches(name, value):
    yield "add", [{"op": "add", "path": f"/{name}", "value": value}]
    if value in FEW:
        yield "replace", [{"op": "replace", "path": f"/{name}", "value": value}]
        yield "deeper", [{"op": "add", "path": f"/{name}/a", "value": value}]


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_fields_take_what_is_recorded(lab, request, kind, part):
    found = {}

    def note(asked, method, path, wanted, name, value):
        said = found.setdefault(asked, {}).setdefault(lab.said(method, path, wanted, name), [])
        said.append(repr(value)[:40])

    for name in lab.fields[kind][part::4]:
        for value in VALUES:
            wanted = {**numbered(KINDS[kind], 2), name: value}
            note(f"POST {name}", "POST", f"/v1/{kind}", wanted, name, value)
            if kind != "allocations" or name in ("name", "extra"):
                for word, patch in patches(name, value):
                    note(f"{word} {name}", "PATCH", lab.paths[kind], patch, name, value)
        removal = [{"op": "remove", "path": f"/{name}"}]
        note(f"remove {name}", "PATCH", lab.paths[kind], removal, name, None)
    recorded.check(request, RECORD, f"{kind} {part}", found)


@pytest.mark.parametrize(
    ("kind", "name", "part"),
    [(kind, name, part) for kind, lists in PARTS.items() for name in lists for part in lists[name]],
)
def test_items_take_what_is_recorded(lab, request, kind, name, part):
    found = {}
    for value in VALUES:
        items = [{**PARTS[kind][name], part: value}]
        patch = [{"op": "replace", "path": f"/{name}", "value": items}]
        for method, path, wanted in (
            ("POST", f"/v1/{kind}", {**numbered(KINDS[kind], 2), name: items}),
            ("PATCH", lab.paths[kind], patch),
        ):
            said = found.setdefault(method, {}).setdefault(lab.said(method, path, wanted, name), [])
            said.append(repr(value)[:40])
    recorded.check(request, RECORD, f"{kind} {name} {part}", found)
