"""What becomes of nodes whose controllers break down while they wait for their agents.

Recorded from the fake server, so that no change goes unnoticed.
"""

from __future__ import annotations

from itertools import product

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact, changes, line
from fake_server.tests.baremetal.hardware_nodes import MACHINE
from fake_server.tests.baremetal.test_deploy_interfaces import DEPLOY, HTTP

pytestmark = pytest.mark.rows

STEP = {"interface": "deploy", "step": "burnin_cpu"}
IMAGES = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
FLOWS = {
    "clean": ((), {"clean_steps": [STEP]}),
    "inspect": ((), {}),
    "active": (("provide",), {}),
    "service": (("adopt",), {"service_steps": [STEP]}),
    "rescue": (("adopt",), {"rescue_password": "p"}),
}
TROUBLES = {
    "none": {},
    "power": {"failing": ["power"]},
    "media": {"failing": ["media"]},
    "stuck": {"power_stuck": True},
}
EVENTS = ("abort", "late", "in maintenance", "deleted", "start", "end", "error")
SHOWN = ("provision_state", "power_state", "last_error", "maintenance", "fault")
AGENT = "http://127.0.0.1:1"
DEPLOYED = {"interface": "deploy", "step": "deploy", "args": {}, "priority": 0}
BOGUS = {"interface": "deploy", "step": "bogus", "args": {}, "priority": 70}

ORDERED = {
    "no steps": None,
    "deploy at 0": [DEPLOYED],
    "bogus": [BOGUS],
    "deploy at 0, bogus": [DEPLOYED, BOGUS],
    "bogus at first": [{**BOGUS, "priority": 200}],
}


class Lab:
    """A node with a Redfish controller."""

    def __init__(self, deploy_interface, **fields):
        kinds = {"deploy": DEPLOY, "rescue": ("fake", "agent"), "storage": ("noop", "external")}
        kinds["inspect"] = ("fake", "agent", "redfish")
        types = tuple(TYPES)
        self.api = Api(
            agent="external",
            agent_tls=False,
            bootloader="esp",
            hardware_types=types,
            interfaces=kinds,
        )
        info = {"redfish_address": "a", **dict.fromkeys(IMAGES, "http://192.0.2.1/x")}
        self.uuid = self.api.enrol(
            driver="redfish",
            boot_interface="redfish-virtual-media",
            deploy_interface=deploy_interface,
            inspect_interface="agent",
            rescue_interface="agent",
            driver_info=info,
            instance_info=HTTP,
            **fields,
        )
        body = {"node_uuid": self.uuid, "address": "52:54:00:00:00:01"}
        assert self.api("POST", "/v1/ports", body)[0] == 201
        self.api.provision("manage")

    def happen(self, event):
        """Let something happen, and return the answer."""
        if event == "late":
            self.api.clock.advance(1801)
            return None
        if event in ("abort", "deleted"):
            return self.api.provision(event)
        if event == "in maintenance":
            self.api("PUT", "/v1/nodes/n/maintenance", {"reason": "broken"})
        status, found = self.api("GET", f"/v1/lookup?node_uuid={self.uuid}")
        token = found["config"]["agent_token"] if status == 200 else "none"
        beat = {"callback_url": AGENT, "agent_version": "13.0.0", "agent_token": token}
        if event != "in maintenance":
            beat |= {"agent_status": event, "agent_status_message": "It is so."}
        return self.api("POST", f"/v1/heartbeat/{self.uuid}", beat)

    def look(self, answer):
        """Return the answer, what becomes of the node, and what its history tells besides."""
        status, said = answer or (0, None)
        found = [f"{status} {said}" if status >= 400 else ""]
        seen, errors = {}, set()
        for seconds in (1, 200):
            self.api.clock.advance(seconds)
            node = self.api.node()
            now = {name: node[name] for name in SHOWN}
            # How a connection fails is said by the system.
            error = (now["last_error"] or "").replace("[Errno 111] Connection refused", "-")
            found += line(f"+{seconds}", changes(seen, now | {"last_error": error}))
            seen = now | {"last_error": error}
            errors.add(node["last_error"])
        history = self.api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
        told = [one["event"] for one in history if one["event"] not in errors]
        usual = ("Node health", "Starting ")
        return found + [f"told: {event}" for event in told if not event.startswith(usual)]


@pytest.mark.parametrize(
    ("interface", "flow"),
    [*(("direct", flow) for flow in FLOWS), ("anaconda", "active")],
)
def test_waits_end_as_recorded(recorded, interface, flow):
    verbs, arguments = FLOWS[flow]
    events = EVENTS[3:] if interface == "anaconda" else EVENTS[:4]
    found = {}
    for kept_on in (False,) if interface == "anaconda" else (False, True):
        lab = Lab(interface, disable_power_off=kept_on)
        mark = "on:" if kept_on else ""
        for verb in verbs:
            lab.api.provision(verb)
        begun = lab.api.provision(flow, **arguments)
        lab.api.keep()
        found[f"{mark}begun"] = lab.look(begun)
        lab.api.go_back()
        for trouble, event in product(TROUBLES, events[1:3] if kept_on else events):
            assert lab.api("PATCH", MACHINE, TROUBLES[trouble])[0] == 200
            found[f"{mark}{trouble}, {event}"] = lab.look(lab.happen(event))
            lab.api.go_back()
    recorded(by_fact(found))


@pytest.mark.parametrize("interface", ["fake", "direct", "ramdisk"])
def test_steps_that_are_left_out_or_unknown_do_as_recorded(recorded, interface):
    capabilities = {"capabilities": "iscsi_boot:true"}
    driver = {"driver": "fake-hardware"} if interface == "fake" else {}
    found = {}
    for boots_volume, (name, wanted) in product((False, True), ORDERED.items()):
        storage = "external" if boots_volume else "noop"
        if driver:
            lab = Lab.__new__(Lab)
            lab.api = Api(interfaces={"storage": ("noop", "external")})
            lab.uuid = lab.api.enrol(storage_interface=storage, properties=capabilities)
            lab.api.provision("manage")
        else:
            lab = Lab(interface, storage_interface=storage, properties=capabilities)
        if boots_volume:
            info = {"kernel": "http://192.0.2.1/k", "ramdisk": "http://192.0.2.1/r"}
            lab.api.patch("instance_info", info if interface == "ramdisk" else {})
            target = {"volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
            lab.api("POST", "/v1/volume/targets", {"node_uuid": lab.uuid, **target})
        lab.api.provision("provide")
        found[f"{name}{', a volume' if boots_volume else ''}"] = lab.look(
            lab.api.provision("active", deploy_steps=wanted)
        )
    recorded(by_fact(found))
