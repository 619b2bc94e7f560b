"""What the controls answer to each field with each kind of value, and what it changes.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

from fake_server.baremetal.models import machines
from fake_server.control import delays
from fake_server.seeds import schema
from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api

RECORD = Path(__file__).with_name("controls.json.gz")
VALUES = (None, "x", -1, 7, 2.5, True, ["x"], {"x": 1}, {"x": "y"}, "é" * 300)
NODE, MACHINE = "n", "m"
ERROR, BREAKING = {"do": {"status": 503}}, {"do": {"last_error": "Broken."}}
# Method, path, a body that is fine, the object in it that the fields are in, and these.
BODIES = {
    "clock": ("PUT", "clock", {"mode": "manual", "now": 1_800_000_000}, None, "mode now factor"),
    "advance": ("POST", "clock/advance", {"seconds": 5}, None, "seconds bogus"),
    "delays": ("PUT", "delays", {"default": 5}, None, "default transitions names"),
    "transitions": ("PUT", "delays", {}, "transitions", f"bogus {' '.join(delays.NAMES)}"),
    "faults": ("POST", "faults", ERROR, None, "match do times seconds bogus"),
    "matches": (
        *("POST", "faults", ERROR, "match"),
        "method path node headers nth every probability seed flow bogus",
    ),
    "steps": ("POST", "faults", BREAKING, "match", "flow step node nth path"),
    "doings": (
        *("POST", "faults", {}, "do"),
        "status message headers delay drop locked truncate content_type last_error bogus",
    ),
    "conductors": ("PATCH", "conductors/fake-conductor", {}, None, "alive bogus"),
    "machines": ("PATCH", f"machines/{MACHINE}", {}, None, f"bogus {' '.join(machines.NEW)}"),
    "no machine": ("PATCH", f"machines/{NODE}", {}, None, "power_state"),
    "snapshots": ("POST", "snapshots", {}, None, "id bogus"),
}
STEP = {"interface": "deploy", "step": "s", "args": {}}
SEEDS = {
    "nodes": {"name": "new"},
    "ports": {"address": "52:54:00:00:00:01"},
    "portgroups": {"name": "g"},
    "volume_connectors": {"type": "ip", "connector_id": "c"},
    "volume_targets": {"volume_type": "t", "volume_id": "v", "boot_index": 0},
    "history": {"event": "e"},
    "bios": {"name": "b"},
    "firmware": {"component": "bios"},
    "chassis": {"description": "new"},
    "deploy_templates": {"name": "CUSTOM_A", "steps": [{**STEP, "priority": 1}]},
    "runbooks": {"name": "CUSTOM_A", "steps": [{**STEP, "order": 1}]},
    "inspection_rules": {"actions": [{"op": "fail", "args": {"msg": "m"}}]},
    "allocations": {"name": "new"},
}
KINDS = {kind.key: kind for kind in (*schema.LISTS, *schema.OF_NODES)}
SHOWN = ("clock", "delays", "faults", "conductors", f"machines/{MACHINE}", "snapshots")
_OWN = re.compile(f"{recorded.UUID}|{recorded.TIME}" r"|([0-9a-f]{2}:){5}[0-9a-f]{2}")


@pytest.fixture
def api():
    info = {"redfish_address": "bmc"}
    found = Api(hardware_types=("fake-hardware", "redfish"), interfaces={})
    seed = {"nodes": [{"name": NODE}, {"name": MACHINE, "driver": "redfish", "driver_info": info}]}
    assert found("POST", "/_fake/seed", seed)[0] < 300
    found.keep()
    return found


def tried(api, method, path, body, shown):
    """Return an answer, and what is there if it changed something."""
    status, answer = api(method, f"/_fake/{path}", body)
    changed = []
    if status < 300:
        changed = [api("GET", f"/_fake/{one}")[1] for one in shown]
        api("DELETE", "/_fake/faults")
        api("DELETE", "/_fake/delays")
        api.go_back()
    return json.loads(_OWN.sub("-", json.dumps([status, answer, changed])))


@pytest.mark.parametrize("control", BODIES)
def test_controls_take_what_is_recorded(api, request, control):
    method, path, base, inside, names = BODIES[control]
    found = {"as it is": tried(api, method, path, base, SHOWN)}
    for name, value in product(names.split(), VALUES):
        fields = {name: value}
        body = {**base, **({inside: fields} if inside else fields)}
        found[f"{name} {value}"] = tried(api, method, path, body, SHOWN)
    recorded.check(request, RECORD, control, found)


def lengths(kind, name):
    """Yield the longest text that a column holds, and a longer one."""
    limit = getattr(kind.table.c[name].type, "length", None) if name in kind.table.c else None
    if limit:
        yield from ("x" * limit, "x" * (limit + 1))


@pytest.mark.parametrize("key", KINDS)
def test_seeds_take_what_is_recorded(api, request, key):
    kind = KINDS[key]
    found = {}
    for name in (None, *kind.fields, *kind.links, "traits", "bogus"):
        for value in (*VALUES, *lengths(kind, name)) if name else (None,):
            entry = {**SEEDS[key], name: value} if name else SEEDS[key]
            seed = (
                {"nodes": [{"name": "new", key: [entry]}]}
                if kind in schema.OF_NODES
                else {key: [entry]}
            )
            found[f"{name} {value}"] = tried(api, "POST", "seed", seed, ("seed",))
    recorded.check(request, RECORD, f"seeds of {key}", found)
