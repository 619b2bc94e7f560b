"""JSON schemas of request bodies."""

from __future__ import annotations

from typing import Any

from fake_server.common.schemas import Checker, object_schema

_UUID = {"type": "string", "format": "uuid"}
_UUID_OR_NULL = {"anyOf": [_UUID, {"type": "null"}]}
_TRAIT = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[A-Z0-9_]+$"}
_CUSTOM = {"type": "string", "pattern": "^CUSTOM_[A-Z0-9_]+$", "maxLength": 255}
_CLASS = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[A-Z0-9_]+$"}
_NAME = {"type": "string", "maxLength": 200}
_LARGEST = 2**31 - 1
_GENERATION = {"type": "integer"}
_STOCK = {
    "resource_provider_generation": _GENERATION,
    "total": {"type": "integer", "maximum": _LARGEST, "minimum": 1},
    "reserved": {"type": "integer", "maximum": _LARGEST, "minimum": 0},
    "min_unit": {"type": "integer", "maximum": _LARGEST, "minimum": 1},
    "max_unit": {"type": "integer", "maximum": _LARGEST, "minimum": 1},
    "step_size": {"type": "integer", "maximum": _LARGEST, "minimum": 1},
    "allocation_ratio": {"type": "number", "maximum": 3.40282e38},
}
_CLASS_KEY = "^[A-Z0-9_]+$"

CREATE_PROVIDER = Checker(object_schema({"name": _NAME, "uuid": _UUID}, "name"))
CREATE_NESTED_PROVIDER = Checker(
    object_schema({"name": _NAME, "uuid": _UUID, "parent_provider_uuid": _UUID_OR_NULL}, "name")
)
UPDATE_PROVIDER = Checker(object_schema({"name": _NAME}, "name"))
UPDATE_NESTED_PROVIDER = Checker(
    object_schema({"name": _NAME, "parent_provider_uuid": _UUID_OR_NULL}, "name")
)
CUSTOM_NAME = Checker({"type": "object", "properties": {"name": _CUSTOM}, "required": ["name"]})
NEW_CLASS = Checker(object_schema({"name": _CUSTOM}, "name"))
CREATE_INVENTORY = Checker(
    object_schema({**_STOCK, "resource_class": _CLASS}, "resource_class", "total")
)
UPDATE_INVENTORY = Checker(object_schema(_STOCK, "resource_provider_generation", "total"))
SET_INVENTORIES = Checker(
    object_schema(
        {
            "resource_provider_generation": _GENERATION,
            "inventories": {
                "type": "object",
                "patternProperties": {_CLASS_KEY: object_schema(_STOCK, "total")},
                "additionalProperties": False,
            },
        },
        "resource_provider_generation",
        "inventories",
    )
)
SET_TRAITS = Checker(
    object_schema(
        {
            "traits": {"type": "array", "items": _TRAIT, "uniqueItems": True},
            "resource_provider_generation": _GENERATION,
        },
        "traits",
        "resource_provider_generation",
    )
)
SET_AGGREGATES = Checker(
    object_schema(
        {
            "aggregates": {"type": "array", "items": _UUID, "uniqueItems": True},
            "resource_provider_generation": _GENERATION,
        },
        "aggregates",
        "resource_provider_generation",
    )
)
AGGREGATES = Checker({"type": "array", "items": _UUID, "uniqueItems": True})

_RESOURCES = {
    "type": "object",
    "minProperties": 1,
    "patternProperties": {_CLASS_KEY: {"type": "integer", "minimum": 1, "maximum": _LARGEST}},
    "additionalProperties": False,
}


def allocation_checker(
    *, listed: bool, owned: bool, generation: bool, mappings: bool, kind: bool
) -> Checker:
    """Return the checker of a consumer's allocations, with what the version adds to them."""
    return Checker(
        _allocation(listed=listed, owned=owned, generation=generation, mappings=mappings, kind=kind)
    )


def many_checker(*, generation: bool, mappings: bool, kind: bool) -> Checker:
    """Return what checks the allocations of many consumers, by their UUID."""
    one = _allocation(
        listed=False, owned=True, generation=generation, mappings=mappings, kind=kind, many=True
    )
    return Checker(
        {
            "type": "object",
            "minProperties": 1,
            "patternProperties": {"^[0-9a-fA-F-]{36}$": one},
            "additionalProperties": False,
        }
    )


def _allocation(
    *, listed: bool, owned: bool, generation: bool, mappings: bool, kind: bool, many: bool = False
) -> dict[str, Any]:
    if listed:
        provider = {
            "type": "object",
            "properties": {"uuid": _UUID},
            "required": ["uuid"],
            "additionalProperties": False,
        }
        item = object_schema(
            {"resource_provider": provider, "resources": _RESOURCES},
            "resource_provider",
            "resources",
        )
        found: dict[str, Any] = {"type": "array", "minItems": 1, "items": item}
    else:
        found = {
            "type": "object",
            "minProperties": 0 if generation or many else 1,
            "patternProperties": {
                "^[0-9a-fA-F-]{36}$": object_schema(
                    {"generation": {"type": "integer"}, "resources": _RESOURCES}, "resources"
                )
            },
            "additionalProperties": False,
        }
    text = {"type": "string", "minLength": 1, "maxLength": 255}
    properties: dict[str, Any] = {"allocations": found}
    required = ["allocations"]
    if owned:
        properties |= {"project_id": text, "user_id": text}
        required += ["project_id", "user_id"]
    if generation:
        properties["consumer_generation"] = {"type": ["integer", "null"]}
        required.append("consumer_generation")
    if mappings:
        properties["mappings"] = {"type": "object"}
    if kind:
        properties["consumer_type"] = {
            "type": "string",
            "pattern": "^[A-Z0-9_]+$",
            "minLength": 1,
            "maxLength": 255,
        }
        required.append("consumer_type")
    return dict(object_schema(properties, *required))
