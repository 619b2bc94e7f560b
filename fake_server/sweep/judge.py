"""Judge what became of a program whose request went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fake_server.sweep.kinds.killed import Killed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.sweep.difference import Difference

Verdict = Literal["survived", "said-so", "stuck", "left-behind", "lied", "hung", "not-reached"]
#: What each verdict means, the worst first.
VERDICTS: Mapping[Verdict, str] = {
    "lied": "it ended with 0, and something is missing or has another value",
    "hung": "it took longer than its limit of real or of simulated time",
    "stuck": "it failed, and running it again didn't mend that",
    "left-behind": "it ended with 0, and something is left that isn't there otherwise",
    "said-so": "it failed, and running it again led to the same state",
    "not-reached": "the request didn't come",
    "survived": "it ended with 0, in the same state",
}
#: What needs no ``--sweep-allow``.
FINE: Sequence[Verdict] = ("survived", "not-reached")


def judge(
    kind: str,
    *,
    fired: bool,
    hung: bool,
    code: int | None,
    again: int | None,
    differences: Sequence[Difference],
) -> Verdict:
    """Return the verdict.

    :param kind: the name of the kind of fault.
    :param fired: whether the request came that was to go wrong.
    :param hung: whether one of the runs took longer than its limit.
    :param code: the exit code of the run with the fault.
    :param again: that of the run after it, if there was one.
    :param differences: from the state without a fault, after the last run.
    """
    if hung:
        return "hung"
    if not fired:
        return "not-reached"
    if kind == Killed.name or code != 0:
        if again != 0 or differences:
            return "stuck"
        return "survived" if kind == Killed.name else "said-so"
    if not differences:
        return "survived"
    return "left-behind" if all(one.is_addition for one in differences) else "lied"
