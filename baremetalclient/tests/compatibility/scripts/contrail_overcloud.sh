# Import a list of machines in one loop, and set the images of all of them in another one.
cat >ironic_list <<'LIST'
52:54:00:16:54:d8 control-1 10.87.64.31 control 16235
52:54:00:b0:94:2f compute-1 10.87.64.32 compute 16230
LIST
while IFS= read -r line; do
    mac=$(echo "$line" | awk '{print $1}')
    name=$(echo "$line" | awk '{print $2}')
    uuid=$(baremetal node create --driver fake-hardware --property cpus=4 \
        --property memory_mb=16348 --property local_gb=100 --property cpu_arch=x86_64 \
        --driver-info "ipmi_port=$(echo "$line" | awk '{print $5}')" --name="$name" \
        --property "capabilities=profile:$(echo "$line" | awk '{print $4}'),boot_option:local" \
        -c uuid -f value)
    baremetal port create --node "$uuid" "$mac" >/dev/null
done <ironic_list
for i in $(baremetal node list -c UUID -f value); do
    baremetal node set "$i" --driver-info deploy_kernel=k --driver-info deploy_ramdisk=r
done
for i in $(baremetal node list -c Name -f value --sort name); do
    baremetal node show "$i" -c properties -c driver_info -f value
done
baremetal node list -c Name -c "Maintenance" --sort name:desc
