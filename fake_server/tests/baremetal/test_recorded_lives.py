"""What a node is like at each moment of its life: all that changes, and its history.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

RECORD = Path(__file__).with_name("lives.json")
STEP = {"interface": "deploy", "step": "erase_devices"}
ORDERED = [{**STEP, "priority": 10}]
TO_DEPLOY = ("manage", "provide", "active")
IMAGE = {"image_source": "http://images/i.raw", "image_checksum": "c", "root_gb": 1}
FAILURES = {
    flow: {"match": {"flow": flow}, "do": {"last_error": "It broke."}, "times": 1}
    for flow in ("deploy", "clean", "inspect", "rescue", "service", "verify", "adopt", "undeploy")
}
# Words are verbs, or with a colon what else happens; pairs are verbs with arguments.
LIVES = {
    "deployed and torn down": (*TO_DEPLOY, "rebuild", "deleted", "manage"),
    "rescued": (*TO_DEPLOY, ("rescue", {"rescue_password": "p"}), "unrescue"),
    "rescue given up": (*TO_DEPLOY, ("rescue", {"rescue_password": "p"}), "abort", "deleted"),
    "serviced": (*TO_DEPLOY, ("service", {"service_steps": [STEP]}), "abort", "rebuild"),
    "inspected": ("manage", "inspect", "provide"),
    "inspection aborted": ("manage", ":soon inspect", "abort", "manage"),
    "cleaned": ("manage", ("clean", {"clean_steps": [STEP]}), "provide"),
    "cleaning aborted": ("manage", ":soon clean", "abort", ":unmaintain", "manage"),
    "deployment aborted": ("manage", "provide", ":soon active", "abort", "active", "deleted"),
    "adopted": ("manage", "adopt", "deleted"),
    "with steps": ("manage", "provide", ("active", {"deploy_steps": ORDERED}), ":power off"),
    "powered": (":power on", "manage", ":power on", ":power rebooting", ":power off"),
    "in maintenance": (":maintain", "manage", ":power on", ":unmaintain", "provide"),
    "failing deployment": ("manage", "provide", ":fail deploy", "active", "active", "deleted"),
    "failing cleaning": ("manage", ":fail clean", "provide", ":unmaintain", "manage", "provide"),
    "failing inspection": ("manage", ":fail inspect", "inspect", "inspect", "manage"),
    "failing rescue": (
        *TO_DEPLOY,
        ":fail rescue",
        ("rescue", {"rescue_password": "p"}),
        "unrescue",
    ),
    "failing service": (*TO_DEPLOY, ":fail service", ("service", {"service_steps": [STEP]})),
    "failing verification": (":fail verify", "manage", "manage"),
    "failing adoption": ("manage", ":fail adopt", "adopt", "adopt"),
    "failing undeployment": (*TO_DEPLOY, ":fail undeploy", "deleted", "deleted"),
}
NOW = {
    ":soon inspect": ("inspect", {}),
    ":soon clean": ("clean", {"clean_steps": [STEP]}),
    ":soon active": ("active", {}),
}


class Life:
    """A node of a server with a clock of its own."""

    def __init__(self, deploy_interface):
        interfaces = {**ENABLED_INTERFACES, "deploy": ("fake", "direct")}
        cleaned = deploy_interface == "fake"
        self._api = Api(delay=10, automated_clean=cleaned, interfaces=interfaces)
        self._uuid = self._api.enrol(deploy_interface=deploy_interface, instance_info=IMAGE)
        self._seen = {}
        self._noted = 0

    def moments(self, events):
        """Yield each event with what it changed, then and a while later."""
        for number, event in enumerate(events):
            yield f"{number} {event}", self._happen(event)
            if str(event).startswith(":soon"):
                self._api.clock.advance(5)
                continue
            for seconds in (5, 6, 10, 20, 40, 600):
                self._api.clock.advance(seconds)
                changes = self._changes()
                if changes:
                    yield f"{number} {event} +{seconds}", changes

    def _happen(self, event):
        word, _, argument = str(event).partition(" ")
        path = f"/v1/nodes/{self._uuid}"
        if word == ":power":
            target = argument if argument == "rebooting" else f"power {argument}"
            answer = self._api("PUT", f"{path}/states/power", {"target": target})
        elif word == ":fail":
            answer = self._api("POST", "/_fake/faults", FAILURES[argument])[:1]
        elif word in (":maintain", ":unmaintain"):
            method = "PUT" if word == ":maintain" else "DELETE"
            answer = self._api(method, f"{path}/maintenance")
        else:
            verb, arguments = event if isinstance(event, tuple) else NOW.get(event, (event, {}))
            body = {"target": verb, **arguments}
            answer = self._api("PUT", f"{path}/states/provision", body)
        return [str(part).replace(self._uuid, "<node>") for part in answer] + [self._changes()]

    def _changes(self):
        node = self._api("GET", f"/v1/nodes/{self._uuid}")[1]
        history = self._api("GET", f"/v1/nodes/{self._uuid}/history?detail=true")[1]["history"]
        text = json.dumps(node, sort_keys=True).replace(self._uuid, "<node>")
        fields = json.loads(re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", "<time>", text))
        # Some of what drivers keep is random.
        fields["driver_internal_info"] = sorted(fields["driver_internal_info"])
        changes = {name: value for name, value in fields.items() if self._seen.get(name) != value}
        self._seen = fields
        parts = ("created_at", "event_type", "severity", "event")
        entries = sorted(
            [one[name].replace(self._uuid, "<node>") for name in parts] for one in history
        )
        told = [entry[1:] for entry in entries[self._noted :]]
        self._noted = len(history)
        return {**changes, **({"history": told} if told else {})}


@pytest.mark.parametrize("deploy_interface", ["fake", "direct"])
@pytest.mark.parametrize("name", LIVES)
def test_lives_are_as_recorded(request, name, deploy_interface):
    found = json.loads(json.dumps(dict(Life(deploy_interface).moments(LIVES[name]))))
    known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    key = f"{name}, {deploy_interface}"
    if request.config.getoption("--record"):
        known[key] = found
        RECORD.write_text(_text(known))
    assert found == known[key]


def _text(known):
    parts = []
    for name in sorted(known):
        lines = (f"  {json.dumps(at)}: {json.dumps(what)}" for at, what in known[name].items())
        parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"
