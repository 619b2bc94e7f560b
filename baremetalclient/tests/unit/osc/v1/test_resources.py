from __future__ import annotations

import json

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


def test_an_allocation_is_waited_for(run):
    script = (
        Reply({"uuid": "x", "state": "allocating"}, 201),
        Reply({"uuid": "x", "state": "error", "last_error": "no nodes"}),
    )
    done = run("allocation", "create", "--resource-class", "r", "--wait", script=script)
    assert done.code == 1
    assert "no nodes" in done.err


def test_an_allocation_can_take_too_long(run):
    allocating = {"uuid": "x", "state": "allocating"}
    script = (Reply(allocating, 201), *[Reply(allocating)] * 3)
    words = ("allocation", "create", "--resource-class", "r", "--wait", "1s")
    done = run(*words, script=script)
    assert (done.code, done.out) == (124, "")
    assert "allocating" in done.err


def test_lists_of_drivers_are_text(run):
    driver = {"name": "d", "hosts": ["a", "b"], "links": []}
    done = run("driver", "list", "-f", "json", script=(Reply({"drivers": [driver]}),))
    assert json.loads(done.out) == [{"name": "d", "hosts": "a, b"}]


def test_all_inspection_rules_can_be_deleted(run):
    rules = Reply({"inspection_rules": [{"uuid": "a"}, {"uuid": "b"}]})
    done = run("inspection", "rule", "delete", "all", script=(rules, Reply(status=204)))
    assert done.code == 0
    assert [request.path for request in done.requests[1:]] == [
        "/v1/inspection_rules/a",
        "/v1/inspection_rules/b",
    ]


def test_entries_of_inspection_rules_are_removed_from_the_end(run):
    words = ("inspection", "rule", "unset", "x", "--condition", "0", "--condition", "2")
    done = run(*words, script=(Reply({}),))
    assert [operation["path"] for operation in done.requests[0].json] == [
        "/conditions/2",
        "/conditions/0",
    ]
