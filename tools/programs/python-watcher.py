"""Watcher's helpers for bare metal: they list and find nodes, and switch their power."""

# packages: ["python-watcher==17.0.0", "setuptools<81"]
# fake_server: {"auth": "keystone", "hardware_types": ["fake-hardware"]}

from __future__ import annotations

import json
import os
import time
from typing import Any

from watcher import conf
from watcher.common import clients, exception, ironic_helper
from watcher.common.metal_helper import factory

ACCOUNT = {
    "auth_type": "password",
    "auth_url": os.environ["OS_AUTH_URL"],
    "username": os.environ["OS_USERNAME"],
    "password": os.environ["OS_PASSWORD"],
    "project_name": os.environ["OS_PROJECT_NAME"],
    "user_domain_name": "Default",
    "project_domain_name": "Default",
}

with open("watcher.conf", "w") as file:
    lines = [f"{name} = {value}\n" for name, value in ACCOUNT.items()]
    file.writelines(["[watcher_clients_auth]\n", *lines])
conf.CONF(["--config-file", "watcher.conf"], project="watcher")
seen: dict[str, Any] = {}
openstack = clients.OpenStackClients()
node = openstack.ironic().node.create(driver="fake-hardware", name="node-1")
seen["created"] = [node.name, node.provision_state]
ironic = ironic_helper.IronicHelper(openstack)
seen["listed"] = [one.uuid == node.uuid for one in ironic.get_ironic_node_list()]
try:
    ironic.get_ironic_node_by_uuid("22222222-0000-4000-8000-000000000001")
except exception.IronicNodeNotFound as error:
    seen["unknown"] = str(error)


def power() -> str:
    """Return the power state that Watcher sees."""
    return metal.get_node(node.uuid).get_power_state().value


# Without compute nodes, which this release of Watcher looks up with the wrong session.
metal = factory.get_helper(openstack)
for state in ("on", "off"):
    metal.get_node(node.uuid).set_power_state(state)
    deadline = time.monotonic() + 20
    while power() != state and time.monotonic() < deadline:
        time.sleep(0.2)
    seen[f"switched {state}"] = power()
print(json.dumps(seen))
