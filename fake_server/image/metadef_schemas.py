"""JSON schemas of metadata definitions, which clients can read."""

from __future__ import annotations

from typing import Any

from fake_server.common.schemas import Checker
from fake_server.image.schemas import list_of

_TEXT = {"type": "string"}
_NAME = {"type": "string", "maxLength": 80}
_MOMENT = {"type": "string", "readOnly": True, "format": "date-time"}
_MOMENTS = {"created_at": _MOMENT, "updated_at": _MOMENT}
_ADDRESS = {"type": "string", "readOnly": True}
_ADDRESSES = {"schema": _ADDRESS, "self": _ADDRESS}
_COUNT = {"$ref": "#/definitions/positiveInteger"}
_COUNT_FROM_0 = {"$ref": "#/definitions/positiveIntegerDefault0"}
_TEXTS = {"$ref": "#/definitions/stringArray"}
_TYPE = {
    "type": "string",
    "enum": ["array", "boolean", "integer", "number", "object", "string", None],
}
#: What can be said of a property, in JSON Schema and a bit more.
_OF_PROPERTY: dict[str, Any] = {
    "name": _NAME,
    "title": _TEXT,
    "description": _TEXT,
    "operators": {"type": "array", "items": _TEXT},
    "type": _TYPE,
    "required": _TEXTS,
    "minimum": {"type": "number"},
    "maximum": {"type": "number"},
    "maxLength": _COUNT,
    "minLength": _COUNT_FROM_0,
    "pattern": {"type": "string", "format": "regex"},
    "enum": {"type": "array"},
    "readonly": {"type": "boolean"},
    "default": {},
    "items": {"type": "object", "properties": {"type": _TYPE, "enum": {"type": "array"}}},
    "maxItems": _COUNT,
    "minItems": _COUNT_FROM_0,
    "uniqueItems": {"type": "boolean", "default": False},
    "additionalItems": {"type": "boolean"},
}
_DEFINITIONS: dict[str, Any] = {
    "positiveInteger": {"type": "integer", "minimum": 0},
    "positiveIntegerDefault0": {"allOf": [_COUNT, {"default": 0}]},
    "stringArray": {"type": "array", "items": _TEXT, "uniqueItems": True},
}
_DEFINITIONS_WITH_PROPERTY = {
    **_DEFINITIONS,
    "property": {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "required": ["title", "type"],
            "properties": _OF_PROPERTY,
        },
    },
}
_ANY_PROPERTIES = {"$ref": "#/definitions/property"}


def _closed(name: str, properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "properties": properties,
        "additionalProperties": False,
        "required": list(required),
        **more,
    }


def _array_of(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": properties}}


_NAMESPACE = _closed(
    "namespace",
    {
        "namespace": _NAME,
        "display_name": _NAME,
        "description": {"type": "string", "maxLength": 500},
        "visibility": {"type": "string", "enum": ["public", "private"]},
        "protected": {"type": "boolean"},
        "owner": {"type": "string", "maxLength": 255},
        **_MOMENTS,
        **_ADDRESSES,
        "resource_type_associations": _array_of(name=_TEXT, prefix=_TEXT, properties_target=_TEXT),
        "properties": _ANY_PROPERTIES,
        "objects": _array_of(
            name=_TEXT, description=_TEXT, required=_TEXTS, properties=_ANY_PROPERTIES
        ),
        "tags": _array_of(name=_TEXT),
    },
    "namespace",
    definitions=_DEFINITIONS_WITH_PROPERTY,
)
_OBJECT = _closed(
    "object",
    {
        "name": _NAME,
        "description": _TEXT,
        "required": _TEXTS,
        "properties": _ANY_PROPERTIES,
        **_ADDRESSES,
        **_MOMENTS,
    },
    "name",
    definitions=_DEFINITIONS_WITH_PROPERTY,
)
_PROPERTY = _closed("property", _OF_PROPERTY, "type", "title", "name", definitions=_DEFINITIONS)
_TYPE_ASSOCIATION = _closed(
    "resource_type_association",
    {"name": _NAME, "prefix": _NAME, "properties_target": _NAME, **_MOMENTS},
    "name",
)
_TAG = _closed("tag", {"name": _NAME, **_MOMENTS}, "name")
_TAGS = list_of("tags", _TAG)
_ALL_PROPERTIES = list_of("properties", _PROPERTY)
_ALL_PROPERTIES["properties"]["properties"] = {"type": "object", "additionalProperties": _PROPERTY}
_TYPE_ASSOCIATIONS = list_of("resource_type_associations", _TYPE_ASSOCIATION)

#: By what is behind ``/v2/schemas/metadefs/``.
SCHEMAS = {
    "namespace": _NAMESPACE,
    "namespaces": list_of("namespaces", _NAMESPACE),
    "object": _OBJECT,
    "objects": list_of("objects", _OBJECT),
    "property": _PROPERTY,
    "properties": _ALL_PROPERTIES,
    "resource_type": _TYPE_ASSOCIATION,
    "resource_types": _TYPE_ASSOCIATIONS,
    "tag": _TAG,
    "tags": _TAGS,
}

#: By the name of the schema.
CHECKERS = {
    schema["name"]: Checker({"type": "object", **schema}, name=schema["name"])
    for schema in (_NAMESPACE, _OBJECT, _PROPERTY, _TYPE_ASSOCIATION, _TAG)
}
#: What replaces the tags of a namespace says less of them than what is shown.
_NEW_TAGS = _array_of(name=_TEXT)
_NEW_TAGS["items"] |= {"required": ["name"], "additionalProperties": False}
CHECKERS["tags"] = Checker(
    {"type": "object", "properties": {"tags": _NEW_TAGS}, "required": ["tags"]}, name="tags"
)
