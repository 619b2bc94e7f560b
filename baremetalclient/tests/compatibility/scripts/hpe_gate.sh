# The way of a third party's gate: tables cut with grep, awk and tail.
openstack baremetal node create --driver fake-hardware --driver-info ilo_address=10.1.2.3 \
    --driver-info ilo_username=Administrator --driver-info ilo_verify_ca=False \
    --boot-interface fake --deploy-interface fake |
    grep -E '\| (driver|boot_interface|provision_state|driver_info|extra|name) '
node=$(openstack baremetal node list | grep -v UUID | grep "\w" | awk '{print $2}' | tail -n1)
baremetal node set --driver-info deploy_kernel=http://10.1.2.4/kernel \
    --driver-info deploy_ramdisk=http://10.1.2.4/ramdisk --instance-info root_gb=25 \
    --property capabilities='boot_mode:uefi' --property cpus=1 --property memory_mb=10000 \
    --property local_gb=40 --property cpu_arch=x86_64 "$node"
baremetal port create --node "$node" 52:54:00:30:00:01 | awk '/ address | extra | is_smartnic /'
baremetal node power on "$node"
baremetal node list | awk '{print $4, $6, $8, $9}'
baremetal node manage "$node"
baremetal node provide "$node"
baremetal node power off "$node"
baremetal node show "$node" | grep -E ' (power_state|provision_state|instance_info) ' | tr -s " -"
