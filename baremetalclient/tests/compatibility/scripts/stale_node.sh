# Replace a node and its port after a board was changed, as a runbook of StarlingX says.
old=$(baremetal node create --driver fake-hardware --name ironic-test0 -f value -c uuid)
old_port=$(baremetal port create --node "$old" 00:1e:67:f1:5b:91 -f value -c uuid)
baremetal port list --fields address
openstack baremetal node delete "$old" | sed "s/$old/NODE/"
if baremetal port delete "$old_port" 2>/dev/null; then exit 1; else echo "status $?"; fi
baremetal node create --driver fake-hardware --name ironic-test0 \
    --uuid 90000000-0000-4000-8000-000000000001 >/dev/null
baremetal node set --property cpus=4 --property cpu_arch=x86_64 \
    --property capabilities="boot_option:local" --property memory_mb=65536 \
    --resource-class bm ironic-test0
baremetal port create --pxe-enabled true a4:bf:01:2b:3b:c8 \
    --node "$(openstack baremetal node list | grep ironic-test0 | awk '{print$2}')" |
    grep -E 'node_uuid|pxe_enabled|portgroup_uuid|physical_network'
if baremetal port create 00:1e:67:f1:5b:91 --node absent 2>/dev/null; then exit 1; fi
if baremetal node create --driver absent 2>/dev/null; then exit 1; else echo "status $?"; fi
openstack baremetal node show ironic-test0 | grep -E 'resource_class|properties|owner|lessee|retired'
