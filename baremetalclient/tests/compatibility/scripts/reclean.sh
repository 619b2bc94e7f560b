# fake_server: {"seed": {"nodes": [{"uuid": "80000000-0000-4000-8000-000000000001", "name": "server-1", "driver": "fake-hardware", "provision_state": "clean failed"}, {"uuid": "80000000-0000-4000-8000-000000000002", "name": "server-2", "driver": "fake-hardware", "provision_state": "active", "instance_uuid": "80000000-0000-4000-8000-000000000099"}]}}
# Clean a machine again: each step of a workflow is one command, and its status decides.
device=80000000-0000-4000-8000-000000000001
openstack baremetal node manage --wait 0 $device
state=$(openstack baremetal node show -f value -c provision_state $device)
echo "$state"
[ "$state" = manageable ]
baremetal node provide --wait 0 $device
baremetal node show -f value -c provision_state -c target_provision_state $device
baremetal node show --instance 80000000-0000-4000-8000-000000000099 -f value -c name
baremetal node list --associated -f value -c name -c "instance_uuid"
baremetal node list --unassociated -f value -c name -c instance_uuid
if baremetal node manage 80000000-0000-4000-8000-000000000002 2>/dev/null; then exit 1; fi
if baremetal node show absent 2>/dev/null; then exit 1; fi
if baremetal node provide 2>/dev/null; then exit 1; else echo "status $?"; fi
