"""Enrol a server and keep it and its ports up to date, after UnderStack's workflows."""

# fake_server: {"auth": "keystone"}

from _lab import NODE, PORT, make_session, show

import baremetalclient.common.apiclient.exceptions
from baremetalclient import client
from baremetalclient.common.utils import args_array_to_patch

ironic = client.Client(1, session=make_session(), os_ironic_api_version="1.82")


def create_or_update(name, driver):
    try:
        node = ironic.node.get(name)
    except baremetalclient.common.apiclient.exceptions.NotFound:
        fields = {"uuid": NODE, "name": name, "driver": driver, "inspect_interface": "no-inspect"}
        return ironic.node.create(**fields), []
    wanted = [f"name={name}", f"driver={driver}", "extra/rack=7", "/extra/serial=0815"]
    patch = args_array_to_patch("add", wanted)
    changed = [one for one in patch if not one["path"].startswith(("/name", "/driver"))]
    return ironic.node.update(node.uuid, changed), changed


created, _ = create_or_update("server-1", "fake-hardware")
updated, patch = create_or_update("server-1", "fake-hardware")
unchanged = ironic.node.update(NODE, [])
removed = ironic.node.update(NODE, args_array_to_patch("remove", ["extra/rack"]))
port = ironic.port.create(uuid=PORT, node_uuid=NODE, address="52:54:00:00:00:01")
links = {"switch_id": "00:11:22:33:44:55", "port_id": "eth1", "switch_info": "leaf"}
port = ironic.port.update(PORT, [{"op": "add", "path": "/local_link_connection", "value": links}])
ports = ironic.port.list(node=NODE, detail=True)
state = ironic.node.get(NODE, ["provision_state", "uuid"])
ironic.port.delete(PORT)

show(
    created=[created.uuid, created.name, created.provision_state, created.inspect_interface],
    patch=patch,
    updated=updated.extra,
    unchanged=unchanged.extra,
    removed=removed.extra,
    ports=[[one.uuid, one.local_link_connection] for one in ports],
    state=state.provision_state,
    fields=sorted(set(state.to_dict()) - {"links"}),
    left=[one.uuid for one in ironic.port.list(node=NODE, detail=True)],
)
