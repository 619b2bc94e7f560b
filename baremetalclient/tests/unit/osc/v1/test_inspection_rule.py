from __future__ import annotations

from baremetalclient.tests.unit.scripted import Reply


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
