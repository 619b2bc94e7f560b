# The first commands of a container with a test Ironic.
export OS_AUTH_TYPE=none
openstack baremetal driver list -f value -c name
openstack baremetal node list
node=$(baremetal node create --driver fake-hardware --management-interface fake \
    --power-interface fake --driver-info ipmi_address=1.2.3.4 -f value -c uuid)
baremetal node set "$node" --driver-info ipmi_password=secret
baremetal port create aa:bb:cc:dd:ee:ff --node "$node" -f value -c address -c node_uuid |
    sed "s/$node/NODE/"
baremetal node validate "$node" -f value -c Interface -c Result
baremetal node validate "$node" -f json | grep -c Interface
baremetal node power on "$node"
baremetal node boot device set "$node" pxe
baremetal node boot device show "$node"
baremetal node boot device show --supported "$node" -f value
baremetal node reboot "$node"
baremetal node show "$node" -f value -c power_state -c target_power_state
baremetal node console show "$node"
baremetal driver show fake-hardware -f value -c name -c type -c default_deploy_interface
baremetal driver property list fake-hardware
