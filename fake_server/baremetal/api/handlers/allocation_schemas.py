"""The JSON schemas of allocations: arguments of lists, bodies and patches."""

from __future__ import annotations

from typing import Any

from fake_server.baremetal import arguments
from fake_server.baremetal.api import list_query
from fake_server.baremetal.api.handlers.node_traits import trait_schema
from fake_server.baremetal.api.list_query import ListArgument
from fake_server.baremetal.resource_fields import ALLOCATIONS
from fake_server.baremetal.schemas import (
    SORT_DIRECTION,
    UUID_OR_NAME,
    UUID_TEXT,
    ArgumentChecker,
    checked,
    fields_schema,
)
from fake_server.common.schemas import Schema, object_schema

_FIELDS = [name for name in ALLOCATIONS.names() if name != "owner"]
_TEXT = {"type": ["string", "null"]}


def fields(*more: str) -> Schema:
    """Return the schema of the argument ``fields``.

    :param more: fields that only newer versions have.
    """
    return {"fields": fields_schema([*_FIELDS, *more])}


LIST = {
    "node": ListArgument(UUID_OR_NAME),
    "resource_class": ListArgument({"type": "string"}),
    "state": ListArgument({"type": "string"}),
    "marker": ListArgument(UUID_TEXT),
    "limit": list_query.PAGE["limit"],
    "sort_key": ListArgument({"type": "string"}),
    "sort_dir": ListArgument(SORT_DIRECTION),
    "fields": ListArgument(fields()["fields"], arguments.string_list),
    "owner": ListArgument({"type": "string"}),
}
#: The same from the version on that shows owners.
LIST_WITH_OWNER = {**LIST, "fields": ListArgument(fields("owner")["fields"], arguments.string_list)}


def _body(**more: Any) -> Schema:
    return ALLOCATIONS.schema(
        candidate_nodes={"type": ["array", "null"], "items": UUID_OR_NAME},
        traits={"type": ["array", "null"], "items": trait_schema()},
        **more,
    )


ALLOCATION = ArgumentChecker(lambda: _body(node=_TEXT))
OLDER_ALLOCATION = ArgumentChecker(_body)
PATCH = ArgumentChecker(
    {
        "type": "array",
        "items": object_schema(
            {
                "op": {"enum": ["add", "replace", "remove"]},
                "path": {"type": "string"},
                "value": {"type": ["string", "object", "null", "integer", "boolean"]},
            },
            "op",
            "path",
        ),
    }
)
PATCHED = arguments.chain(
    checked(object_schema({"uuid": _TEXT, "name": _TEXT, "extra": {"type": ["object", "null"]}})),
    arguments.mapping(uuid=arguments.uuid),
)
