"""Register servers with options that begin with os_, after ironic-oneview-cli."""

# fake_server: {"auth": "keystone"}

from _lab import NODE, PORT, credentials, show

from baremetalclient import client as ironic_client

options = {f"os_{name}": value for name, value in credentials().items()}
options["os_tenant_name"] = options.pop("os_project_name")
ironic = ironic_client.get_client(1, os_ironic_api_version="1.11", insecure=True, **options)
node = ironic.node.create(
    uuid=NODE,
    driver="fake-hardware",
    driver_info={"server_hardware_uri": "/rest/1"},
    properties={"capabilities": "server_hardware_type_uri:/rest/2", "cpu_arch": "x86_64"},
)
port = ironic.port.create(uuid=PORT, node_uuid=node.uuid, address="52:54:00:00:00:01")
known = [one.driver_info.get("server_hardware_uri") for one in ironic.node.list(detail=True)]

show(
    node=[node.uuid, node.properties, node.chassis_uuid],
    port=[port.node_uuid, port.address],
    known=known,
)
