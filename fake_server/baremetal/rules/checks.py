"""Validate inspection rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.errors import Invalid
from fake_server.baremetal.rules import conditions
from fake_server.baremetal.rules.actions import ACTIONS
from fake_server.baremetal.rules.conditions import CONDITIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

PHASES = ("main",)
MAX_PRIORITY = 9999


def check(rule: Mapping[str, Any]) -> None:
    """Validate a rule.

    The place of the plugin data is kept in the arguments of actions that need them.

    :param rule: a rule that matches the API's schema.
    :raises Invalid: with all that is wrong.
    """
    problems = []
    phase = rule.get("phase", PHASES[0])
    if phase not in PHASES:
        problems.append(f"Invalid phase: {phase}. Valid phases are: {', '.join(PHASES)}")
    if rule.get("priority", 0) > MAX_PRIORITY:
        problems.append(f"Priority must be between 0 and {MAX_PRIORITY} for user-defined rules.")
    for condition in rule.get("conditions", ()):
        name, _ = conditions.split(condition["op"])
        CONDITIONS[name][0].check(name, condition["args"])
    for action in rule["actions"]:
        ACTIONS[action["op"]][0].check(action["op"], action["args"])
    if len(problems) > 1:
        raise Invalid(f"Multiple validation errors occurred: {'; '.join(problems)}")
    if problems:
        raise Invalid(problems[0])
