from __future__ import annotations

from baremetalclient.tests.unit.scripted import Reply

NODE = "1be26c0b-03f2-4d2e-ae87-c02d7f33c781"


def test_a_new_port_takes_a_truth_value_and_names(run):
    script = (Reply({"uuid": NODE}), Reply({"uuid": "group"}), Reply({}, 201))
    done = run(
        *("port", "create", "52:54:00:00:00:01", "--node", "n1", "--pxe-enabled", "false"),
        *("--port-group", "bond", "--local-link-connection", "port_id=a"),
        script=script,
    )
    assert done.requests[2].json == {
        "address": "52:54:00:00:00:01",
        "node_uuid": NODE,
        "portgroup_uuid": "group",
        "pxe_enabled": False,
        "local_link_connection": {"port_id": "a"},
    }
