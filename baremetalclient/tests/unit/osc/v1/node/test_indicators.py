from __future__ import annotations

import json

from baremetalclient.tests.unit.scripted import Reply

LED = {"name": "led@system", "component": "system", "readonly": False, "states": ["off", "on"]}


def test_indicators_are_listed_without_their_links(run):
    indicators = Reply({"indicators": [LED | {"links": []}]})
    done = run("node", "indicator", "list", "a", "-f", "json", script=(indicators,))
    assert json.loads(done.out) == [LED]


def test_an_indicator_is_shown_and_set(run):
    words = ("a", "led@system")
    done = run("node", "indicator", "show", *words, "-f", "json", script=(Reply({"state": "on"}),))
    assert json.loads(done.out) == {"state": "on"}
    done = run("node", "indicator", "set", *words, "blinking", script=(Reply(status=204),))
    assert done.requests[0].json == {"state": "blinking"}
    assert done.err == "Set indicator led@system of node a to 'blinking'\n"
    assert run("node", "indicator", "set", *words, "red").code == 2
