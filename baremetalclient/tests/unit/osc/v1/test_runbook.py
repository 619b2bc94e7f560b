from __future__ import annotations

import pytest

from baremetalclient.tests.unit.scripted import Reply


@pytest.mark.parametrize(("word", "value"), [("false", False), ("true", True)])
def test_whether_a_runbook_is_public_is_a_truth_value(run, word, value):
    done = run("runbook", "set", "x", "--public", word, script=(Reply({}),))
    assert done.requests[0].json == [{"op": "add", "path": "/public", "value": value}]
