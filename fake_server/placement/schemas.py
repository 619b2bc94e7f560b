"""JSON schemas of request bodies."""

from __future__ import annotations

from fake_server.common.schemas import Checker, Schema, object_schema
from fake_server.placement import microversions

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


def _by(pattern: str, schema: Schema, **least: int) -> Schema:
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

CREATE_PROVIDER = Checker(object_schema({"name": _NAME, "uuid": _UUID}, "name"))
CREATE_NESTED_PROVIDER = Checker(
    object_schema({"name": _NAME, "uuid": _UUID, "parent_provider_uuid": _UUID_OR_NULL}, "name")
)
UPDATE_PROVIDER = _complete(name=_NAME)
UPDATE_NESTED_PROVIDER = Checker(
    object_schema({"name": _NAME, "parent_provider_uuid": _UUID_OR_NULL}, "name")
)
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
SET_AGGREGATES = _complete(aggregates=_AGGREGATES, resource_provider_generation=_GENERATION)
AGGREGATES = Checker(_AGGREGATES)


def allocation(minor: int) -> Checker:
    """Return what checks the allocations of a consumer in a version."""
    return Checker(_allocation(minor, 0 if minor >= microversions.CONSUMER_GENERATION else 1))


def allocations(minor: int) -> Checker:
    """Return what checks the allocations of many consumers, by their UUID, in a version."""
    return Checker(_by(_UUID_KEY, _allocation(minor, 0), minProperties=1))


def reshaping(minor: int) -> Checker:
    """Return what checks new inventories and allocations, in a version."""
    one = {"resource_provider_generation": _GENERATION, "inventories": _INVENTORIES}
    return _complete(
        inventories=_by(_UUID_KEY, object_schema(one, *one), minProperties=1),
        allocations=_by(_UUID_KEY, _allocation(minor, 0)),
    )


def _allocation(minor: int, least: int) -> Schema:
    """Return the schema of a consumer's allocations, of at least so many providers."""
    if minor < microversions.ALLOCATIONS_BY_PROVIDER:
        provider = object_schema({"uuid": _UUID}, "uuid")
        item = {"resource_provider": provider, "resources": _RESOURCES}
        found: Schema = {"type": "array", "minItems": 1, "items": object_schema(item, *item)}
    else:
        item = {"generation": _GENERATION, "resources": _RESOURCES}
        found = _by(_UUID_KEY, object_schema(item, "resources"), minProperties=least)
    properties = {"allocations": found}
    if minor >= microversions.ALLOCATION_OWNER:
        properties |= dict.fromkeys(("project_id", "user_id"), _TEXT)
    if minor >= microversions.CONSUMER_GENERATION:
        properties["consumer_generation"] = {"type": ["integer", "null"]}
    if minor >= microversions.MAPPINGS:
        properties["mappings"] = {"type": "object"}
    if minor >= microversions.CONSUMER_TYPES:
        kind = {"type": "string", "pattern": _CLASS_KEY, "minLength": 1, "maxLength": 255}
        properties["consumer_type"] = kind
    return object_schema(properties, *(name for name in properties if name != "mappings"))
