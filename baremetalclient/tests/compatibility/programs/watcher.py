"""Switch the machines of a cluster off and on, after Watcher's metal helper."""

# fake_server: {"auth": "keystone"}

from _lab import NODE, OTHER, make_session, show

from baremetalclient import client

ironic = client.get_client(
    1,
    session=make_session(),
    os_ironic_api_version=["1.30", "1.58"],
    region_name="RegionOne",
    service_type="baremetal",
    interface="publicURL",
)
ironic.node.create(uuid=NODE, driver="fake-hardware", extra={"compute_node_id": "c"})
ironic.node.create(uuid=OTHER, driver="fake-hardware")
ironic.node.set_provision_state(NODE, "manage")
machines = {}
for node in ironic.node.list():
    info = ironic.node.get(node.uuid)
    machines[info.extra.get("compute_node_id", "none")] = node.uuid
states = []
for target in ("on", "off"):
    ironic.node.set_power_state(machines["c"], target)
    states.append(ironic.node.get(machines["c"]).power_state)

show(machines=machines, states=states, version=ironic.http_client.os_ironic_api_version)
