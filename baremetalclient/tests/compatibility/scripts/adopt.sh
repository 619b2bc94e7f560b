# Take over machines that are in use, as bifrost's users do after an upgrade.
uuid=$(baremetal node create --driver fake-hardware --name tower -f value -c uuid \
    --instance-info image_source=http://localhost:7870/image.qcow2 2>/dev/null) ||
    uuid=$(baremetal node create --driver fake-hardware --name tower -f value -c uuid)
baremetal node set "$uuid" --instance-info image_source=http://localhost:7870/image.qcow2 \
    --instance-info root_gb=10 --instance-uuid b0000000-0000-4000-8000-000000000099
baremetal node manage tower
baremetal node adopt tower
baremetal node show tower -f value -c provision_state -c instance_uuid -c instance_info
baremetal node set tower --protected --protected-reason "in use" --owner me --description "a tower"
if baremetal node undeploy tower 2>/dev/null; then exit 1; else echo "status $?"; fi
baremetal node unset tower --protected
baremetal node undeploy tower
baremetal node show tower -c provision_state -c instance_uuid -c instance_info -c protected -c owner \
    -c description -c protected_reason
