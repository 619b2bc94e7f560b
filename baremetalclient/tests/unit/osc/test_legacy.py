"""The verbs of the old ``ironic`` command."""

from baremetalclient.tests.unit.osc.everything import Everything, run_here, sent

NODE = "1be26c0b-03f2-4d2e-ae87-c02d7f33c781"
LINES = f"""
    volume-connector-create --node {NODE} --type ip --connector_id i -e k=v -u {NODE}
    volume-connector-delete a
    volume-connector-show a
    volume-connector-list --detail --type ip --connector_id i --limit 2 --marker m
    node-volume-connector-list --fields uuid type -- n1
    volume-connector-update a replace extra/k=1 type=ip
    volume-target-create --node {NODE} --volume_type t --volume_id v --properties k=v --boot_index 0
    volume-target-delete a
    volume-target-show --fields uuid extra -- a
    volume-target-list --volume_type iscsi --volume_id v --boot_index 0
    volume-target-list --sort-key boot_index --sort-dir desc
    node-volume-target-list --detail n1
    node-volume-target-list --sort-key boot_index n1
    volume-target-update a remove boot_index
    node-vif-list n1
    node-vif-attach n1 v
    node-vif-detach n1 v
"""


def test_old_verbs_ask_what_they_always_asked(recorded, capsys):
    found = {}
    with Everything() as server:
        for line in filter(None, map(str.strip, LINES.splitlines())):
            server.all_requests.clear()
            code, _, _ = run_here(["--os-endpoint", server.url, *line.split()], capsys)
            found[line] = [f"exit {code}", *map(sent, server.all_requests)]
    recorded(found)


def test_old_verbs_are_hidden(run):
    assert "volume-connector-create" not in run("--help").out
    assert "volume-connector-create" not in run("complete", "--candidates", "words", "volume").out
