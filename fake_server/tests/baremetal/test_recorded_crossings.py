"""What becomes of a node in each state when something happens to it, then and hours later.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from fake_server.baremetal.conductor_hosts import parse
from fake_server.baremetal.tables import nodes
from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.test_agent import IMAGES, INTERFACES, MAC

RECORD = Path(__file__).with_name("crossings.json.gz")
NODE = "11111111-2222-4333-8444-555555555555"
WITH_AGENT = {
    "boot_interface": "ipxe",
    "deploy_interface": "direct",
    "inspect_interface": "agent",
    "rescue_interface": "agent",
}
STEPS = [{"interface": "deploy", "step": "erase_devices"}]
BURN_IN = [{"interface": "deploy", "step": "burnin_cpu"}]
RESCUE = ("rescue", {"rescue_password": "p"})
DEPLOYED = ("manage", "provide", "active")
# The verbs that lead to a state, the last of which is seen for some seconds only.
STATES = {
    "enroll": (),
    "verifying": ("manage",),
    "manageable": ("manage", None),
    "inspecting": ("manage", "inspect"),
    "cleaning by hand": ("manage", ("clean", {"clean_steps": STEPS})),
    "cleaning": ("manage", "provide"),
    "available": ("manage", "provide", None),
    "deploying": DEPLOYED,
    "active": (*DEPLOYED, None),
    "rescuing": (*DEPLOYED, RESCUE),
    "rescue": (*DEPLOYED, RESCUE, None),
    "unrescuing": (*DEPLOYED, RESCUE, "unrescue"),
    "servicing": (*DEPLOYED, ("service", {"service_steps": BURN_IN})),
    "deleting": (*DEPLOYED, "deleted"),
}
VERBS = ("manage", "provide", "active", "deleted", "abort", "rebuild", "unhold")
EVENTS = (
    *VERBS,
    *("heartbeat", "heartbeat end", "heartbeat error", "heartbeat in maintenance"),
    *("heartbeat with fast track", "stranger"),
    *("maintenance", "power off", "power on", "delete", "rename", "its conductor dies", "nothing"),
)


class Life:
    """A node that was brought into a state.

    :param agent: who plays the agent: ``simulated``, or ``external`` for nobody.
    """

    def __init__(self, state, agent):
        self.api = Api(
            agent=agent,
            interfaces=INTERFACES,
            automated_clean=True,
            delay=10,
            conductors=(parse("a"), parse("b")),
            agent_tls=False,
        )
        fields = WITH_AGENT if agent else {}
        self.api.enrol(
            uuid=NODE,
            driver_info={name: f"http://192.0.2.1/{name}" for name in IMAGES},
            instance_info={"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
            **fields,
        )
        self.api("POST", "/v1/ports", {"node_uuid": NODE, "address": MAC})
        self._seen, self._noted = {}, 0
        for number, step in enumerate(STATES[state]):
            if step is None:
                break
            verb, arguments = step if isinstance(step, tuple) else (step, {})
            self.api.provision(verb, **arguments)
            last = number == len(STATES[state]) - 1
            for seconds in (15 if agent else 5,) if last else (60, 60, 600):
                self.api.clock.advance(seconds)
                self.api.node()
        self.state = self.changes()["provision_state"]
        self.api.keep()
        self._kept = self._seen, self._noted

    def go_back(self):
        """Return to when it was brought into its state."""
        self.api.go_back()
        self._seen, self._noted = self._kept

    def happen(self, event):
        """Let something happen, and return the answer."""
        word, _, rest = event.partition(" ")
        path = "/v1/nodes/n"
        if rest == "in maintenance":
            self.api("PUT", f"{path}/maintenance", {"reason": "Moved"})
        if rest == "with fast track":
            self.api.patch("driver_info/fast_track", True)
        if word == "heartbeat":
            status = {"end": "end", "error": "error"}.get(rest)
            given = {"agent_status": status, "agent_status_message": "M"} if status else {}
            return self._beat(**given)
        if word == "stranger":
            return self._beat("wrong")
        if word == "power":
            return self.api("PUT", f"{path}/states/power", {"target": event})
        if word == "maintenance":
            return self.api("PUT", f"{path}/maintenance", {"reason": "Moved"})
        if word == "delete":
            return self.api("DELETE", path)
        if word == "rename":
            return self.api.patch("name", "n")
        if word == "its":
            host = self.api.node()["conductor"]
            return self.api("PATCH", f"/_fake/conductors/{host}", {"alive": False})
        return self.api.provision(word) if word in VERBS else None

    def _beat(self, token=None, **fields):
        self.api("GET", f"/v1/lookup?node_uuid={NODE}")
        with self.api.app.store.transaction(write=False) as tx:
            known = tx.scalar(sa.select(nodes.c.driver_internal_info)) or {}
        body = {
            "callback_url": known.get("agent_url", "http://127.0.0.1:1"),
            "agent_version": "11.0",
            "agent_token": token or known.get("agent_secret_token"),
        }
        return self.api("POST", f"/v1/heartbeat/{NODE}", {**body, **fields})

    def changes(self):
        """Return what differs from when it was looked at last, without times."""
        status, node = self.api("GET", "/v1/nodes/n")
        if status != 200:
            return {"gone": status}
        history = self.api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", "<time>", json.dumps(node, sort_keys=True))
        fields = json.loads(text)
        # Some of what drivers keep is random.
        fields["driver_internal_info"] = sorted(fields["driver_internal_info"])
        changed = {name: value for name, value in fields.items() if self._seen.get(name) != value}
        self._seen = fields
        parts = ("created_at", "conductor", "event_type", "severity", "event")
        entries = sorted([str(one[name]) for name in parts] for one in history)
        told = [entry[1:] for entry in entries[self._noted :]]
        self._noted = len(history)
        return {**changed, **({"history": told} if told else {})}


@pytest.mark.parametrize(
    ("agent", "state"),
    [
        *(("simulated", state) for state in STATES),
        *(("external", state) for state in ("inspecting", "cleaning by hand", "cleaning")),
        *(
            (None, state)
            for state in ("verifying", "cleaning", "deploying", "rescuing", "deleting")
        ),
    ],
)
def test_crossings_are_as_recorded(request, agent, state):
    life = Life(state, agent)
    found = {}
    for event in EVENTS:
        answer = life.happen(event)
        found[event] = [life.state, answer, life.changes()]
        for seconds in (6, 60, 600, 1800, 7200):
            life.api.clock.advance(seconds)
            if changed := life.changes():
                found[event].append([seconds, changed])
        life.go_back()
    recorded.check(request, RECORD, f"{state}, {agent}", found)
