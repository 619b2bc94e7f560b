"""The lists of steps that deploy templates and runbooks hold."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.errors import ApiError, Invalid, InvalidParameterValue
from fake_server.common.parsing import parse_integer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record

Step = dict[str, Any]
_MAX_NUMBER = 2**63 - 1


def check_duplicates(steps: Sequence[Step]) -> None:
    """Raise Invalid for duplicate steps; Ironic words the error so for runbooks, too."""
    counted = Counter((step["interface"], step["step"]) for step in steps)
    twice = [f"interface: {kind}, step: {name}" for (kind, name), n in counted.items() if n > 1]
    if twice:
        raise Invalid(
            "Deploy template invalid: Duplicate deploy steps. A template cannot have multiple "
            f"deploy steps with the same interface and step. Duplicates: {'; '.join(twice)}."
        )


def stored(steps: Sequence[Step], number: str) -> list[Step]:
    """Return steps as they are stored: with an integer where the number was given as text.

    :param number: key of the number, ``priority`` or ``order``.
    :raises InvalidParameterValue: for a number that no database could hold.
    """
    return [
        {
            "interface": step["interface"],
            "step": step["step"],
            "args": step.get("args", {}),
            number: _whole(step, number),
        }
        for step in steps
    ]


def merged(current: Sequence[Step], wanted: Sequence[Step], number: str) -> list[Step]:
    """Return the stored steps after a change: those that stay come first, then the new ones.

    Ironic adds new steps in the order of their interface, name, arguments and number.

    :param number: key of the number, ``priority`` or ``order``.
    :raises ApiError: for a number given as text in a step that is stored already, or
        a new step without arguments, both of which Ironic fails on.
    """
    for step in wanted:
        if isinstance(step[number], str) and any(_same(step, other) for other in current):
            raise ApiError(
                f"The {number} of step {step['interface']}.{step['step']} has to be a number, "
                f"not the text '{step[number]}'."
            )
    numbered = [{**step, number: _whole(step, number)} for step in wanted]
    kept = [step for step in current if step in numbered]
    new = [step for step in numbered if step not in current]
    for step in new:
        if "args" not in step:
            raise ApiError(
                f"Step {step['interface']}.{step['step']} needs args, an empty object at least."
            )
    new.sort(key=lambda step: (step["interface"], step["step"], _args(step)))
    return kept + new


def changed(stored: Record, changes: Mapping[str, Any], number: str) -> dict[str, Any]:
    """Return the columns that a change of a template or runbook stores.

    Steps that change don't show in ``updated_at``, as in Ironic, which keeps them elsewhere.

    :param number: key of the steps' number, ``priority`` or ``order``.
    :raises ApiError: see :func:`merged`.
    """
    values = dict(changes)
    if "steps" in values:
        values["steps"] = merged(stored["steps"], values["steps"], number)
    if values.keys() == {"steps"}:
        values["updated_at"] = stored["updated_at"]
    return values


def _whole(step: Step, number: str) -> int:
    found = parse_integer(step[number], maximum=_MAX_NUMBER)
    if found is None:
        raise InvalidParameterValue(
            f"The {number} of step {step['interface']}.{step['step']} is greater than "
            f"{_MAX_NUMBER}, the greatest that can be stored."
        )
    return found


def _same(step: Step, other: Step) -> bool:
    return (step["interface"], step["step"]) == (other["interface"], other["step"]) and (
        _args(step) == _args(other)
    )


def _args(step: Step) -> str:
    return json.dumps(step.get("args"), sort_keys=True)
