"""What becomes of a node in each state when something happens to it, then and hours later.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests.
"""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from fake_server.baremetal.conductor_hosts import parse
from fake_server.baremetal.tables import nodes
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact, changes, line
from fake_server.tests.baremetal.test_agent import IMAGES, INTERFACES, MAC

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
    "inspecting": ("manage", "inspect"),
    "cleaning by hand": ("manage", ("clean", {"clean_steps": STEPS})),
    "cleaning": ("manage", "provide"),
    "available": ("manage", "provide", None),
    "deploying": DEPLOYED,
    "active": (*DEPLOYED, None),
    "rescuing": (*DEPLOYED, RESCUE),
    "servicing": (*DEPLOYED, ("service", {"service_steps": BURN_IN})),
    "deleting": (*DEPLOYED, "deleted"),
}
# What is the same in each life, and times.
UNSEEN = ("links", "updated_at", "provision_updated_at", "inspection_started_at", "ports")
UNSEEN += ("inspection_finished_at", "states", "volume", "portgroups", "traits")
# Other fields are looked at in the end.
SHOWN = ("provision_state", "target_provision_state", "power_state", "target_power_state")
SHOWN += ("last_error", "maintenance", "fault")
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
        self.changes()
        self.api.keep()
        self._kept = self._seen, self._noted
        self._begun = self._seen

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
        """Return what differs from when it was looked at last."""
        status, node = self.api("GET", "/v1/nodes/n")
        if status != 200:
            return ["gone"] if self._seen else []
        history = self.api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
        found = {name: node[name] for name in node if name not in UNSEEN}
        known, self._seen = self._seen, found
        told = [one["event"] for one in history]
        new, self._noted = told[self._noted :], len(told)
        told = [event for event in new if event != node["last_error"]]
        return [
            *changes(*({name: seen.get(name) for name in SHOWN} for seen in (known, found))),
            *told,
        ]

    def end(self):
        """Return what else differs from when the node was brought into its state."""
        return changes(*({**seen, **dict.fromkeys(SHOWN)} for seen in (self._begun, self._seen)))


@pytest.mark.parametrize(
    ("agent", "state"),
    [
        *(("simulated", state) for state in STATES),
        *(("external", state) for state in ("inspecting", "cleaning")),
        *(
            (None, state)
            for state in ("verifying", "cleaning", "deploying", "rescuing", "deleting")
        ),
    ],
)
def test_crossings_are_as_recorded(recorded, agent, state):
    life = Life(state, agent)
    found = {}
    for event in EVENTS:
        status, _ = life.happen(event) or (0, "")
        found[event] = list(line("then", [str(status), *life.changes()]))
        for seconds in (6, 60, 600, 1800, 7200):
            life.api.clock.advance(seconds)
            found[event] += line(f"+{seconds}", life.changes())
        found[event] += line("in the end", life.end())
        life.go_back()
    recorded(by_fact(found))
