"""Requests that others get in the way of."""

from __future__ import annotations

from fake_server.baremetal.models import nodes
from fake_server.db.store import ConflictError
from fake_server.tests.baremetal.api import Api


def test_a_conflict_over_the_locks_of_a_refused_request_does_not_repeat_it(monkeypatch):
    api = Api()
    api.enrol()
    lock, touch, locked, conflicts = nodes.lock, nodes.touch, [], []

    def noted_lock(session, node):
        locked.append(node["uuid"])
        lock(session, node)

    def touch_at_last(session, ids):
        if conflicts:
            raise conflicts.pop()
        touch(session, ids)

    monkeypatch.setattr(nodes, "lock", noted_lock)
    monkeypatch.setattr(nodes, "touch", touch_at_last)
    api.patch("instance_uuid", "5a7f6ac9-d840-4dc2-b18c-9bb8777484b5")
    locked.clear()
    conflicts.append(ConflictError())
    assert api("DELETE", "/v1/nodes/n")[0] == 409
    assert len(locked) == 1
    assert not conflicts
    assert api.node()["updated_at"] is not None
