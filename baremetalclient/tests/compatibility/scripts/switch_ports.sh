# fake_server: {"seed": {"nodes": [{"uuid": "70000000-0000-4000-8000-000000000001", "name": "tk0", "driver": "fake-hardware", "provision_state": "available", "ports": [{"address": "52:54:00:50:00:01", "uuid": "70000000-0000-4000-8000-000000000011"}]}]}}
# Connect a node of a test lab to its switch: maintenance, the port, the network interface.
baremetal node maintenance set tk0 --reason "moving to another switch"
baremetal node show tk0 -f value -c maintenance -c maintenance_reason
port=$(openstack baremetal port list --node tk0 -f value -c uuid)
baremetal port set --local-link-connection port_id="Eth 1/1/2" \
    --local-link-connection switch_id=0c:4e:69:da:00:01 \
    --local-link-connection switch_info=leaf-1 "$port"
baremetal node set --network-interface noop tk0
baremetal port unset --local-link-connection switch_info "$port"
baremetal node maintenance unset tk0
baremetal port show "$port" -c local_link_connection -c address -c portgroup_uuid -c physical_network
state=$(baremetal node show tk0 -f value -c provision_state)
if [ "$state" != available ]; then
    echo "tk0 is in state '$state'" >&2
    exit 1
fi
baremetal port show --address 52:54:00:50:00:01 -f json -c local_link_connection -c name -c extra
