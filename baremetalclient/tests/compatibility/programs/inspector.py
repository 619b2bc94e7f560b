"""Match a booted machine with its node and write what was found, after ironic-inspector."""

import os

from _lab import NODE, OTHER, PORT, caught, show

from baremetalclient import client, exc

ironic = client.get_client(
    1,
    endpoint=os.environ["OS_ENDPOINT"],
    os_ironic_api_version=["1.38", "1.46", "1.999"],
    max_retries=3,
    retry_interval=0.1,
)
VALID_STATES = {"enroll", "manageable", "inspecting", "inspect failed"}


def create_ports(node, macs):
    made, existing = [], []
    for mac in macs:
        try:
            made.append(ironic.port.create(node_uuid=node.uuid, address=mac, extra={}).address)
        except exc.Conflict:
            existing.append(mac)
    return made, existing


node = ironic.node.create(
    uuid=NODE, driver="fake-hardware", driver_info={"ipmi_address": "192.0.2.7"}
)
ironic.port.create(uuid=PORT, node_uuid=NODE, address="52:54:00:00:00:01")
ports = create_ports(node, ["52:54:00:00:00:01", "52:54:00:00:00:02"])
by_port = [
    found.node_uuid
    for found in ironic.port.list(
        address="52:54:00:00:00:02", limit=0, fields=["uuid", "node_uuid"]
    )
]
nodes = ironic.node.list(limit=0, fields=["uuid", "driver_info", "provision_state"])
try:
    ironic.node.get(OTHER)
except exc.NotFound as error:
    absent = [str(error).partition(" (Request-ID")[0], error.http_status]
patch = [
    {"op": "add", "path": "/properties/cpus", "value": "4"},
    {"op": "add", "path": "/properties/capabilities", "value": "boot_mode:uefi"},
]
changed = ironic.node.update(NODE, patch)
ironic.node.set_provision_state(NODE, "manage")
ironic.node.set_boot_device(NODE, "pxe", persistent=False)
ironic.node.set_power_state(NODE, "reboot")

show(
    ports=ports,
    by_port=by_port,
    nodes=[[one.uuid, one.driver_info, one.provision_state] for one in nodes],
    absent=absent,
    properties=changed.properties,
    valid=ironic.node.get(NODE).provision_state in VALID_STATES,
    power=ironic.node.get(NODE, fields=["power_state"]).power_state,
    refused=caught(ironic.node.update, NODE, [{"op": "remove", "path": "/properties/nope"}]),
    ports_of_node=[one.address for one in ironic.node.list_ports(NODE, limit=0)],
)
