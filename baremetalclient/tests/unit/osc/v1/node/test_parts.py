from __future__ import annotations

import json

from baremetalclient.tests.unit.scripted import Reply


def test_children_are_listed_one_by_one(run):
    done = run(
        "node", "children", "list", "a", "-f", "value", script=(Reply({"children": ["b", "c"]}),)
    )
    assert done.out == "b\nc\n"


def test_children_are_one_object_in_json(run):
    words = ("node", "children", "list", "a", "-f", "json")
    done = run(*words, script=(Reply({"children": ["b", "c"]}),))
    assert json.loads(done.out) == {"children": ["b", "c"]}
