"""The schemas of steps that a request names."""

from __future__ import annotations

from ..conductor.steps import WEIGHTS
from ..schemas import Checker

_DIALECT = "http://json-schema.org/schema#"
_NUMBER = {
    "anyOf": [
        {"type": "integer", "minimum": 0},
        {"type": "string", "minLength": 1, "pattern": "^[0-9]+$"},
    ]
}
#: Steps of manual cleaning and of servicing.
STEPS = Checker(
    {
        "$schema": _DIALECT,
        "title": "Steps schema",
        "type": "array",
        "items": {
            "type": "object",
            "required": ["interface", "step"],
            "properties": {
                "interface": {"description": "driver interface", "enum": list(WEIGHTS)},
                "step": {
                    "description": "name of clean step",
                    "type": "string",
                    "minLength": 1,
                },
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
#: Steps of a deployment.
DEPLOY_STEPS = Checker(
    {
        "$schema": _DIALECT,
        "title": "Deploy steps schema",
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "args": {"type": "object"},
                "interface": {"type": "string", "enum": list(WEIGHTS)},
                "priority": _NUMBER,
                "step": {"type": "string", "minLength": 1},
            },
            "required": ["interface", "step", "args", "priority"],
            "additionalProperties": False,
        },
    }
)
