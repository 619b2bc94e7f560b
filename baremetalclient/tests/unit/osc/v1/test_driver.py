from __future__ import annotations

import json

from baremetalclient.tests.unit.scripted import Reply


def test_lists_of_drivers_are_text(run):
    driver = {"name": "d", "hosts": ["a", "b"], "links": []}
    done = run("driver", "list", "-f", "json", script=(Reply({"drivers": [driver]}),))
    assert json.loads(done.out) == [{"name": "d", "hosts": "a, b"}]
