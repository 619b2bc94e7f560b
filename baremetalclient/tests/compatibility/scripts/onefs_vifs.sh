# Find ports by their network and attach VIFs to them; option names are shortened.
baremetal node create --driver fake-hardware --name onefs-1 >/dev/null
node=$(baremetal node list | grep onefs-1 | awk '{print $2}')
for number in 1 2; do
    baremetal port create --node "$node" 52:54:00:40:00:0$number --physical-network bsf$number-net \
        --local-link-connection switch_id=0a:1b:2c:3d:4e:5f \
        --local-link-connection "port_id=Ethernet$number" >/dev/null
    port=$(baremetal port list --node "$node" --field uuid --field physical_network |
        grep bsf$number-net | awk '{print $2}')
    baremetal node vif attach --port-uuid "$port" onefs-1 "vif-$number"
    baremetal port show "$port" -f value -c physical_network -c local_link_connection
done
baremetal node vif list onefs-1
baremetal node vif detach onefs-1 vif-1
baremetal port list --node onefs-1 --fields address physical_network pxe_enabled
