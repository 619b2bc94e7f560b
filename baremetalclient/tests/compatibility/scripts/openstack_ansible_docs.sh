# The pages of OpenStack-Ansible about bare metal.
baremetal node create --name baremetal01 --driver fake-hardware --resource-class my-class \
    --driver-info ipmi_username=admin --property cpus=48 --property memory_mb=254802 \
    --uuid 40000000-0000-4000-8000-000000000001 | grep -vE '_at |uuid|conductor'
openstack baremetal node manage baremetal01
openstack baremetal node provide baremetal01
openstack baremetal node list --fit
node_mac=f0:92:1c:0c:1f:88
openstack baremetal port create $node_mac \
    --node "$(openstack baremetal node show baremetal01 -c uuid | awk -F '|' '/ uuid  / {print $3}' | tr -d ' ')" |
    grep -vE '_at | uuid'
openstack baremetal node show baremetal01 -c uuid
