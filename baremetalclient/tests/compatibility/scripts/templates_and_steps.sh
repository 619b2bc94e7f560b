# Deploy templates and manual cleaning with steps from files, as Ironic's pages have them.
cat >steps.json <<'STEPS'
[{"interface": "bios", "step": "apply_configuration", "priority": 150,
  "args": {"settings": [{"name": "LogicalProc", "value": "Enabled"}]}}]
STEPS
cat >raid.json <<'RAID'
{"logical_disks": [{"size_gb": 50, "raid_level": "1", "is_root_volume": true}]}
RAID
baremetal deploy template create CUSTOM_HYPERTHREADING_ON --steps steps.json |
    grep -vE '_at | uuid'
baremetal deploy template list -f value -c Name
baremetal deploy template show CUSTOM_HYPERTHREADING_ON -f json -c name -c extra
baremetal deploy template set CUSTOM_HYPERTHREADING_ON --extra owner=lab
baremetal node create --driver fake-hardware --name n --raid-interface fake >/dev/null
baremetal node manage n
baremetal node set n --target-raid-config raid.json
baremetal node show n -f json -c target_raid_config -c raid_config
baremetal node clean n --clean-steps '[{"interface": "raid", "step": "delete_configuration"}]'
baremetal node show n -f value -c provision_state -c clean_step
baremetal node add trait n CUSTOM_A HW_CPU_X86_VMX
baremetal node trait list n -f value | sort
baremetal node remove trait n --all
baremetal node trait list n
baremetal deploy template delete CUSTOM_HYPERTHREADING_ON
