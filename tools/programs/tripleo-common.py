"""tripleo-common's enrolment of nodes: registered, changed, given capabilities, and deleted."""

# packages: ["tripleo-common==18.0.0", "setuptools<81"]
# fake_server: {"hardware_types": ["ipmi", "redfish"]}

from __future__ import annotations

import copy
import json
import os
from typing import Any

from ironicclient import client
from tripleo_common.utils import nodes

ironic = client.get_client(1, endpoint=os.environ["FAKE_URL"], os_ironic_api_version="1.46")
LAB = [
    {
        "name": f"node-{number}",
        "pm_type": kind,
        "pm_addr": f"192.0.2.{number}",
        "pm_user": "admin",
        "pm_password": "secret",
        "cpu": 4,
        "memory": 8192,
        "disk": 40,
        "arch": "x86_64",
        "capabilities": "boot_mode:uefi,profile:compute",
        "ports": [{"address": f"52:54:00:00:00:0{number}", "physical_network": "ctlplane"}],
        **more,
    }
    for number, kind, more in (
        (1, "ipmi", {}),
        (2, "redfish", {"pm_system_id": "/redfish/v1/Systems/2"}),
        (3, "ipmi", {"resource_class": "large"}),
    )
]


def shown(names: list[str]) -> list[dict[str, Any]]:
    """Return some fields of all nodes, by name."""
    found = ironic.node.list(detail=True)
    return sorted(
        ({name: getattr(one, name) for name in names} for one in found),
        key=lambda one: str(one["name"]),
    )


seen: dict[str, Any] = {}
nodes.validate_nodes(copy.deepcopy(LAB))
registered = nodes.register_all_nodes(copy.deepcopy(LAB), ironic)
fields = ["name", "driver", "driver_info", "properties", "resource_class", "provision_state"]
seen["registered"] = shown(fields)
seen["ports"] = sorted(
    [port.address, port.physical_network] for port in ironic.port.list(detail=True)
)
changed = copy.deepcopy(LAB)
changed[0]["memory"] = 16384
again = nodes.register_all_nodes(changed, ironic)
seen["the same nodes"] = [one.uuid for one in again] == [one.uuid for one in registered]
nodes.update_node_capability(again[0].uuid, "profile", "control", ironic)
seen["changed"] = shown(["name", "properties"])
seen["profile"] = nodes.get_node_profile(ironic.node.get(again[0].uuid).to_dict())
nodes.register_all_nodes(copy.deepcopy(LAB[:2]), ironic, remove=True)
seen["left"] = shown(["name"])
print(json.dumps(seen))
