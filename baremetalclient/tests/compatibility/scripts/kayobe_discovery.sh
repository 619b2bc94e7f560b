# fake_server: {"seed": {"nodes": [{"uuid": "10000000-0000-4000-8000-000000000001", "name": "controller-0", "driver": "fake-hardware", "resource_class": "controller", "provision_state": "manageable", "properties": {"cpus": 8}, "ports": [{"address": "52:54:00:20:00:01", "uuid": "10000000-0000-4000-8000-000000000011"}]}, {"uuid": "10000000-0000-4000-8000-000000000002", "driver": "fake-hardware", "provision_state": "available", "maintenance": true}]}}
# What kayobe asks for when it discovers the machines of a seed.
openstack baremetal node list -f json --fields uuid name provision_state maintenance
baremetal node list --fields name resource_class -f value
baremetal node list -f json -c UUID -c Name --maintenance
baremetal node list --no-maintenance -f csv
baremetal node show controller-0 -f json -c name -c properties -c resource_class -c fault
baremetal node show controller-0 -f shell -c uuid -c instance_uuid -c provision_state
baremetal node show controller-0 -f yaml -c properties -c maintenance
baremetal port list --node controller-0 -f json
baremetal port list --long -f json -c Address -c node_uuid -c physical_network -c pxe_enabled
baremetal node list --long -f value -c name -c driver -c driver_info -c traits
