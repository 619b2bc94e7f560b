"""What becomes of each argument of each request: in paths, queries and the bodies of actions.

The answers were recorded from the fake server itself, so that no change goes unnoticed; that they
are right is for other tests. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.test_recorded_values import Lab
from fake_server.tests.baremetal.test_recorded_versions import NODE, UNKNOWN

RECORD = Path(__file__).with_name("arguments.json.gz")
ROUTES = json.loads(
    Path(__file__).parents[3].joinpath("doc/source/reference/routes.json").read_text()
)
VIF = "22222222-2222-3333-4444-555555555555"
STEPS = [{"interface": "deploy", "step": "erase_devices"}]
VALUES = (None, "", "text", "on", "2", 0, 1, 1.5, True, [], ["a"], {}, {"a": 1}, NODE)
IDENTS = (
    *("n", "N", "x", "a b", "n.json", "x" * 300, "CUSTOM_A", "1", "-", "52:54:00:00:00:01"),
    *(NODE, NODE.replace("-", ""), UNKNOWN, "localhost", "fake-hardware", "%"),
)
FIELDS = (
    *("created_at", "updated_at", "component", "initial_version", "current_version", "vendor"),
    *("last_version_flashed", "model", "serial_number", "value", "attribute_type", "severity"),
    *("event", "event_type", "conductor", "user", "name", "uuid", "reset_required", "links"),
)
QUERIES = (
    *(f"fields={name}" for name in FIELDS),
    *("fields=x", "fields=", "detail=true", "detail=x", "bogus=1"),
    *("limit=1", "limit=x", "sort_key=x", "addresses=52:54:00:00:00:01", f"node_uuid={NODE}"),
    *("node_uuid=n", "node=n", "type=classic", "method=x", "device_types=cdrom", "reason=r"),
)
BEAT = {"callback_url": "http://agent:9999", "agent_version": "11.5", "agent_token": "t"}
PROVISION = ("configdrive", "clean_steps", "deploy_steps", "rescue_password", "disable_ramdisk")
PROVISION += ("service_steps", "runbook")
STATES = "PUT /v1/nodes/n/states"
# For each action a body that is taken, and other arguments.
ACTIONS = {
    f"{STATES}/power": ({"target": "power on"}, ("timeout",)),
    f"{STATES}/provision": ({"target": "clean", "clean_steps": STEPS}, PROVISION),
    f"{STATES}/provision?": ({"target": "provide"}, PROVISION),
    f"{STATES}/console": ({"enabled": True}, ()),
    f"{STATES}/boot_mode": ({"target": "uefi"}, ()),
    f"{STATES}/secure_boot": ({"target": True}, ()),
    f"{STATES}/raid": ({"logical_disks": [{"size_gb": 1, "raid_level": "1"}]}, ()),
    "PUT /v1/nodes/n/maintenance": ({"reason": "r"}, ()),
    "PUT /v1/nodes/n/management/boot_device": ({"boot_device": "pxe"}, ("persistent",)),
    "PUT /v1/nodes/n/management/indicators/led@system": ({"state": "ON"}, ()),
    "PUT /v1/nodes/n/management/inject_nmi": ({}, ()),
    "PUT /v1/nodes/n/traits": ({"traits": ["CUSTOM_B"]}, ()),
    "POST /v1/nodes/n/vifs": ({"id": VIF}, ("port_uuid", "portgroup_uuid")),
    "POST /v1/nodes/n/vmedia": (
        {"device_type": "cdrom", "image_url": "http://i/i.iso"},
        ("image_download_source",),
    ),
    "POST /v1/nodes/n/vendor_passthru/first_method": ({"bar": "b"}, ()),
    "POST /v1/heartbeat/n": (BEAT, ("agent_verify_ca", "agent_status", "agent_status_message")),
    "POST /v1/continue_inspection": ({"inventory": {}}, ("plugin_data",)),
    "POST /v1/events": ({"events": [{"event": "network.bind_port"}]}, ()),
    "PUT /v1/runbooks/RUNBOOK/traits": ({"traits": ["CUSTOM_B"]}, ()),
}


class Managed(Lab):
    """The same, with a node that may be cleaned."""

    def __init__(self):
        super().__init__()
        self.api.provision("manage")
        self.api("PUT", "/v1/nodes/n/traits", {"traits": ["CUSTOM_A"]})
        self.api("POST", "/v1/nodes/n/vifs", {"id": UNKNOWN})
        self.api.app.control.snapshots.take("filled")

    def filled(self, path):
        """Return the parts of a path of the table, with something that is there in each place."""
        parts = path.split("/")
        kind = "/".join(parts[2 : 4 if "volume" in parts else 3])
        first = {"drivers": "fake-hardware", "conductors": "localhost", "nodes": "n"}
        if "{}" in parts:
            ident = first.get(kind) or self.paths.get(kind, "n").rpartition("/")[2]
            parts[parts.index("{}")] = ident
        if "{}" in parts:
            second = {"vifs": UNKNOWN, "traits": "CUSTOM_A", "indicators": "led@system"}
            place = parts.index("{}")
            parts[place] = second.get(parts[place - 1], "x")
        return parts

    def outcome(self, method, path, wanted=None):
        """Return the status, and what an error says or of what the answer is made."""
        status, answer = self.ask(method, path, wanted)
        said = sorted(answer) if isinstance(answer, dict) else answer
        return f"{status} {recorded.masked(json.dumps(said))}"


@pytest.fixture(scope="module")
def lab():
    return Managed()


@pytest.mark.parametrize("route", ROUTES)
def test_paths_and_queries_are_understood_as_recorded(lab, request, route):
    method, _, path = route.partition(" ")
    parts = lab.filled(path)
    found = {}

    def note(asked, said):
        found.setdefault(said, []).append(asked[:40])

    for place, part in enumerate(path.split("/")):
        for ident in IDENTS if part == "{}" else ():
            asked = [*parts[:place], quote(ident, safe=":"), *parts[place + 1 :]]
            body = {} if method in ("POST", "PUT") else None
            note(f"{place} {ident}", lab.outcome(method, "/".join(asked), body))
    for query in QUERIES if method in ("GET", "DELETE") else ():
        note(query, lab.outcome(method, f"{'/'.join(parts)}?{query}"))
    recorded.check(request, RECORD, f"path {route}", found)


@pytest.mark.parametrize("action", ACTIONS)
def test_actions_take_arguments_as_recorded(lab, request, action):
    method, _, path = action.rstrip("?").partition(" ")
    path = path.replace("RUNBOOK", lab.paths["runbooks"].rpartition("/")[2])
    body, others = ACTIONS[action]
    found = {"as it is": lab.outcome(method, path, body)}
    for name in (*body, *others, "bogus"):
        outcomes = found[name] = {}
        for value in VALUES:
            said = lab.outcome(method, path, {**body, name: value})
            outcomes.setdefault(said, []).append(repr(value))
        left = {key: item for key, item in body.items() if key != name}
        outcomes.setdefault(lab.outcome(method, path, left), []).append("<nothing>")
    recorded.check(request, RECORD, f"body {action}", found)
