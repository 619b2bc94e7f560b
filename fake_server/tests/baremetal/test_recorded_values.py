"""What becomes of each field of each kind, with values of every type, when it is set or changed.

The answers were recorded from the fake server itself, so that no change goes unnoticed. What is
said to POST is what a real Ironic 39 answered to the same requests, except where that fails with
500. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api

NODE = "11111111-2222-3333-4444-555555555555"
UNKNOWN = "00000000-0000-4000-8000-00000000dead"
RECORD = Path(__file__).with_name("values.json.gz")
VALUES = (
    *(None, "", "text", "Text with spaces", "CUSTOM_TEXT", "x" * 256, "on", "fake", "noop"),
    *(-1, 0, 1, 1.5, 2**31 - 1, True, False, [], ["a"], [{}], {}, {"a": 1}, {"a": None}),
    *(NODE, UNKNOWN, "52-54-00-AA-BB-CC", "2026-11-22T10:00:00", "active", "n"),
)
STEP = {"interface": "deploy", "step": "s", "args": {}}
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
KINDS = (
    *("nodes", "ports", "portgroups", "chassis", "allocations", "deploy_templates", "runbooks"),
    *("inspection_rules", "volume/connectors", "volume/targets"),
)


def body(kind, number):
    """Return what creates one, with values that no other number has."""
    return {
        "nodes": {"driver": "fake-hardware"},
        "ports": {"node_uuid": NODE, "address": f"52:54:00:00:00:0{number}"},
        "portgroups": {"node_uuid": NODE},
        "chassis": {},
        "allocations": {"resource_class": "r"},
        "deploy_templates": {"name": f"CUSTOM_{number}", "steps": [{**STEP, "priority": 1}]},
        "runbooks": {"name": f"CUSTOM_{number}", "steps": [{**STEP, "order": 1}]},
        "inspection_rules": {"actions": [ACTION], "conditions": []},
        "volume/connectors": {"node_uuid": NODE, "type": "ip", "connector_id": f"c{number}"},
        "volume/targets": {
            **{"node_uuid": NODE, "volume_type": "iscsi"},
            **{"volume_id": f"v{number}", "boot_index": number},
        },
    }[kind]


class Lab:
    """One of each kind, on a server of its own."""

    def __init__(self) -> None:
        self.api = Api()
        self.paths = {}
        self.fields = {}
        for kind in KINDS:
            more = {"uuid": NODE, "name": "n"} if kind == "nodes" else {}
            status, created = self.api("POST", f"/v1/{kind}", {**body(kind, 1), **more})
            assert status == 201, created
            self.paths[kind] = f"/v1/{kind}/{created['uuid']}"
            self.fields[kind] = sorted({*created, "colour"} - {"links"})
        self.api.app.control.snapshots.take("filled")

    def said(self, method, path, wanted, name):
        """Send a request, and undo it; return the status and what the field is then, or why not."""
        status, answer = self.api(method, path, wanted)
        if status < 300:
            self.api.app.control.snapshots.restore("filled")
            answer = answer.get(name, "<nothing>")
        return f"{status} {recorded.masked(json.dumps(answer))}"


@pytest.fixture(scope="module")
def lab():
    return Lab()


def patches(name, value):
    yield "add", [{"op": "add", "path": f"/{name}", "value": value}]
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
            wanted = {**body(kind, 2), name: value}
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
            ("POST", f"/v1/{kind}", {**body(kind, 2), name: items}),
            ("PATCH", lab.paths[kind], patch),
        ):
            said = found.setdefault(method, {}).setdefault(lab.said(method, path, wanted, name), [])
            said.append(repr(value)[:40])
    recorded.check(request, RECORD, f"{kind} {name} {part}", found)
