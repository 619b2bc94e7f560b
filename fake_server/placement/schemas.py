"""JSON schemas of request bodies."""

from __future__ import annotations

from typing import Any

from fake_server.common.microversions import Since
from fake_server.common.schemas import Checker, Schema, object_schema
from fake_server.placement import microversions as versions

_UUID = {"type": "string", "format": "uuid"}
_UUID_OR_NULL = {"anyOf": [_UUID, {"type": "null"}]}
_CUSTOM = {"type": "string", "pattern": "^CUSTOM_[A-Z0-9_]+$", "maxLength": 255}
_CLASS = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[A-Z0-9_]+$"}
_NAME = {"type": "string", "maxLength": 200}
_LARGEST = 2**31 - 1
_GENERATION = {"type": "integer"}
_COUNT = {"type": "integer", "maximum": _LARGEST, "minimum": 1}
_STOCK = {
    "resource_provider_generation": _GENERATION,
    "total": _COUNT,
    "reserved": {"type": "integer", "maximum": _LARGEST, "minimum": 0},
    "min_unit": _COUNT,
    "max_unit": _COUNT,
    "step_size": _COUNT,
    "allocation_ratio": {"type": "number", "maximum": 3.40282e38},
}
_TEXT = {"type": "string", "minLength": 1, "maxLength": 255}
_CLASS_KEY = "^[A-Z0-9_]+$"
_UUID_KEY = "^[0-9a-fA-F-]{36}$"


def _by(pattern: str, schema: Schema, **least: Any) -> Schema:
    """Return the schema of an object whose keys follow a pattern."""
    patterns = {"patternProperties": {pattern: schema}, "additionalProperties": False}
    return {"type": "object", **least, **patterns}


def _complete(**properties: Schema) -> Checker:
    """Return what checks an object with all of these properties and no others."""
    return Checker(object_schema(properties, *properties))


_RESOURCES = _by(
    _CLASS_KEY, {"type": "integer", "minimum": 1, "maximum": _LARGEST}, minProperties=1
)
_INVENTORIES = {
    "type": "object",
    "patternProperties": {
        _CLASS_KEY: object_schema(
            {n: v for n, v in _STOCK.items() if n != "resource_provider_generation"}, "total"
        )
    },
}
_AGGREGATES = {"type": "array", "items": _UUID, "uniqueItems": True}

_PARENT = {"parent_provider_uuid": Since(versions.NESTED, _UUID_OR_NULL)}
CREATE_PROVIDER = Checker(object_schema({"name": _NAME, "uuid": _UUID, **_PARENT}, "name"))
UPDATE_PROVIDER = Checker(object_schema({"name": _NAME, **_PARENT}, "name"))
CUSTOM_NAME = Checker({"type": "object", "properties": {"name": _CUSTOM}, "required": ["name"]})
NEW_CLASS = _complete(name=_CUSTOM)
CREATE_INVENTORY = Checker(
    object_schema({**_STOCK, "resource_class": _CLASS}, "resource_class", "total")
)
UPDATE_INVENTORY = Checker(object_schema(_STOCK, "resource_provider_generation", "total"))
SET_INVENTORIES = _complete(
    resource_provider_generation=_GENERATION,
    inventories=_INVENTORIES,
)
SET_TRAITS = _complete(
    traits={"type": "array", "items": _TEXT},
    resource_provider_generation=_GENERATION,
)
SET_AGGREGATES = Checker(
    Since(
        versions.AGGREGATE_GENERATION,
        object_schema(
            {"aggregates": _AGGREGATES, "resource_provider_generation": _GENERATION},
            *("aggregates", "resource_provider_generation"),
        ),
        before=_AGGREGATES,
    )
)


def _allocation(least: Any) -> Schema:
    """Return the schema of a consumer's allocations, of at least so many providers."""
    old = {"resource_provider": object_schema({"uuid": _UUID}, "uuid"), "resources": _RESOURCES}
    new = {"generation": _GENERATION, "resources": _RESOURCES}
    found = Since(
        versions.ALLOCATIONS_BY_PROVIDER,
        _by(_UUID_KEY, object_schema(new, "resources"), minProperties=least),
        before={"type": "array", "minItems": 1, "items": object_schema(old, *old)},
    )
    needed = {
        "allocations": found,
        "project_id": Since(versions.ALLOCATION_OWNER, _TEXT),
        "user_id": Since(versions.ALLOCATION_OWNER, _TEXT),
        "consumer_generation": Since(versions.CONSUMER_GENERATION, {"type": ["integer", "null"]}),
        "consumer_type": Since(
            versions.CONSUMER_TYPES,
            {"type": "string", "pattern": _CLASS_KEY, "minLength": 1, "maxLength": 255},
        ),
    }
    mappings = {"mappings": Since(versions.MAPPINGS, {"type": "object"})}
    required = [
        name if name == "allocations" else Since(one.minor, name) for name, one in needed.items()
    ]
    return {**object_schema({**needed, **mappings}), "required": required}


#: The allocations of a consumer; those of many, by their UUID.
ALLOCATION = Checker(_allocation(Since(versions.CONSUMER_GENERATION, 0, before=1)))
ALLOCATIONS = Checker(_by(_UUID_KEY, _allocation(0), minProperties=1))
_RESHAPED = {"resource_provider_generation": _GENERATION, "inventories": _INVENTORIES}
RESHAPING = _complete(
    inventories=_by(_UUID_KEY, object_schema(_RESHAPED, *_RESHAPED), minProperties=1),
    allocations=_by(_UUID_KEY, _allocation(0)),
)
