"""Reserve a node, attach its ports and deploy it, after metalsmith of 2015."""

# fake_server: {"auth": "keystone"}

from _lab import NODE, OTHER, PORT, caught, make_session, show

from baremetalclient import client as ir_client

REMOVE = object()
ironic = ir_client.get_client("1", session=make_session(), os_ironic_api_version="1.28")


def update(node, *first, **attributes):
    attributes.update(*first)
    patches = []
    for key, value in attributes.items():
        path = key if key.startswith("/") else f"/{key}"
        if value is REMOVE:
            patches.append({"op": "remove", "path": path})
        else:
            patches.append({"op": "add", "path": path, "value": value})
    return ironic.node.update(node, patches)


for uuid in (NODE, OTHER):
    ironic.node.create(uuid=uuid, driver="fake-hardware", resource_class="baremetal")
    ironic.node.set_provision_state(uuid, "manage")
ironic.node.set_provision_state(NODE, "provide")
ironic.port.create(uuid=PORT, node_uuid=NODE, address="52:54:00:00:00:01")
nodes = ironic.node.list(
    limit=0,
    resource_class="baremetal",
    maintenance=False,
    associated=False,
    detail=True,
    provision_state="available",
)
update(NODE, {"/instance_info/ramdisk": "r"}, instance_uuid=OTHER)
changed = update(NODE, {"/instance_info/ramdisk": REMOVE, "/instance_info/kernel": "k"})
empty = update(NODE)
validation = ironic.node.validate(NODE)

show(
    nodes=[node.uuid for node in nodes],
    ports=[port.uuid for port in ironic.node.list_ports(NODE, limit=0)],
    changed=[changed.instance_uuid, changed.instance_info],
    empty=empty.instance_info,
    validation=[getattr(validation, name)["result"] for name in ("power", "management")],
    attached=ironic.node.vif_attach(NODE, "vif"),
    detached=caught(ironic.node.vif_detach, NODE, "vif"),
    deployed=[
        ironic.node.set_provision_state(NODE, "active"),
        ironic.node.get(NODE).provision_state,
    ],
    released=[update(NODE, instance_uuid=REMOVE).instance_uuid],
)
