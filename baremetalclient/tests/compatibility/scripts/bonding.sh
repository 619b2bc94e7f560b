# A bond of two ports, as Ironic's page about port groups makes it.
baremetal node create --driver fake-hardware --name bonded \
    --uuid d0000000-0000-4000-8000-000000000001 >/dev/null
baremetal port group create --node d0000000-0000-4000-8000-000000000001 --name bond-1 \
    --address fa:ab:25:48:fd:ba --mode 802.3ad --property miimon=100 \
    --property xmit_hash_policy="layer2+3" --support-standalone-ports |
    grep -vE '_at | uuid'
for number in 1 2; do
    baremetal port create --node d0000000-0000-4000-8000-000000000001 52:54:00:60:00:0$number \
        --port-group "$(baremetal port group show bond-1 -f value -c uuid)" -f value -c address
done
baremetal port list --port-group bond-1 -f value -c Address
baremetal port group list -f value -c Address -c Name
baremetal port group set bond-1 --mode active-backup --unsupport-standalone-ports
baremetal port group show bond-1 -c mode -c properties -c standalone_ports_supported -c extra
baremetal port group unset bond-1 --address --property miimon
baremetal port group show bond-1 -f json -c address -c properties -c physical_network
