"""Each planted bug is found with the verdict that fits, and the right program has none."""

from __future__ import annotations

import pytest

from fake_server.sweep import sweep
from fake_server.sweep.kinds import KINDS
from fake_server.tests.sweep import programs

#: All that need no real time.
_QUICK = [name for name in KINDS if name != "slow"]


def verdicts(program, kinds, **options):
    """Return the cases that aren't survived, by verdict."""
    found = {}
    for case in sweep(program, kinds=kinds, **options).findings(("survived", "not-reached")):
        found.setdefault(case.verdict, set()).add(case.id)
    return found


def test_the_right_program_may_only_say_so():
    found = verdicts(programs.right, _QUICK, limit=32)
    assert found.keys() <= {"said-so"}, found


@pytest.mark.parametrize(
    ("program", "kinds", "verdict", "case"),
    [
        (programs.makes_a_second_node, ["lost-answer"], "left-behind", "POST/v1/nodes.1"),
        (
            programs.ignores_conflicts,
            ["locked"],
            "lied",
            "PUT/v1/nodes/_/maintenance@rack1.1",
        ),
        (programs.trusts_a_list, ["stale-list"], "lied", "GET/v1/nodes.1"),
        (
            programs.leaves_maintenance,
            ["unavailable"],
            "lied",
            "PATCH/v1/nodes/_@rack1.1",
        ),
        (
            programs.polls_for_ever,
            ["operation-fails"],
            "hung",
            "PUT/v1/nodes/_/states/provision@rack1.2",
        ),
        (programs.fails_on_what_is_there, ["lost-answer"], "stuck", "POST/v1/nodes.1"),
        (programs.fails_on_what_is_there, ["killed"], "stuck", "POST/v1/nodes.1"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_planted_bug_is_found(program, kinds, verdict, case):
    found = verdicts(program, kinds, timeout=1)
    assert case in {one.partition(":")[0] for one in found.get(verdict, ())}, found
