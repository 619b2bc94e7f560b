"""Enrol a node with its port, as a first script with the library does."""

import json
import os

from baremetalclient import client

NODE = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e01"
PORT = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e02"
SHOWN = ("uuid", "name", "driver", "provision_state", "properties", "maintenance")

ironic = client.get_client(1, endpoint=os.environ["OS_ENDPOINT"], os_ironic_api_version="1.11")
node = ironic.node.create(
    uuid=NODE, name="first", driver="fake-hardware", properties={"cpus": 4, "memory_mb": 8192}
)
port = ironic.port.create(uuid=PORT, node_uuid=NODE, address="52:54:00:00:00:01")
ironic.node.set_provision_state(NODE, "manage")
ironic.node.wait_for_provision_state(NODE, "manageable", timeout=30, poll_interval=0.1)
found = ironic.node.get("first")

print(
    json.dumps(
        {
            "created": {name: getattr(node, name) for name in SHOWN},
            "port": [port.node_uuid, port.address],
            "found": {name: getattr(found, name) for name in SHOWN},
            "by address": [found.uuid for found in ironic.port.list(address=port.address)],
            "nodes": [found.name for found in ironic.node.list(provision_state="manageable")],
        }
    )
)
