# fake_server: {"seed": {"nodes": [{"uuid": "50000000-0000-4000-8000-000000000001", "name": "ceph-0", "driver": "fake-hardware", "provision_state": "clean failed", "maintenance": true}, {"uuid": "50000000-0000-4000-8000-000000000002", "name": "ceph-1", "driver": "fake-hardware", "provision_state": "available"}]}}
# Bring nodes whose cleaning failed back, as the scripts of TripleO's users do.
openstack baremetal node list | grep clean
for node_ident in $(openstack baremetal node list | grep "clean failed" | awk '{print $2}'); do
    baremetal node manage "$node_ident"
    baremetal node maintenance unset "$node_ident"
    baremetal node provide "$node_ident"
    baremetal node list | grep "$node_ident"
done
baremetal node list | grep -c available
baremetal node list --provision-state "clean failed"
