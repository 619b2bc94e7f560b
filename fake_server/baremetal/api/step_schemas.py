"""Steps that a request names: their schemas, and how they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments
from fake_server.baremetal.arguments import ArgumentChecker, checked
from fake_server.baremetal.conductor.steps import WEIGHTS
from fake_server.baremetal.models import step_lists
from fake_server.common import masking

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.fields import Fields
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


#: The schema of a step by what its number is called: in deploy templates and in runbooks.
_BY_NUMBER = {"priority": DEPLOY_STEP, "order": RUNBOOK_STEP}
_CHECKERS = {number: ArgumentChecker(schema) for number, schema in _BY_NUMBER.items()}


def converter(
    fields: Fields,
    number: str,
    name: Callable[[], Schema],
    *missing: str,
    **more: arguments.Converter,
) -> arguments.Converter:
    """Return what checks and converts a resource that holds steps.

    :param number: what the number of a step is called.
    :param name: returns the schema of its name.
    :param missing: fields that it can't have.
    :param more: converters of fields that do more than those of their kinds.
    """

    def schema() -> Schema:
        steps = {"type": "array", "items": _BY_NUMBER[number], "minItems": 1}
        found = fields.schema(name=name(), steps=steps) | {"required": ["steps", "name"]}
        for field in missing:
            del found["properties"][field]
        return found

    return arguments.chain(checked(schema), _distinct_steps, fields.converter(**more))


def pruned(settable: dict[str, Any], number: str) -> dict[str, Any]:
    """Return a patched resource without what no step has; check each step on its own.

    :param number: what the number of a step is called.
    :raises InvalidParameterValue: for an invalid step.
    """
    if not isinstance(settable.get("steps"), list):
        return settable
    known = _BY_NUMBER[number]["properties"]
    kept = [
        {name: step[name] for name in step if name in known} if isinstance(step, dict) else step
        for step in settable["steps"]
    ]
    return {**settable, "steps": [_CHECKERS[number].argument("patch", step) for step in kept]}


def shown(steps: list[dict[str, Any]], number: str) -> list[dict[str, Any]]:
    """Return steps as they are shown, with masked arguments."""
    return [
        {
            "interface": step["interface"],
            "step": step["step"],
            "args": masking.mask(step["args"]),
            number: step[number],
        }
        for step in steps
    ]


def _distinct_steps(_name: str, resource: dict[str, Any] | None) -> dict[str, Any] | None:
    if resource is not None:
        step_lists.check_duplicates(resource["steps"])
    return resource
