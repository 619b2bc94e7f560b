# Root device hints, set and removed, as the notes of operators show it.
baremetal node create --driver fake-hardware --name ceph1 --property cpus=2 \
    --property memory_mb=4096 --property 'capabilities=profile:ceph-storage,boot_mode:bios' >/dev/null
openstack baremetal node set ceph1 --property root_device='{"name": "/dev/vda"}'
openstack baremetal node show ceph1 -f json -c properties
baremetal node set ceph1 --property root_device='{"wwn": "0x4000cca77fc4dba1"}' --extra rack=7
baremetal node show ceph1 -f value -c properties
baremetal node show ceph1 --fields properties extra
baremetal node unset ceph1 --property root_device --extra rack
baremetal node show ceph1 --fields properties extra -f json
baremetal node unset ceph1 --name
baremetal node list -f value -c name -c maintenance
