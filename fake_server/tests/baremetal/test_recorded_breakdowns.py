"""What becomes of nodes whose controllers break down while they wait for their agents.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.hardware_nodes import MACHINE
from fake_server.tests.baremetal.test_deploy_interfaces import DEPLOY, HTTP

RECORD = Path(__file__).with_name("breakdowns.json.gz")
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
    "not reachable": {"reachable": False},
    "power": {"failing": ["power"]},
    "media": {"failing": ["media"]},
    "boot_device": {"failing": ["boot_device"]},
    "power stuck": {"power_stuck": True},
}
EVENTS = ("abort", "late", "in maintenance", "deleted", "start", "end", "error")
SHOWN = ("provision_state", "power_state", "last_error", "maintenance", "fault")
AGENT = "http://127.0.0.1:1"
DEPLOYED = {"interface": "deploy", "step": "deploy", "args": {}, "priority": 0}
BOGUS = {"interface": "deploy", "step": "bogus", "args": {}, "priority": 70}


class Lab:
    """A node with a Redfish controller."""

    def __init__(self, deploy_interface, **fields):
        kinds = {"deploy": DEPLOY, "rescue": ("fake", "agent"), "storage": ("noop", "external")}
        kinds["inspect"] = ("fake", "agent", "redfish")
        types = tuple(TYPES)
        self.api = Api(agent="external", agent_tls=False, hardware_types=types, interfaces=kinds)
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

    def look(self):
        """Return the node, and its history."""
        found = []
        for seconds in (1, 200):
            self.api.clock.advance(seconds)
            node = self.api.node()
            found.append([node[name] for name in SHOWN])
        history = self.api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
        return [*found, sorted(one["event"] for one in history)]


@pytest.mark.parametrize("kept_on", [False, True])
@pytest.mark.parametrize(
    ("interface", "flow"),
    [*(("direct", flow) for flow in FLOWS), ("anaconda", "active"), ("ramdisk", "clean")],
)
def test_waits_end_as_recorded(request, interface, flow, kept_on):
    lab = Lab(interface, disable_power_off=kept_on)
    verbs, arguments = FLOWS[flow]
    for verb in verbs:
        lab.api.provision(verb)
    begun = lab.api.provision(flow, **arguments)
    lab.api.keep()
    found = {"begun": [begun, lab.look()]}
    lab.api.go_back()
    events = EVENTS if interface == "anaconda" else EVENTS[:4]
    for trouble, event in product(TROUBLES, events):
        assert lab.api("PATCH", MACHINE, TROUBLES[trouble])[0] == 200
        said = [lab.happen(event), lab.look()]
        # How a connection fails is said by the system.
        text = repr(said).replace(lab.uuid, "UUID").replace("[Errno 111] Connection refused", "-")
        found[f"{trouble}, {event}"] = recorded.masked(text)
        lab.api.go_back()
    text = repr(found["begun"]).replace(lab.uuid, "UUID")
    recorded.check(request, RECORD, f"{interface}, {flow}, {kept_on}", {**found, "begun": text})


@pytest.mark.parametrize("interface", ["fake", "direct", "custom-agent", "ramdisk", "ansible"])
@pytest.mark.parametrize("boots_volume", [False, True])
def test_steps_that_are_left_out_or_unknown_do_as_recorded(request, interface, boots_volume):
    storage = "external" if boots_volume else "noop"
    capabilities = {"capabilities": "iscsi_boot:true"}
    driver = {"driver": "fake-hardware"} if interface == "fake" else {}
    found = {}
    for wanted in (None, [DEPLOYED], [BOGUS], [DEPLOYED, BOGUS], [{**BOGUS, "priority": 200}]):
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
        said = [lab.api.provision("active", deploy_steps=wanted), lab.look()]
        found[str(wanted)] = recorded.masked(repr(said).replace(lab.uuid, "UUID"))
    recorded.check(request, RECORD, f"steps, {interface}, {boots_volume}", found)
