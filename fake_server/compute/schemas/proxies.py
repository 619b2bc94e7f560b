"""JSON schemas of what older versions pass on to other services."""

from __future__ import annotations

from fake_server.common.schemas import Checker, object_schema
from fake_server.compute.schemas import parts

_TEXT = {"type": "string"}
#: Nova lets these have more than it knows.
_OPEN = {"additionalProperties": True}

CREATE_FLOATING_IP = Checker(object_schema({"pool": {"type": ["string", "null"]}}))
_NAMED = object_schema(
    {"name": {**_TEXT, "maxLength": 255}, "description": {**_TEXT, "maxLength": 255}},
    *("name", "description"),
)
SECURITY_GROUP = Checker(object_schema({"security_group": {**_NAMED, **_OPEN}}, "security_group"))
_RULE = object_schema(
    {
        "parent_group_id": parts.UUID,
        "group_id": {**parts.UUID, "type": ["string", "null"]},
        "cidr": {"type": ["string", "null"]},
    },
    "parent_group_id",
)
CREATE_RULE = Checker(
    object_schema({"security_group_rule": {**_RULE, **_OPEN}}, "security_group_rule")
)
_NAMES = {"display_name": _TEXT, "display_description": _TEXT}
CREATE_VOLUME = Checker(
    object_schema(
        {
            "volume": object_schema(
                {
                    **_NAMES,
                    "volume_type": _TEXT,
                    "metadata": {"type": "object"},
                    "snapshot_id": _TEXT,
                    "size": {"type": ["integer", "string"], "pattern": "^[0-9]+$", "minimum": 1},
                    "availability_zone": _TEXT,
                },
                "size",
            )
        },
        "volume",
    )
)
CREATE_SNAPSHOT = Checker(
    object_schema(
        {
            "snapshot": object_schema(
                {**_NAMES, "volume_id": _TEXT, "force": parts.BOOLEAN}, "volume_id"
            )
        },
        "snapshot",
    )
)
