"""How each wait for an agent ends, and what nodes with agents do in their networks.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests.
"""

from __future__ import annotations

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact, changes, line
from fake_server.tests.baremetal.test_agent import IMAGES, MAC, beat
from fake_server.tests.baremetal.test_stages_of_networks import NETWORKS, network

pytestmark = pytest.mark.rows

ERASE = {"interface": "deploy", "step": "erase_devices"}
BURNIN = {"interface": "deploy", "step": "burnin_cpu"}
REBOOT = {"interface": "power", "step": "reboot"}
STEPS = [ERASE, REBOOT, {"interface": "deploy", "step": "erase_devices_express"}]
HOLD = {"interface": "power", "step": "hold"}
PASSWORD = {"rescue_password": "p"}
# Hardware, its boot interface, and whether it can be powered off.
MACHINES = (("ipmi", "pxe", False), ("redfish", "redfish-virtual-media", True))
BEGIN = (":power power off", "manage")
# How to come to each wait.
WAITS = {
    "deploying": ("provide", "active"),
    "cleaning by hand": (("clean", {"clean_steps": [ERASE]}),),
    "inspecting": ("inspect",),
    "rescuing": ("adopt", ("rescue", PASSWORD)),
    "servicing": ("adopt", ("service", {"service_steps": [BURNIN]})),
    "adopted": ("adopt",),
}
ENDS = {
    # A minute has passed by then, and a second follows: a node is given up after half an hour.
    "late": (":after 1738", ":after 300"),
    "aborted": ("abort", ":after 60", "abort"),
    "an agent that is lost": (":beat", ":after 300", ":after 1900"),
    "in maintenance": (":maintain", ":beat", ":after 1900", ":release", ":after 60"),
    "powered off": (":power power off", ":after 60", ":beat", ":power power on"),
    "reported": (":report", ":after 60"),
    "an error": (":error", ":after 60"),
}
OF_REPORTS = ("reported", "an error")
AFTERWARDS = (":release", "manage", "abort", "deleted")
# With an agent that the server simulates.
LIVES = {
    "cleaned": (("clean", {"clean_steps": STEPS}), ("clean", {"clean_steps": [ERASE]}), "provide"),
    "inspected": ("inspect", ("clean", {"clean_steps": STEPS}), "inspect", "provide"),
    "rescued": ("adopt", ("rescue", PASSWORD), ("rescue", PASSWORD), "unrescue", "deleted"),
    "serviced": ("adopt", ("service", {"service_steps": [BURNIN, REBOOT]}), "rebuild"),
    "serviced, held": ("adopt", ("service", {"service_steps": [HOLD]}), "unhold", "deleted"),
}
SHOWN = (
    *("provision_state", "target_provision_state", "power_state", "target_power_state"),
    *("last_error", "maintenance", "maintenance_reason", "fault", "reservation", "boot_mode"),
    *("clean_step", "deploy_step", "service_step"),
)


class Life:
    """A node of a server with a clock of its own, in networks of Neutron."""

    def __init__(self, agent, driver, boot, powered_off):
        kinds = {
            "deploy": ("fake", "direct"),
            "network": ("noop", "neutron"),
            "rescue": ("fake", "agent"),
        }
        self._api = Api(
            agent=agent,
            bootloader="esp",
            hardware_types=tuple(TYPES),
            interfaces=kinds,
            automated_clean=True,
        )
        ids = {name: network(self._api, name) for name in (*NETWORKS, "tenant")}
        self._networks = {ident: name for name, ident in ids.items()}
        info = {name: f"http://192.0.2.1/{name}" for name in IMAGES}
        info |= {f"{name}_network": ids[name] for name in NETWORKS}
        info |= {f"{driver}_address": "a", "fast_track": True}
        image = {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32}
        more = {"driver": driver, "boot_interface": boot, "driver_info": info}
        more["instance_info"] = image
        for kind, name in (("deploy", "direct"), ("rescue", "agent"), ("inspect", "agent")):
            more[f"{kind}_interface"] = name
        # Machines that can't be powered off can't change networks.
        more["network_interface"] = "neutron" if powered_off else "noop"
        more["disable_power_off"] = not powered_off
        uuid = self._api.enrol(**more)
        port = {"node_uuid": uuid, "address": MAC}
        port["local_link_connection"] = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "eth1"}
        assert self._api("POST", "/v1/ports", port)[0] == 201
        if powered_off:
            self._attach(ids["tenant"])
        self._token = None
        self._seen, self._told = {}, 0
        self._api.app.control.delays.set(default=0, transitions={"heartbeat": 5})

    def _attach(self, network_id):
        body = {"port": {"network_id": network_id}}
        vif = self._api("POST", "/networking/v2.0/ports", body)[1]["port"]["id"]
        assert self._api("POST", "/v1/nodes/n/vifs", {"id": vif}) == (204, None)

    def keep(self):
        """Keep the present, for :meth:`go_back`."""
        self._api.keep()
        self._kept = self._token, self._seen, self._told

    def go_back(self):
        """Return to the time that was kept."""
        self._api.go_back()
        self._token, self._seen, self._told = self._kept

    def happens(self, *events):
        """Yield what each event changed."""
        for event in events:
            word = event if isinstance(event, str) else event[0]
            status, _ = self._happen(event) or (0, "")
            self._api.clock.advance(1)
            yield word, [str(status) if status >= 400 else "", *self._changes()]
            self._api.clock.advance(60)
            if found := self._changes():
                yield f"{word}, later", found

    def becomes(self, *events):
        """Return the state after each event, or the status of its refusal."""
        found = []
        for event in events:
            status, _ = self._happen(event) or (0, "")
            found.append(str(status) if status >= 400 else self._api.state())
        return f"afterwards: {', '.join(found)}"

    def _happen(self, event):
        word, _, argument = event.partition(" ") if isinstance(event, str) else ("", "", "")
        if word == ":after":
            self._api.clock.advance(int(argument))
            return None
        if word == ":beat":
            found = self._api("GET", f"/v1/lookup?addresses={MAC}")[1]
            if isinstance(found, dict) and found["config"]["agent_token"] != "******":
                self._token = found["config"]["agent_token"]
            return beat(self._api, self._token, agent_status=argument or None)
        if word in (":report", ":error"):
            body = {"inventory": {"interfaces": [{"name": "eth0", "mac_address": MAC}]}}
            body |= {"error": "It broke."} if word == ":error" else {}
            return self._api("POST", "/v1/continue_inspection", body)
        if word in (":maintain", ":release"):
            method = "PUT" if word == ":maintain" else "DELETE"
            return self._api(method, "/v1/nodes/n/maintenance")
        if word == ":power":
            return self._api("PUT", "/v1/nodes/n/states/power", {"target": argument})
        verb, arguments = event if isinstance(event, tuple) else (event, {})
        return self._api.provision(verb, **arguments)

    def _changes(self):
        """Return what differs from when it was looked at last, and what was told since."""
        node = self._api.node()
        history = self._api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
        found = {name: node[name] for name in SHOWN}
        for name in ("clean_step", "deploy_step", "service_step"):
            found[name] = (found[name] or {}).get("step")
        found["networks"] = self._bound()
        found["driver_internal_info"] = node["driver_internal_info"]
        known, self._seen = self._seen, found
        told = [one["event"] for one in history]
        new, self._told = told[self._told :], len(told)
        usual = ("Node health", node["last_error"] or "Node health")
        marks = ("+", "-", "reservation=")
        changed = [one for one in changes(known, found) if not one.startswith(marks)]
        return changed + [event for event in new if not event.startswith(usual)]

    def _bound(self):
        """Return the networks in which the node's card is bound to the node."""
        path = f"/networking/v2.0/ports?mac_address={MAC}&fields=network_id&fields=binding:profile"
        return sorted(
            self._networks[port["network_id"]]
            for port in self._api("GET", path)[1]["ports"]
            if port["binding:profile"].get("local_link_information")
        )


def lines(happened):
    return [fact for word, found in happened for fact in line(word, found)]


@pytest.mark.parametrize("wait", WAITS)
def test_waits_end_as_recorded(recorded, wait):
    found = {}
    for machine in MACHINES:
        life = Life("external", *machine)
        found[machine[0]] = lines(life.happens(*BEGIN, *WAITS[wait]))
        life.keep()
        for end, events in ENDS.items():
            if end in OF_REPORTS and wait != "inspecting":
                continue
            ended = [*lines(life.happens(*events)), life.becomes(*AFTERWARDS)]
            found[machine[0]] += [f"{end}: {fact}" for fact in ended]
            life.go_back()
    recorded(by_fact(found))


@pytest.mark.parametrize("life", LIVES)
def test_lives_with_agents_are_as_recorded(recorded, life):
    found = {}
    for machine in MACHINES:
        node = Life("simulated", *machine)
        found[machine[0]] = lines(node.happens(*BEGIN, *LIVES[life]))
    recorded(by_fact(found))
