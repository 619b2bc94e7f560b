"""Command lines that are wrong or odd, by what they are about.

What comes after `` < `` is typed. Names tell what the server says of a resource: it has none of
that which is ``missing``, refuses what is ``refused``, and ``failing`` is in a failure state.
"""

UUID = "00000000-0000-4000-8000-000000000001"

FILES = {
    "names": "x # the first\n\n y\tx\n",
    "none": "# nothing\n",
    "text": "content\n\n",
    "value.json": '{"a": 1}',
    "value.yaml": "a: [1, b]\n",
    "wrong.yaml": "a: [1\n",
    "steps.json": '[{"interface": "bios", "step": "reset"}]',
    "lab.yaml": "nodes: [{name: x, driver: d}]\n",
    "other.yaml": "nodes: [{name: n, driver: d, created_at: x, count: 2}]\nshards: []\n",
    "wrong-lab.yaml": "nodes: [{name: x, colour: red}]\nports: 7\n",
    "two.yaml": "nodes: [{name: x, driver: d}, {name: x, driver: e}]\n",
    "list.json": "[1]",
    "lab.txt": "{}",
    "secret.yaml": "nodes: [{name: x, driver_info: {password: !secret 'a'}}]\n",
    "command.yaml": "nodes: [{name: x, driver_info: {password: !secret 'cmd:echo s3cret-word'}}]\n",
    "variable.yaml": "nodes: [{name: x, driver_info: {password: !secret 'env:MISSING'}}]\n",
    "file.yaml": "nodes: [{name: x, driver_info: {password: !secret 'file:missing'}}]\n",
    "binary.yaml": "nodes: [{name: x, driver_info: {password: !secret 'file:binary'}}]\n",
    "failed.json": '{"verb": "node manage", "nodes": ['
    '{"name": "a", "uuid": null, "result": "failed"},'
    ' {"name": "b", "uuid": "u", "result": "skipped"},'
    ' {"name": "c", "uuid": "v", "result": "done"}]}',
    "done.json": '{"verb": "node manage", "nodes": [{"name": "a", "uuid": "u", "result": "done"}]}',
    "verb.json": '{"verb": "node manage", "nodes": [{"name": "a", "uuid": "u"}]}',
}
"""The files in the working directory, beside ``binary``, which is no text, and ``empty/``."""

LINES = {
    "the application": """
        bogus
        node
        node lst
        node bogus
        nod list
        port grup list
        port group
        node list --colour
        --bogus node list
        node --timing
        node --timin
        node list --timout=1
        bogus --timing
        server volumes
        --os-baremetal-api-version 2 node list
        --os-baremetal-api-version 1.12345 node list
        --os-baremetal-api-version 1.1234 node list
        --os-baremetal-api-version 1. node list
        --os-baremetal-api-version 1 node list
        --os-baremetal-api-version 1.1 node list
        --os-baremetal-api-version 1.0 node list
        --os-baremetal-api-version 1.115 node list
        --os-baremetal-api-version latest node list
        --max-retries -1 node list
        --max-retries x node list
        --timeout x node list
        --timeout 0 node list
        --timeout -1 node list
        --retry-interval x node list
        --insecure --verify node list
        complete
        complete --shell bash
        complete --shell zsh
        complete --shell fish
        complete --shell sh
        version show -c client_min -c negotiated
        version show -c client_max -f value
        --os-baremetal-api-version 1.77 version show -c negotiated -f value
        --os-baremetal-api-version 1.78 version show -c negotiated -f value
        --os-endpoint ironic.test node list
    """,
    "values": """
        node set x --extra k
        node set x --extra =v
        node set x --extra k=
        node set x --extra k=1
        node set x --extra k=a=b
        node set x --extra k:=1
        node set x --extra k:=a
        node set x --extra :=1
        node set x --extra k=@text
        node set x --extra k=@@text
        node set x --extra k=@missing
        node set x --extra k=@binary
        node set x --extra k=@empty
        node set x --extra k:=@value.json
        node set x --extra k:=@text
        node set x --extra k=@- < typed
        node set x --extra k:=@- < [1]
        node set x --name '  '
        node set x --name ''
        node set x --description ''
        node set x --target-raid-config {}
        node set x --target-raid-config value.json
        node set x --target-raid-config value.yaml
        node set x --target-raid-config wrong.yaml
        node set x --target-raid-config empty
        node set x --target-raid-config binary
        node set x --target-raid-config - < a: 1
        node set x --target-raid-config - < [1
        node set x --target-raid-config '[1'
        node set x --automated-clean maybe
        node set x --protected
        node set x --protected --unprotected
        port create a --node x --pxe-enabled maybe
        port create a --node x --pxe-enabled YES
        port create a --node x --pxe-enabled f
        node list --limit -1
        node list --limit x
        node list --limit 0
        node list --limit 1.5
        node list --fields colour
        node list --fields uuid uuid
        node list --fields uuid --long
        node list -c colour
        node list -c colour -c red -c uuid
        node list -c 'Power State' -f value
        node list --sort colour
        node list --sort name:up
        node list --sort name:
        node list --sort :asc
        node list --sort name,
        node list --sort name:desc
        node list --sort name:asc,uuid:desc
        node list --sort extra
        node list --fields uuid --sort name,driver
        node list --sort '' -f value
        node show x -c colour
        node show x --fields colour
        node show ''
        node show a/b
        node show ..
        allocation list --sort name:down
        port list --node x --sort uuid:asc -f json
        node power on x --power-timeout 0
        node power on x --power-timeout 1
        node power on x --power-timeout -1
        node rescue x --rescue-password ''
        node rescue x --rescue-password @text
        node rescue x --rescue-password @none
        node rescue x --rescue-password @missing
        node rescue x --rescue-password @- < word
        node rescue x --rescue-password '@- ' < word
        node rescue x --rescue-password @@word
        node rescue x --rescue-password @-
        node wait x --for name=x --timeout 1d
        node wait x --for name=x --timeout -1
        node wait x --for name=x --timeout 1234567890
        node wait x --for name=x --timeout 123456789
        node wait x --for name=x --timeout 2h
        node wait x --for name=x --timeout 3m
        node wait x --for name=x --timeout 4s
    """,
    "the choice of nodes": """
        node manage
        node manage - --parallel 1 < x y # z
        node manage - - < x
        node manage - x < y
        node manage - <
        node manage x x y --parallel 1
        node manage --nodes-file names --parallel 1
        node manage --nodes-file none
        node manage --nodes-file missing
        node manage --nodes-file binary
        node manage --nodes-file empty
        node manage --nodes-file names x
        node manage --nodes-file names --all
        node manage --retry-failed failed.json --parallel 1
        node manage --retry-failed done.json
        node manage --retry-failed verb.json
        node manage --retry-failed value.json
        node manage --retry-failed text
        node manage --retry-failed missing
        node provide --retry-failed failed.json
        node manage --all
        node manage --all x
        node manage --select name=x
        node manage --select driver=d,extra
        node manage --select colour=red
        node manage --select name~=[
        node manage --select ''
        node manage --select name~=x -v
        node manage --select driver=d --select name~=y
        node manage --select driver=none --select maintenance
        node undeploy --all
        node undeploy --all --yes
        node undeploy --nodes-file names
        node undeploy --nodes-file names --yes --parallel 1
        node undeploy x y --parallel 1
        node delete - < x y
        node delete - < x
        node reboot --nodes-file names
        node power off --select driver=d
        node vif attach x v
        node vif attach x v --vif-info id=a
        node vif attach x v --vif-info ids=a
        node vif attach x v --vif-info port_uuid=a --port-uuid b
        node vif attach x v --port-uuid a --portgroup-uuid b
        node vif attach --nodes-file names v
        node vif attach - v < x
        node vif attach - v < x y
        node vif detach --nodes-file names v --parallel 1
        node set --nodes-file names --name n
        node set --nodes-file names --instance-uuid i
        node set --nodes-file names --description d --parallel 1
        node set - --name n < x
        node set x --reset-interfaces
        node set x --reset-interfaces --driver d
        node set x --reset-interfaces --target-raid-config {}
        node set x
        node unset x
        node clean x --runbook r
        node clean x --runbook r --disable-ramdisk
        node clean x --runbook r --clean-steps []
        node clean x --clean-steps steps.json --disable-ramdisk
        node clean x --clean-steps {}
        node clean x
        node service x --runbook r --disable-ramdisk
        node service x --service-steps steps.json
        node clean missing --runbook r
        node manage missing refused x --parallel 1
        node manage missing refused x --parallel 1 --on-error stop
        node manage missing refused x --parallel 1 --max-failures 2
        node manage missing refused x --parallel 1 --max-failures 3
        node manage x --max-failures 1 --on-error stop
        node manage x --max-failures 0
        node manage x --parallel 0
        node manage missing refused --parallel 1 -q
        node manage x -q
        node manage x --wait 1
        node provide x --wait
        node provide failing --wait
        node provide failing x --wait --parallel 1
        node power on x --wait 1
        node power on x y --wait 1 --parallel 1 -q
        node power off x --wait
        node power off missing --wait
        node manage x --report missing/report
        node manage x --report empty
        node manage x -f xml
        node deploy x --config-drive missing
        node deploy x --config-drive text
        node deploy x --config-drive http://i/drive
        node deploy x --config-drive {}
        node deploy x --config-drive '{"meta_data": {"a": 1}}'
        node deploy x --config-drive [1]
        node deploy x --config-drive value.json
        node deploy x --deploy-steps 7
        node deploy x --config-drive empty/missing
        node trait add x CUSTOM_A CUSTOM_B
        node trait add x custom
        node trait add --nodes-file names CUSTOM_A --parallel 1
        node trait remove x --all
        node trait remove x --all CUSTOM_A
        node trait remove x
        node trait remove --nodes-file names CUSTOM_A CUSTOM_A --parallel 1
        node trait remove missing CUSTOM_A CUSTOM_B
        node vmedia detach x
        node vmedia detach x all disk
        node vmedia detach x disk disk cdrom
        node vmedia attach x tape http://i
        node vmedia attach x disk ''
    """,
    "conditions": """
        node wait x
        node wait x --for ''
        node wait x --for colour=red
        node wait x --for name
        node wait x --for 'name = x'
        node wait x --for name=x --for driver=d
        node wait x --for name=y --timeout 1
        node wait x --for 'name=y or driver=d'
        node wait x --for 'traits contains CUSTOM_A'
        node wait x --for deleted --timeout 1
        node wait missing --for deleted
        node wait missing --for name=x
        node wait missing x --for name=x
        node wait failing --for name=x
        node wait failing --for name=failing
        node wait failing --for 'provision_state=deploy failed'
        node wait failing x --for name=x -q
        node wait refused --for name=x
        node wait - --for name=x < x # y
        node wait --nodes-file none --for name=x
        node wait --all --for name=x
        allocation wait x --for state=active
        allocation wait failing --for state=active
        allocation wait missing --for state=active
        allocation wait missing --for deleted
        allocation wait - --for state=active < x
        allocation wait - x --for state=active < x
        allocation wait - --for state=active <
        allocation wait a b c x --for name=x --timeout 1
        port wait x --for name=x
        port wait missing --for name=x
        port wait x --for pxe_enabled=true --timeout 1
        server wait x --for status=ACTIVE
        server wait failing --for status=ACTIVE
        server wait failing --for status=ERROR
        server wait missing --for deleted
        server wait x --for colour=red
        server wait x y --for status=BUILD --timeout 1
        volume attachment wait x --for status=attached --timeout 1
        allocation create
        allocation create --node x
        allocation create --resource-class c
        allocation create --resource-class c --wait
        allocation create --resource-class c --name failing --wait
        allocation create --resource-class c --name refused
    """,
    "several things": """
        node delete missing x refused --parallel 1
        port delete missing x refused
        port delete x x -q
        chassis delete refused
        runbook delete a b
        runbook trait add x CUSTOM_A CUSTOM_A CUSTOM_B
        runbook trait add missing CUSTOM_A
        runbook trait remove x --all
        runbook trait remove x CUSTOM_A
        runbook trait remove x CUSTOM_A --all
        runbook trait remove missing CUSTOM_A
        inspection rule delete all
        inspection rule delete all x
        inspection rule unset x --action 0 --action 2 --action 2
        inspection rule unset x --action -1
        inspection rule unset x --condition 1 --description
        inspection rule create --actions text
        inspection rule set x --priority -1
        inspection rule set x --priority 0
        port set x
        port unset x
        port unset x --is-smartnic
        port set x --node missing
        port set x --node y --port-group z
        port create a
        port create a --node missing
        chassis set x
        port group set x
        volume target set x
        volume connector set x
        deploy template set x
        runbook set x
        allocation set x
        inspection rule set x
        inspection rule unset x
        node passthru call x m --arg k
        node passthru call x m --http-method BOGUS
        driver passthru call x m --arg a=1 --http-method GET
        driver list --type other
        driver list --type dynamic --long
        node boot device set x bogus
        node boot mode set x bogus
        node indicator set x y --state bogus
        node inventory save x --file missing/file
        node inventory save x --file inventory
        node inventory save x
        node inventory save missing
        node explain missing
        node explain x --json -f text
        node explain x --timeout 3 -f text
        node explain failing
        node history get x y
        node watch missing --timeout 1
        node watch --nodes-file none
        node watch x --all
        node-vif-attach x v
        volume-target-update x
        create
        create lab.txt
        create missing.yaml
        create list.json
        create lab.yaml
        create wrong-lab.yaml
        create wrong-lab.yaml lab.yaml
        create other.yaml
        create lab.yaml -q
        create empty
        diff lab.yaml --prune
        diff lab.yaml --select name=x
        diff lab.yaml --prune --select colour=red
        diff lab.yaml --prune --select name=x
        diff lab.yaml
        diff other.yaml
        diff missing
        diff empty
        diff binary
        diff list.json
        diff two.yaml
        diff wrong-lab.yaml
        diff secret.yaml
        diff command.yaml
        diff command.yaml --allow-commands
        diff variable.yaml
        diff file.yaml
        diff binary.yaml
        diff - < nodes: [{name: x}]
        diff - <
        apply lab.yaml --report missing/report
        apply lab.yaml --dry-run
        apply lab.yaml --dry-run -f json
        apply lab.yaml --select name=x
        apply refused.yaml
        export --select driver=none
        export x --output missing/lab
        export missing
        export --all --no-uuids
        export x -f json
        export --nodes-file none
    """,
    "servers": f"""
        server create x --flavor f
        server create x --image i
        server create x --flavor f --image i
        server create x --flavor missing --image i
        server create x --flavor f --image i --attach-mode ro
        server create x --flavor f --volume v --attach-mode ro
        server create x --flavor f --volume v --attach-mode rx
        server create x --flavor f --volume missing
        server create x --flavor f --image i --nic none --nic auto
        server create x --flavor f --image i --nic none --nic net-id=n
        server create x --flavor f --image i --nic net-id=n --nic port-id=p,tag=t
        server create x --flavor f --image i --nic net-id=n,port-id=p
        server create x --flavor f --image i --nic tag=t
        server create x --flavor f --image i --nic auto
        server create x --flavor f --image i --nic none
        server create x --flavor f --image i --nic some
        server create x --flavor f --image i --nic net-id=
        server create x --flavor f --image i --nic colour=red
        server create x --flavor f --block-device uuid=u
        server create x --flavor f --block-device source_type=blank,volume_size=1
        server create x --flavor f --block-device source_type=image
        server create x --flavor f --block-device source_type=image,uuid=u
        server create x --flavor f --block-device source_type=snapshot,uuid=u,attach_mode=ro
        server create x --flavor f --block-device source_type=image,uuid=u,attach_mode=ro
        server create x --flavor f --block-device source_type=other
        server create x --flavor f --block-device uuid=u,boot_index=a
        server create x --flavor f --block-device uuid=u,boot_index=-1
        server create x --flavor f --block-device uuid=u,delete_on_termination=maybe
        server create x --flavor f --block-device uuid=u,delete_on_termination=on,tag=t
        server create x --flavor f --block-device uuid
        server create x --flavor f --block-device colour=red
        server create x --flavor f --image i --count 0
        server create x --flavor f --image i --count 2
        server create x --flavor f --image i --user-data missing
        server create x --flavor f --image i --user-data text --config-drive
        server create x --flavor f --image i --user-data - < typed
        server create x --flavor f --image i --property a=1 --property b
        server create x --flavor f --image i --property a=1 --key-name k --availability-zone z
        server create x --flavor f --image i --wait
        server create refused --flavor f --image i
        server create '' --flavor f --image i
        server list --name n --status ACTIVE --all-projects --long
        server show missing
        server show x
        server delete missing x
        server delete x --wait 1
        server volume attach x missing
        server volume attach missing v
        server volume attach x v --attach-mode ro --device d --tag t --delete-on-termination
        server volume attach x {UUID}
        server volume detach x v
        server volume set x v
        server volume set x v --delete-on-termination
        server volume set x v --preserve-on-termination
        server volume set x v --preserve-on-termination --delete-on-termination
        server volume set x v --new-volume w
        server volume set x v --new-volume missing
        server volume set x v --new-volume w --preserve-on-termination
        volume attach v
        volume attach v x
        volume attach v x y
        volume attach v x --attach-mode ro
        volume attach v x --boot-index -1
        volume attach v x --boot-index 3
        volume attach missing x
        volume attach v missing
        volume attach v - <
        volume attach v x --wait 1
        volume attach failing x --wait
        volume attach v --nodes-file names --allow-shared-write
        volume detach v x
        volume detach v missing
        volume detach v x y --parallel 1
        volume attachment list --volume missing
        volume attachment list --node missing
        volume attachment list --volume v
    """,
}
