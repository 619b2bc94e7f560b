# What kayobe's playbooks run to register compute nodes by IPMI, in a conductor group.
set -eu

baremetal conductor list --fields conductor_group alive -f value | sort -u
baremetal driver list --fields name -f value | grep -x ipmi
trap 'baremetal node maintenance set compute-0; baremetal node delete compute-0' EXIT

baremetal node create --name compute-0 --driver ipmi --conductor-group "$CONDUCTOR_GROUP" \
    --driver-info ipmi_address="$IPMI_ADDRESS" --driver-info ipmi_port="$IPMI_PORT" \
    --driver-info ipmi_username=admin --driver-info ipmi_password=password \
    --driver-info deploy_kernel=http://images/kernel \
    --driver-info deploy_ramdisk=http://images/ramdisk \
    --property capabilities=boot_mode:uefi --resource-class baremetal.general \
    --network-interface noop -f value -c conductor_group -c driver -c management_interface
uuid=$(baremetal node show compute-0 -f value -c uuid)
baremetal port create 52:54:00:10:00:02 --node "$uuid" --physical-network physnet1 \
    --local-link-connection switch_id=aa:bb:cc:dd:ee:ff \
    --local-link-connection port_id=Eth1/1 -f value -c address -c physical_network
baremetal node validate compute-0 -f json | python3 -c '
import json, sys
for row in json.load(sys.stdin):
    if row["Interface"] in ("management", "power", "network"):
        print(row["Interface"], row["Result"])'
baremetal node manage compute-0 --wait
baremetal node show compute-0 -f value -c provision_state -c last_error
baremetal node boot device set compute-0 pxe --persistent
baremetal node boot device show compute-0 -f value
baremetal node provide compute-0 --wait
baremetal node power on compute-0
until [ "$(baremetal node show compute-0 -f value -c power_state)" = "power on" ]; do :; done
baremetal node power off compute-0
until [ "$(baremetal node show compute-0 -f value -c power_state)" = "power off" ]; do :; done
baremetal node list --conductor-group "$CONDUCTOR_GROUP" -f value -c Name -c "Provisioning State"
