"""JSON schemas of what is done to servers."""

from __future__ import annotations

from functools import cache
from typing import Any

from fake_server.common.microversions import ABSENT, Since, at
from fake_server.common.schemas import Checker, Schema, object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.schemas import parts, servers

_KINDS = ["HARD", "Hard", "hard", "SOFT", "Soft", "soft"]
_TEXT = {"type": "string", "minLength": 1, "maxLength": 255}
_GROUP = object_schema({"name": {"type": "string", "minLength": 1}}, "name")
_ADDRESS = {"address": parts.ANY_ADDRESS}
_LENGTH = {"type": ["integer", "string", "null"], "pattern": "^-?[0-9]+$", "minimum": -1}
_ROTATION = {**parts.COUNT, "minimum": 0}
_BACKUP = {"name": parts.NAME, "backup_type": {"type": "string"}, "rotation": _ROTATION}
_HOST = {**parts.HOST, "type": ["string", "null"]}
_FORCED = Since(versions.FORCED_HOST_GONE, ABSENT, before=parts.BOOLEAN)
_LIVE = {
    "block_migration": Since(
        versions.AUTOMATIC_BLOCKS,
        {**parts.BOOLEAN, "enum": [*parts.BOOLEAN["enum"], "auto"]},
        before=parts.BOOLEAN,
    ),
    "disk_over_commit": Since(versions.AUTOMATIC_BLOCKS, ABSENT, before=parts.BOOLEAN),
    "host": _HOST,
    "force": Since(versions.LIVE_FORCED, _FORCED),
}
_EVACUATED = {
    "host": parts.HOST,
    "onSharedStorage": Since(versions.SHARED_STORAGE_GONE, ABSENT, before=parts.BOOLEAN),
    "adminPass": {"type": "string"},
    "force": Since(versions.EVACUATION_FORCED, _FORCED),
}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": ["object", "null"]}


def _console(*kinds: str) -> Schema:
    return object_schema({"type": {"type": "string", "enum": list(kinds)}}, "type")


#: What a request says of an action, where it isn't null or whatever.
_ACTIONS: dict[str, Any] = {
    "reboot": object_schema({"type": {"type": "string", "enum": _KINDS}}, "type"),
    "rescue": _or_null(
        object_schema({"adminPass": {"type": "string"}, "rescue_image_ref": parts.UUID})
    ),
    "lock": Since(
        versions.LOCKED_REASON, _or_null(object_schema({"locked_reason": _TEXT})), before={}
    ),
    "os-resetState": object_schema(
        {"state": {"type": "string", "enum": ["active", "error"]}}, "state"
    ),
    "addSecurityGroup": _GROUP,
    "removeSecurityGroup": _GROUP,
    "addFloatingIp": object_schema({**_ADDRESS, "fixed_address": parts.ANY_ADDRESS}, "address"),
    "removeFloatingIp": object_schema(_ADDRESS, "address"),
    "resize": object_schema(
        {
            "flavorRef": {"type": ["string", "integer"], "minLength": 1},
            "OS-DCF:diskConfig": servers.DISK_CONFIG,
        },
        "flavorRef",
    ),
    "createImage": object_schema({"name": parts.NAME, "metadata": parts.METADATA}, "name"),
    "createBackup": object_schema({**_BACKUP, "metadata": parts.METADATA}, *_BACKUP),
    "migrate": Since(versions.MIGRATE_TO_HOST, _or_null(object_schema({"host": _HOST})), before={}),
    "unshelve": Since(
        versions.UNSHELVE_TO_HOST,
        _or_null(
            object_schema(
                {"availability_zone": {"type": ["string", "null"]}, "host": {"type": "string"}}
            )
        ),
        before=Since(
            versions.UNSHELVE_TO_ZONE,
            _or_null(object_schema({"availability_zone": parts.NAME}, "availability_zone")),
            before={},
        ),
    ),
    "changePassword": object_schema({"adminPass": {"type": "string"}}, "adminPass"),
    "os-getConsoleOutput": object_schema({"length": _LENGTH}),
    "os-getVNCConsole": _console("novnc", "xvpvnc"),
    "os-getSPICEConsole": _console("spice-html5"),
    "os-getSerialConsole": _console("serial"),
}


@cache
def action(name: str, minor: int) -> Checker:
    """Return what checks a request for an action."""
    if name == "rebuild":
        schema = object_schema(at(minor, servers.REBUILT), "imageRef")
    elif name == "os-migrateLive":
        live = at(minor, _LIVE)
        schema = object_schema(live, *(key for key in live if key != "force"))
    elif name == "evacuate":
        needed = () if minor >= versions.SHARED_STORAGE_GONE else ("onSharedStorage",)
        schema = object_schema(at(minor, _EVACUATED), *needed)
    else:
        schema = at(minor, _ACTIONS).get(name, {})
    return parts.checker(object_schema({name: schema}, name))
