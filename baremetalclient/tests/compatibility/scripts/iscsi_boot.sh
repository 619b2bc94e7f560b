# Enrol a node that boots from volumes, with its connector and target.
baremetal node create --name iscsi-1 --driver fake-hardware \
    --property capabilities=iscsi_boot:True --resource-class baremetal >/dev/null
uuid=$(openstack baremetal node show iscsi-1 -f value -c uuid)
baremetal node set --storage-interface cinder "$uuid"
openstack baremetal volume connector create --node "$uuid" --type iqn \
    --connector-id "iqn.2017-08.org.openstack.node" |
    grep -E 'type|connector_id|extra|Field'
baremetal volume target create --node "$uuid" --type iscsi --boot-index 0 \
    --volume-id 60000000-0000-4000-8000-000000000001 --property target_lun=1 -f json \
    -c volume_type -c boot_index -c volume_id -c properties -c extra
baremetal volume connector list --fields type connector_id
baremetal volume connector list --node "$uuid" -f json --fields type connector_id extra
baremetal volume target list -f value -c "Boot Index" -c volume_id --fields boot_index volume_id
connector=$(baremetal volume connector list -f value -c uuid)
baremetal volume connector delete "$connector" | sed "s/$connector/CONNECTOR/"
baremetal volume connector list
