# fake_server: {"seed": {"nodes": [{"uuid": "c0000000-0000-4000-8000-000000000001", "name": "compute-0", "driver": "fake-hardware", "provision_state": "available", "resource_class": "compute", "traits": ["CUSTOM_GPU"]}]}}
# Reserve a node, look at what was found, and give it back.
baremetal allocation create --resource-class compute --trait CUSTOM_GPU --name job-1 --wait 30 \
    --uuid c0000000-0000-4000-8000-000000000011 -f json -c name -c resource_class -c traits -c extra
baremetal allocation list
baremetal allocation list --state active -f value -c name -c node_uuid
baremetal allocation show job-1 -c state -c last_error -c candidate_nodes -c node_uuid -c owner
baremetal node show compute-0 -f value -c instance_uuid -c allocation_uuid
baremetal allocation create --resource-class compute --name job-2 -f value -c name
baremetal allocation list --state error -f value -c name -c state
baremetal allocation delete job-1 job-2
baremetal allocation list
