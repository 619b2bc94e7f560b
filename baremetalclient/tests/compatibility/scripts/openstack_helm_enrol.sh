# Enrol the hosts of a file and wait for them, as the gate of openstack-helm does.
cat >hosts.txt <<'HOSTS'
127.0.0.1 52:54:00:10:00:01
127.0.0.2 52:54:00:10:00:02
HOSTS
while read -r bmc mac; do
    node=$(openstack baremetal node create --driver fake-hardware \
        --driver-info ipmi_username=admin --driver-info ipmi_password=password \
        --driver-info "ipmi_address=$bmc" --driver-info ipmi_port=623 \
        --property local_gb=5 --property memory_mb=4096 --property cpus=2 \
        --property cpu_arch=x86_64 -f value -c uuid </dev/null)
    baremetal node manage "$node"
    baremetal port create --node "$node" "$mac" | grep -E 'address|pxe_enabled|physical_network'
    baremetal node validate "$node"
    baremetal node provide "$node"
    baremetal node show "$node" -c driver_info -c properties -c provision_state -c last_error
done <hosts.txt
for node in $(openstack baremetal node list -f value -c UUID); do
    until state=$(baremetal node show "$node" -f value -c provision_state) &&
        [ "x$state" = xavailable ]; do
        sleep 1
    done
    echo "$state"
done
