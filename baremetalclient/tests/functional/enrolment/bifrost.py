"""What bifrost's playbooks do through openstacksdk: enrol, inspect, make available, remove."""

import os

import openstack

cloud = openstack.connect(
    auth_type="none",
    endpoint=os.environ["OS_ENDPOINT"],
    baremetal_endpoint_override=os.environ["OS_ENDPOINT"],
    baremetal_default_microversion="1.93",
)
info = {
    "ipmi_address": os.environ["IPMI_ADDRESS"],
    "ipmi_port": os.environ["IPMI_PORT"],
    "ipmi_username": "admin",
    "ipmi_password": "password",
}
node = cloud.baremetal.create_node(
    name="testvm1",
    driver="ipmi",
    driver_info=info,
    conductor_group=os.environ["CONDUCTOR_GROUP"],
    network_interface="noop",
    properties={"cpu_arch": "x86_64", "memory_mb": 8192, "local_gb": 10},
)
try:
    print(node.provision_state, node.driver_info["ipmi_password"])
    cloud.baremetal.create_port(node_id=node.id, address="52:54:00:10:00:03")
    found = cloud.baremetal.validate_node(node, required=("power", "management"))
    print({kind: found[kind].result for kind in ("power", "management", "console", "network")})
    node = cloud.baremetal.set_node_provision_state(node, "manage", wait=True, timeout=60)
    print(node.provision_state, node.power_state)
    node = cloud.baremetal.set_node_provision_state(node, "provide", wait=True, timeout=60)
    print(node.provision_state)
    cloud.baremetal.set_node_power_state(node, "power on", wait=True, timeout=60)
    node = cloud.baremetal.get_node(node.id)
    print(node.power_state, node.conductor_group)
    cloud.baremetal.set_node_boot_device(node, "disk", persistent=True)
    print(cloud.baremetal.get_node_boot_device(node)["boot_device"])
    cloud.baremetal.set_node_provision_state(node, "manage", wait=True, timeout=60)
finally:
    cloud.baremetal.delete_node(node.id)
print([item.name for item in cloud.baremetal.nodes()])
