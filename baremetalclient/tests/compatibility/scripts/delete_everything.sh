# fake_server: {"seed": {"nodes": [{"uuid": "a0000000-0000-4000-8000-000000000001", "name": "a", "driver": "fake-hardware", "provision_state": "active", "instance_uuid": "a0000000-0000-4000-8000-000000000099"}, {"uuid": "a0000000-0000-4000-8000-000000000002", "name": "b", "driver": "fake-hardware", "provision_state": "available"}]}}
# Empty a lab before its nodes are imported again.
for i in $(openstack baremetal node list -f value -c UUID); do
    baremetal node maintenance set "$i"
    echo "Setting maintenance mode for node $i"
done
for i in $(baremetal node list -f value -c UUID); do
    baremetal node undeploy "$i" 2>/dev/null || echo "no instance on $i"
done
baremetal node delete $(baremetal node list -f value -c UUID)
baremetal node list
baremetal node list -f json
baremetal node list -f value
if baremetal node delete a b 2>/dev/null; then exit 1; else echo "status $?"; fi
