# A deployment that waits for a machine without a name or an instance to turn up: grep None.
baremetal node create --driver fake-hardware --uuid 30000000-0000-4000-8000-000000000001 >/dev/null
[ "$(openstack baremetal node list | grep None)" != "" ]
uuid=$(baremetal node list | grep None | awk '{print $2}')
baremetal node set "$uuid" --name baremetal-workload-0 --resource-class sgx_baremetal
baremetal node add trait "$uuid" HW_CPU_X86_SGX
baremetal node set --network-interface noop "$uuid"
baremetal node set --property capabilities=boot_mode:uefi "$uuid"
# shellcheck disable=SC2046,SC2005
state=$(echo $(baremetal node show "$uuid" | grep provision_state) | awk '{print $4}')
[ "$state" = enroll ] && baremetal node manage "$uuid" && baremetal node provide "$uuid"
baremetal node list | grep None | awk '{print $2, $4, $6, $8, $9, $11}'
baremetal node trait list "$uuid"
baremetal node show "$uuid" -c last_error -c instance_uuid -c chassis_uuid -c traits -c extra
