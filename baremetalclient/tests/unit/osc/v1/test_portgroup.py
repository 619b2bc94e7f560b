from __future__ import annotations

import json

from baremetalclient.tests.unit.scripted import Reply


def test_fields_of_a_port_group_with_an_address(run):
    script = (Reply({"portgroups": [{"uuid": "g", "mode": "802.3ad"}]}),)
    words = ("--address", "52:54:00:00:00:01", "--fields", "uuid", "mode", "-f", "json")
    done = run("port", "group", "show", *words, script=script)
    (request,) = done.requests
    assert request.query == {"address": "52:54:00:00:00:01", "fields": "uuid,mode"}
    assert json.loads(done.out) == {"uuid": "g", "mode": "802.3ad"}
