"""Look resources up for a template, after Heat's client plugin."""

# fake_server: {"auth": "keystone"}

from _lab import GROUP, NODE, make_session, show

from baremetalclient.common.apiclient import exceptions as ic_exc
from baremetalclient.v1 import client as ironic_client

ironic = ironic_client.Client(
    interface="publicURL",
    service_type="baremetal",
    session=make_session(),
    region_name="RegionOne",
    os_ironic_api_version="1.58",
)


def uuid_of(entity, value):
    try:
        return getattr(ironic, entity).get(value).uuid
    except ic_exc.NotFound as error:
        return [isinstance(error, ic_exc.RequestEntityTooLarge), error.http_status]


ironic.node.create(uuid=NODE, driver="fake-hardware", name="n")
ironic.portgroup.create(uuid=GROUP, node_uuid=NODE, name="g")
ironic.port.create(node_uuid=NODE, portgroup_uuid=GROUP, address="52:54:00:00:00:01")
try:
    ironic.portgroup.create(node_uuid=NODE, name="g")
    conflict = None
except Exception as error:
    conflict = [isinstance(error, ic_exc.Conflict), isinstance(error, ic_exc.NotFound)]

show(
    node=uuid_of("node", "n"),
    group=uuid_of("portgroup", "g"),
    absent_node=uuid_of("node", "nope"),
    absent_group=uuid_of("portgroup", "nope"),
    conflict=conflict,
    ports=[port.address for port in ironic.port.list(portgroup=GROUP)],
)
