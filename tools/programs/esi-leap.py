"""ESI-Leap's nodes: listed for offers, leased to a project and given back."""

# packages: ["esi-leap==1.0.0", "setuptools<81"]
# fake_server: {"auth": "keystone", "hardware_types": ["fake-hardware"]}

from __future__ import annotations

import json
import os
from types import SimpleNamespace
from typing import Any

import esi_leap.conf
from esi_leap.common import ironic
from esi_leap.resource_objects.ironic_node import IronicNode

LEASE = SimpleNamespace(uuid="11111111-0000-4000-8000-000000000001", project_id="p" * 32)
ACCOUNT = {
    "auth_type": "password",
    "auth_url": os.environ["OS_AUTH_URL"],
    "username": os.environ["OS_USERNAME"],
    "password": os.environ["OS_PASSWORD"],
    "user_domain_name": "Default",
    "system_scope": "all",
}

with open("esi-leap.conf", "w") as file:
    lines = [f"{name} = {value}\n" for name, value in ACCOUNT.items()]
    file.writelines(["[ironic]\n", *lines])
esi_leap.conf.CONF(["--config-file", "esi-leap.conf"], project="esi-leap")
seen: dict[str, Any] = {}
client = ironic.get_ironic_client()
made = client.node.create(
    driver="fake-hardware",
    name="node-1",
    resource_class="baremetal",
    owner="o" * 32,
    properties={"cpus": 4, "capabilities": "boot_mode:uefi"},
)
seen["listed"] = [node.name for node in ironic.get_node_list()]
seen["listed by owner"] = [node.name for node in ironic.get_node_list(owner="o" * 32)]
seen["of nobody"] = [node.name for node in ironic.get_node_list(owner="nobody")]


def note(when: str) -> None:
    """Note what a node tells ESI-Leap."""
    node = IronicNode(made.uuid)
    seen[when] = {
        "name": node.get_name(),
        "class": node.get_resource_class(),
        "properties": node.get_properties(),
        "owner": node.get_owner_project_id(),
        "lease": node.get_lease_uuid(),
        "lessee": node.get_lessee_project_id(),
        "provision state": node.get_node_provision_state(),
        "power state": node.get_node_power_state(),
    }


note("before")
seen["by name"] = IronicNode("node-1").get_uuid() == made.uuid
IronicNode(made.uuid).set_lease(LEASE)
note("leased")
IronicNode(made.uuid).remove_lease(LEASE)
note("given back")
missing = IronicNode("22222222-0000-4000-8000-000000000001")
seen["unknown"] = [missing.get_name(), missing.get_node_provision_state()]
print(json.dumps(seen))
