from __future__ import annotations

import json

from baremetalclient.tests.unit.scripted import Reply

OK = Reply(status=204)


def test_vifs(run):
    done = run("node", "vif", "list", "a", "-f", "json", script=(Reply({"vifs": [{"id": "v"}]}),))
    assert json.loads(done.out) == [{"id": "v"}]
    words = ("node", "vif", "attach", "a", "v", "--port-uuid", "p", "--vif-info", "k=1")
    assert run(*words, script=(OK,)).requests[0].json == {"id": "v", "port_uuid": "p", "k": 1}
    done = run("node", "vif", "attach", "a", "v", "--vif-info", "id=x")
    assert (done.code, done.requests) == (1, [])
    assert run("node", "vif", "detach", "a", "v", script=(OK,)).code == 0
