from __future__ import annotations

from baremetalclient.tests.unit.scripted import Reply


def test_children_are_listed_one_by_one(run):
    done = run(
        "node", "children", "list", "a", "-f", "value", script=(Reply({"children": ["b", "c"]}),)
    )
    assert done.out == "b\nc\n"
