"""JSON schemas of what is done to servers."""

from __future__ import annotations

from functools import cache
from typing import Any

from fake_server.common.microversions import Since, at
from fake_server.common.schemas import Checker, Schema, object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.schemas import parts, servers

_KINDS = ["HARD", "Hard", "hard", "SOFT", "Soft", "soft"]
_TEXT = {"type": "string", "minLength": 1, "maxLength": 255}
_GROUP = object_schema({"name": {"type": "string", "minLength": 1}}, "name")
_ADDRESS = {"address": parts.ANY_ADDRESS}
_LENGTH = {"type": ["integer", "string", "null"], "pattern": "^-?[0-9]+$"}
_BACKUP = {"name": _TEXT, "backup_type": {"type": "string"}, "rotation": parts.AMOUNT}
_LIVE = {"block_migration": {}, "disk_over_commit": parts.BOOLEAN, "host": {}, "force": {}}


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
    "resize": object_schema({"flavorRef": {}, "OS-DCF:diskConfig": {}}, "flavorRef"),
    "createImage": object_schema({"name": _TEXT, "metadata": {}}, "name"),
    "createBackup": object_schema({**_BACKUP, "metadata": {}}, *_BACKUP),
    "changePassword": object_schema({"adminPass": {"type": "string"}}, "adminPass"),
    "os-getConsoleOutput": object_schema({"length": _LENGTH}),
    "os-getVNCConsole": _console("novnc", "xvpvnc"),
    "os-getSPICEConsole": _console("spice-html5"),
    "os-getSerialConsole": _console("serial"),
    "os-migrateLive": object_schema(_LIVE, "block_migration"),
}


@cache
def action(name: str, minor: int) -> Checker:
    """Return what checks a request for an action."""
    if name == "rebuild":
        schema = object_schema(at(minor, servers.REBUILT), "imageRef")
    else:
        schema = at(minor, _ACTIONS).get(name, {})
    return Checker(object_schema({name: schema}, name))
