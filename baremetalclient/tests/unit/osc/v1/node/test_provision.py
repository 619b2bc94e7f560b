from __future__ import annotations

import json

from baremetalclient.tests.unit.scripted import Reply

ACCEPTED = Reply(b"", 202)


def test_deploying(run):
    steps = '[{"interface": "deploy", "step": "x", "priority": 10}]'
    words = ("node", "deploy", "a", "--config-drive", '{"meta_data": {"k": "v"}}')
    done = run(*words, "--deploy-steps", steps, script=(ACCEPTED,))
    assert done.requests[0].json == {
        "target": "active",
        "configdrive": {"meta_data": {"k": "v"}},
        "deploy_steps": json.loads(steps),
    }
