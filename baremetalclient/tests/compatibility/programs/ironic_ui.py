"""Fill the panels of a dashboard, after ironic-ui's API."""

import os

from _lab import GROUP, NODE, PORT, caught, show, stable
from keystoneauth1 import noauth, session

from baremetalclient import client
from baremetalclient.v1 import resource_fields as res_fields

URL = os.environ["OS_ENDPOINT"]


def connect():
    return client.Client(
        1, URL, session.Session(auth=noauth.NoAuth()), os_ironic_api_version="1.27"
    )


def as_dict(resource, columns):
    return stable({name: getattr(resource, name, "") for name in columns.fields})


node = connect().node.create(uuid=NODE, name="n", driver="fake-hardware", properties={"cpus": 4})
created = as_dict(node, res_fields.NODE_DETAILED_RESOURCE)
port = connect().port.create(uuid=PORT, node_uuid=NODE, address="52:54:00:00:00:01")
group = connect().portgroup.create(uuid=GROUP, node_uuid=NODE, name="g")
move = [{"op": "replace", "path": "/portgroup_uuid", "value": GROUP}]
manager = connect().node
manager.set_provision_state(NODE, "manage", cleansteps=None)
validation = {name: status["result"] for name, status in manager.validate(NODE).to_dict().items()}
manager.set_power_state(NODE, "off", False)
manager.set_maintenance(NODE, True, maint_reason="look at it")
manager.set_boot_device(NODE, "pxe", True)
listed = manager.list(detail=True, limit=0)

show(
    created=created,
    port=as_dict(connect().port.update(PORT, move), res_fields.PORT_DETAILED_RESOURCE),
    ports=[one.uuid for one in manager.list_ports(NODE, limit=0, detail=True)],
    groups=[one.name for one in connect().portgroup.list(NODE, limit=0, detail=True)],
    ports_of_group=[one.uuid for one in connect().portgroup.list_ports(GROUP)],
    group=as_dict(
        connect().portgroup.update(GROUP, [{"op": "add", "path": "/extra/a", "value": 1}]),
        res_fields.PORTGROUP_DETAILED_RESOURCE,
    ),
    validation=validation,
    boot_device=manager.get_boot_device(NODE),
    devices=manager.get_supported_boot_devices(NODE).get("supported_boot_devices", []),
    console=manager.get_console(NODE),
    console_enabled=caught(manager.set_console_mode, NODE, True),
    nodes=[[one.uuid, one.maintenance_reason, one.provision_state] for one in listed],
    drivers=[one.name for one in connect().driver.list()],
    properties=sorted(connect().driver.properties("fake-hardware")),
    labels=res_fields.NODE_RESOURCE.labels,
    deleted=[connect().port.delete(PORT), connect().portgroup.delete(GROUP)],
    node_deleted=manager.delete(NODE),
)
