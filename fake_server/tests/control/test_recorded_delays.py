"""Which requests each delay is for: how long a node is busy with them."""

from __future__ import annotations

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.control import delays
from fake_server.tests.baremetal.api import Api

IMAGES = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
FIELDS = {
    "boot_interface": "redfish-virtual-media",
    "rescue_interface": "agent",
    "driver_info": {
        **{name: f"http://192.0.2.1/{name}" for name in IMAGES},
        "redfish_address": "192.0.2.9",
    },
    "instance_info": {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
}
BIOS = {"settings": [{"name": "ProcTurboMode", "value": "Disabled"}]}
APPLY = {"interface": "bios", "step": "apply_configuration", "args": BIOS}
ERASE = {"interface": "deploy", "step": "erase_devices"}
BURNIN = {"interface": "deploy", "step": "burnin_cpu"}
MEDIUM = {"device_type": "cdrom", "image_url": "http://192.0.2.1/i.iso"}


def verb(target, **arguments):
    return "PUT", "states/provision", {"target": target, **arguments}


EVENTS = (
    verb("manage"),
    ("PUT", "states/boot_mode", {"target": "bios"}),
    ("PUT", "states/boot_mode", {"target": "uefi"}),
    ("PUT", "states/secure_boot", {"target": True}),
    ("PUT", "states/power", {"target": "power on"}),
    ("PUT", "states/console", {"enabled": True}),
    ("POST", "vmedia", MEDIUM),
    ("DELETE", "vmedia", None),
    verb("inspect"),
    verb("adopt"),
    verb("rescue", rescue_password="p"),
    verb("unrescue"),
    verb("service", service_steps=[BURNIN]),
    verb("deleted"),
    verb("manage"),
    verb("clean", clean_steps=[APPLY], disable_ramdisk=True),
    verb("clean", clean_steps=[ERASE]),
    # Each after half a minute, when the agent hasn't come yet.
    (*verb("clean", clean_steps=[ERASE]), verb("abort")),
    ("DELETE", "maintenance", None),
    verb("manage"),
    verb("provide"),
    ("PATCH", "", [{"op": "add", "path": "/instance_info", "value": FIELDS["instance_info"]}]),
    (*verb("active"), verb("abort")),
    verb("active"),
    verb("rebuild"),
    (*verb("service", service_steps=[BURNIN]), verb("abort")),
    (*verb("rescue", rescue_password="p"), verb("abort")),
)


class Busy:
    """A node with a machine."""

    def __init__(self):
        interfaces = {"console": ("fake", "redfish-graphical", "no-console")}
        self.api = Api(agent="simulated", hardware_types=tuple(TYPES), interfaces=interfaces)
        self.uuid = self.api.enrol(driver="redfish", **FIELDS)
        port = {"node_uuid": self.uuid, "address": "52:54:00:00:00:01"}
        assert self.api("POST", "/v1/ports", port)[0] == 201

    def do(self, method, path, *body):
        """Send a request; return its status and how the node is half a minute later."""
        status, _ = self.api(method, f"/v1/nodes/n/{path}".rstrip("/"), *body)
        looks = [self.look()]
        self.api.clock.advance(30)
        return [status, *looks, self.look()]

    def look(self):
        node = self.api.node()
        error = (node["last_error"] or "").replace(self.uuid, "UUID")
        locked = "locked" if node["reservation"] else ""
        return f"{node['provision_state']} {node['power_state']} {locked} {error[:40]}".strip()


def looks(name):
    """Return how the node is after each event, at once and every half minute."""
    busy = Busy()
    aborting = {"heartbeat": 60} if name == "aborting" else {}
    busy.api.app.control.delays.set(transitions={name: 60, **aborting} if name else {})
    found = {}
    for number, (method, path, body, *more) in enumerate(EVENTS):
        seen = busy.do(method, path, body)
        for one in more:
            seen += busy.do(*one)
        for _ in range(6):
            busy.api.clock.advance(30)
            seen.append(busy.look())
        target = body.get("target", "") if isinstance(body, dict) else ""
        found[f"{number} {method} {path} {target}".rstrip()] = seen
    return found


@pytest.mark.slow("a node's whole life, once for each of the delays")
def test_delays_are_for_what_is_recorded(recorded):
    plain = looks(None)
    found = {}
    for name in delays.DELAYS:
        held = looks(name).items()
        found[name] = [
            f"{event}: {[look for look in seen if look not in plain[event]][:2]}"[:150]
            for event, seen in held
            if seen != plain[event]
        ]
    recorded(found)
