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
    "wrong.yaml": "a: [1\n",
    "steps.json": '[{"interface": "bios", "step": "reset"}]',
    "lab.yaml": "nodes: [{name: x, driver: d}]\n",
    "other.yaml": "nodes: [{name: n, driver: d, created_at: x, count: 2}]\nshards: []\n",
    "wrong-lab.yaml": "nodes: [{name: x, colour: red}]\nports: 7\n",
    "two.yaml": "nodes: [{name: x, driver: d}, {name: x, driver: e}]\n",
    "list.json": "[1]",
    "lab.txt": "{}",
    "command.yaml": "nodes: [{name: x, driver_info: {password: !secret 'cmd:echo s3cret-word'}}]\n",
    "known.yaml": "nodes: [{name: x, driver_info: {password: !secret 'env:HOME'}}]\n",
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
        node lst
        --bogus node list
        --os-baremetal-api-version 2 node list
        --timeout 0 node list
        complete
        --os-baremetal-api-version 1.77 version show -c negotiated -f value
        --os-endpoint ironic.test node list
    """,
    "values": """
        node set x --extra =v
        node set x --extra k:=1
        node set x --extra k:=a
        node set x --extra :=1
        node set x --extra k=@text
        node set x --extra k=@@text
        node set x --extra k=@empty
        node set x --extra k=@- < typed
        node set x --name ''
        node set x --target-raid-config value.json
        node set x --target-raid-config wrong.yaml
        node set x --target-raid-config empty
        node set x --target-raid-config - < [1
        port create a --node x --pxe-enabled maybe
        node list --limit x
        node list --fields colour
        node list --sort colour
        node list --fields uuid --sort name,driver
        node show x -c colour
        node show ''
        node show a/b
        node power on x --power-timeout 0
        node rescue x --rescue-password ''
        node rescue x --rescue-password @text
        node rescue x --rescue-password @@word
        node wait x --for name=x --timeout 123456789
    """,
    "the choice of nodes": """
        node manage
        node manage - --parallel 1 < x y # z
        node manage - x < y
        node manage --nodes-file none
        node manage --nodes-file missing
        node manage --retry-failed failed.json --parallel 1
        node manage --retry-failed done.json
        node manage --retry-failed verb.json
        node manage --retry-failed value.json
        node manage --retry-failed missing
        node provide --retry-failed failed.json
        node manage --all x
        node manage --all --bogus x
        node manage --select driver=d,extra
        node manage --select colour=red
        node manage --select name~=[
        node manage --select name~=x -v
        node manage --select driver=none --select maintenance
        node undeploy --nodes-file names --yes --parallel 1
        node delete - < x y
        node reboot --nodes-file names
        node power off --select driver=d
        node vif attach x v --port-uuid a --portgroup-uuid b
        node vif attach --nodes-file names v
        node set --nodes-file names --instance-uuid i
        node set x --reset-interfaces
        node set x
        node clean x --runbook r --disable-ramdisk
        node clean x --clean-steps steps.json --disable-ramdisk
        node service x --runbook r --disable-ramdisk
        node manage missing refused x --parallel 1 --on-error stop
        node manage missing refused x --parallel 1 --max-failures 2
        node manage x --max-failures 1 --on-error stop
        node manage x --parallel 0
        node provide x --wait
        node provide failing x --wait --parallel 1
        node power on x y --wait 1 --parallel 1 -q
        node manage x --report empty
        node manage x -f xml
        node deploy x --config-drive text
        node deploy x --config-drive http://i/drive
        node deploy x --config-drive '{"meta_data": {"a": 1}}'
        node deploy x --config-drive [1]
        node deploy x --config-drive value.json
        node trait add x CUSTOM_A CUSTOM_B
        node trait remove x --all
        node vmedia detach x disk disk cdrom
    """,
    "conditions": """
        node wait x
        node wait x --for colour=red
        node wait x --for name=y --timeout 1
        node wait x --for 'name=y or driver=d'
        node wait x --for 'traits contains CUSTOM_A'
        node wait x --for deleted --timeout 1
        node wait missing --for deleted
        node wait missing --for name=x
        node wait failing --for name=x
        node wait - --for name=x < x # y
        allocation wait failing --for state=active
        allocation wait missing --for state=active
        allocation wait - x --for state=active < x
        port wait x --for pxe_enabled=true --timeout 1
        port group wait x --for mode=802.3ad --timeout 1
        volume connector wait x --for type=iqn --timeout 1
        volume target wait x --for boot_index=0 --timeout 1
        server wait x --for status=ACTIVE
        server wait failing --for status=ACTIVE
        volume attachment wait x --for status=attached --timeout 1
        allocation create
        allocation create --resource-class c --wait
        allocation create --resource-class c --name refused
    """,
    "several things": """
        node delete missing x refused --parallel 1
        runbook trait remove x --all
        inspection rule delete all
        inspection rule unset x --condition 1 --description
        port set x
        port create a --node missing
        node passthru call x m --http-method BOGUS
        node boot device set x bogus
        node inventory save x --file missing/file
        node inventory save x
        node inventory save missing
        node explain failing
        node watch missing --timeout 1
        node watch --nodes-file none
        volume-target-update x
        create
        create lab.txt
        create lab.yaml
        create other.yaml
        create empty
        diff lab.yaml --prune
        diff lab.yaml --prune --select name=x
        diff missing
        diff empty
        diff list.json
        diff two.yaml
        diff wrong-lab.yaml
        diff wrong.yaml
        diff command.yaml
        diff command.yaml --allow-secrets cmd:*
        diff variable.yaml
        diff known.yaml
        diff file.yaml
        diff binary.yaml
        diff - < nodes: [{name: x}]
        diff - <
        apply lab.yaml --report missing/report
        apply lab.yaml --dry-run -f json
        apply refused.yaml
        export --select driver=none
        export x --output missing/lab
        export missing
        export x -f json
    """,
    "servers": f"""
        server create x --flavor f
        server create x --flavor f --volume v --attach-mode ro
        server create x --flavor f --volume missing
        server create x --flavor f --image i --nic none --nic auto
        server create x --flavor f --image i --nic tag=t
        server create x --flavor f --image i --nic some
        server create x --flavor f --block-device source_type=image
        server create x --flavor f --block-device source_type=image,uuid=u,attach_mode=ro
        server create x --flavor f --block-device source_type=other
        server create x --flavor f --block-device uuid=u,boot_index=a
        server create x --flavor f --block-device colour=red
        server create x --flavor f --image i --wait
        server create refused --flavor f --image i
        server delete x --wait 1
        server volume attach x {UUID}
        server volume set x v --delete-on-termination
        server volume set x v --new-volume missing
        volume attach v x y
        volume attach v - <
        volume attach v x --wait 1
        volume attach failing x --wait
        volume detach v missing
        volume attachment list --volume missing
    """,
}
