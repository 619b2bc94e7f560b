from __future__ import annotations

from baremetalclient.tests.unit.scripted import Reply


def test_an_allocation_is_waited_for(run):
    script = (
        Reply({"uuid": "x", "state": "allocating"}, 201),
        Reply({"uuid": "x", "state": "error", "last_error": "no nodes"}),
    )
    done = run("allocation", "create", "--resource-class", "r", "--wait", script=script)
    assert done.code == 1
    assert "no nodes" in done.err
