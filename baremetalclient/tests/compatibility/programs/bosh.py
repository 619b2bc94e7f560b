"""Create and delete a stemcell's machine, after bosh-ironic-cpi."""

import base64
import gzip
import os

from _lab import INSTANCE, NODE, OTHER, PORT, show

from baremetalclient import client
from baremetalclient import exceptions as ironic_exception

DRIVE = base64.b64encode(gzip.compress(b"an image" * 100))

ironic = client.get_client(
    1,
    endpoint=os.environ["OS_ENDPOINT"],
    token="fake-token",
    os_ironic_api_version="1.11",
    max_retries=1,
    retry_interval=0,
)


def attempt(call, *arguments, **options):
    try:
        return call(*arguments, **options)
    except ironic_exception.NotFound:
        return "not found"
    except ironic_exception.BadRequest:
        return "bad request"
    except ironic_exception.InvalidAttribute:
        return "invalid attribute"
    except ironic_exception.ClientException as error:
        return f"failed: {type(error).__name__}"


node = ironic.node.create(
    uuid=NODE, name="vm", driver="fake-hardware", properties={"cpus": "4", "local_gb": "10"}
)
ironic.port.create(uuid=PORT, node_uuid=NODE, address="52:54:00:00:00:01")
by_mac = ironic.port.get_by_address("52:54:00:00:00:01")
ironic.node.set_provision_state(NODE, "manage")
ironic.node.set_provision_state(NODE, "provide")
ironic.node.wait_for_provision_state(NODE, "available", timeout=10, poll_interval=0.1)
patch = [
    {"op": "replace", "path": "/instance_uuid", "value": INSTANCE},
    {"op": "add", "path": "/instance_info/root_gb", "value": 10},
    {"op": "add", "path": "/extra/disks", "value": {"a": 1}},
]
ironic.node.update(NODE, patch)
ironic.node.set_provision_state(NODE, "active", configdrive=DRIVE)
active = ironic.node.get_by_instance_uuid(INSTANCE)
ironic.node.set_provision_state(NODE, "deleted")

show(
    by_mac=[by_mac.uuid, by_mac.node_uuid],
    active=[active.provision_state, active.instance_info.get("root_gb"), active.extra],
    after=ironic.node.get("vm").provision_state,
    absent=attempt(ironic.node.get, OTHER),
    absent_mac=attempt(ironic.port.get_by_address, "52:54:00:00:00:09"),
    absent_instance=attempt(ironic.node.get_by_instance_uuid, OTHER),
    wrong=attempt(ironic.node.set_provision_state, NODE, "rebuild"),
    unknown=attempt(ironic.node.create, driver="fake-hardware", bogus=1),
    methods=sorted(ironic.driver.get_vendor_passthru_methods("fake-hardware")),
    deleted=[ironic.port.delete(PORT), ironic.node.delete(NODE)],
    left=[node.uuid for node in ironic.node.list()],
)
