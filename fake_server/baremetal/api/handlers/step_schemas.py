"""The schemas of steps that a request names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.conductor.steps import WEIGHTS
from fake_server.baremetal.schemas import ArgumentChecker

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.common.schemas import Schema

_DIALECT = "http://json-schema.org/schema#"
_NUMBER = {
    "anyOf": [
        {"type": "integer", "minimum": 0},
        {"type": "string", "minLength": 1, "pattern": "^[0-9]+$"},
    ]
}
#: Steps of manual cleaning and of servicing.
STEPS = ArgumentChecker(
    {
        "$schema": _DIALECT,
        "type": "array",
        "items": {
            "type": "object",
            "required": ["interface", "step"],
            "properties": {
                "interface": {"description": "driver interface", "enum": list(WEIGHTS)},
                "step": {"description": "name of clean step", "type": "string", "minLength": 1},
                "args": {"description": "additional args", "type": "object", "properties": {}},
                "order": _NUMBER,
                "execute_on_child_nodes": {
                    "description": "Boolean if the step should be executed on child nodes.",
                    "type": "boolean",
                },
                "limit_child_node_execution": {
                    "description": "List of nodes upon which to execute child node steps on.",
                    "type": "array",
                },
            },
            "additionalProperties": False,
        },
    }
)
#: One step of a deployment or of a deploy template.
DEPLOY_STEP: Schema = {
    "type": "object",
    "properties": {
        "args": {"type": "object"},
        "interface": {"type": "string", "enum": list(WEIGHTS)},
        "priority": _NUMBER,
        "step": {"type": "string", "minLength": 1},
    },
    "required": ["interface", "step", "args", "priority"],
    "additionalProperties": False,
}
#: One step of a runbook.
RUNBOOK_STEP: Schema = {
    "type": "object",
    "properties": {
        "args": {"type": "object"},
        "interface": {"type": "string", "enum": list(WEIGHTS)},
        "step": {"type": "string", "minLength": 1},
        "order": _NUMBER,
    },
    "required": ["interface", "step", "order"],
    "additionalProperties": False,
}
#: Steps of a deployment.
DEPLOY_STEPS = ArgumentChecker({"$schema": _DIALECT, "type": "array", "items": DEPLOY_STEP})


def pruned(steps: list[Any], known: Collection[str], checker: ArgumentChecker) -> list[Any]:
    """Return the steps of a patched list without what no step has, each checked on its own.

    :param known: what a step has.
    :param checker: checker of one step.
    :raises InvalidParameterValue: for an invalid step.
    """
    result = []
    for step in steps:
        kept = step
        if isinstance(step, dict):
            kept = {name: step[name] for name in step if name in known}
        result.append(checker.argument("patch", kept))
    return result
