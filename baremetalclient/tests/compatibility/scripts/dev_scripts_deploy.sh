# Create nodes from a file and deploy them, as metal3's dev-scripts do.
cat >nodes.json <<'NODES'
{"nodes": [
  {"name": "openshift-master-0", "driver": "fake-hardware", "uuid": "20000000-0000-4000-8000-000000000001",
   "driver_info": {"ipmi_address": "192.168.111.1", "ipmi_port": "6230"},
   "ports": [{"address": "00:9d:1e:d6:1b:01", "pxe_enabled": true}],
   "properties": {"local_gb": "50", "cpu_arch": "x86_64"}},
  {"name": "openshift-master-1", "driver": "fake-hardware", "uuid": "20000000-0000-4000-8000-000000000002",
   "driver_info": {"ipmi_address": "192.168.111.1", "ipmi_port": "6231"},
   "ports": [{"address": "00:9d:1e:d6:1b:02", "pxe_enabled": true}],
   "properties": {"local_gb": "50", "cpu_arch": "x86_64"}}
]}
NODES
baremetal create nodes.json
for name in openshift-master-0 openshift-master-1; do
    baremetal node manage "$name" --wait 60
    baremetal node provide "$name" --wait 60
    baremetal node set "$name" --instance-info image_source=http://172.22.0.1/rhcos.qcow2 \
        --instance-info image_checksum=0123456789abcdef0123456789abcdef --instance-info root_gb=25 \
        --property 'root_device={"name": "/dev/sda"}'
    baremetal node deploy "$name" --config-drive '{"user_data": {"ignition": {"version": "3.2.0"}}}'
done
baremetal node list
baremetal node list --provision-state active -f value -c name -c power_state
baremetal port list -f value -c Address
