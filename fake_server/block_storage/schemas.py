"""JSON schemas of request bodies, by microversion where they differ."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions as versions
from fake_server.block_storage.formats import FORMATS, LONGEST
from fake_server.common.microversions import Since, at
from fake_server.common.schemas import Checker, object_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST = 2**31 - 1


def _checker(schema: Mapping[str, Any]) -> Checker:
    return Checker(schema, FORMATS)


def _body(key: str, properties: Mapping[str, Any], *required: str, **more: Any) -> Checker:
    """Return what checks a body that holds an object under a key."""
    return _checker(object_schema({key: {**object_schema(properties, *required), **more}}, key))


def _texts(values: Mapping[str, Any], characters: str = "a-zA-Z0-9-_:. /") -> dict[str, Any]:
    """Return the schema of values by name."""
    pattern = f"^[{characters}]{{1,{LONGEST}}}$"
    return {
        "type": "object",
        "patternProperties": {pattern: values},
        "additionalProperties": False,
    }


_TEXT = {"type": "string", "maxLength": LONGEST}
_FULL = {**_TEXT, "minLength": 1}
_OPTIONAL = {**_TEXT, "type": ["string", "null"]}
_ANY_NAME = {"type": "string", "format": "name"}
_NAME = {**_FULL, "format": "name"}
_DESCRIPTION = {**_OPTIONAL, "pattern": r"^[^\x00-\x1f\x7f]*$"}
_UUID = {"type": "string", "format": "uuid"}
_UUIDS = {"oneOf": [_UUID, {"type": "array", "items": _UUID, "uniqueItems": True}]}
_UUID_OR_NULL = {"oneOf": [{"type": "null"}, _UUID]}
_BOOLEAN = {
    "type": ["boolean", "string"],
    "enum": [
        *(True, "True", "TRUE", "true", "1", "ON", "On", "on", "YES", "Yes", "yes", "y", "t"),
        *(False, "False", "FALSE", "false", "0", "OFF", "Off", "off", "NO", "No", "no", "n", "f"),
    ],
}
_SIZE = {
    "type": ["integer", "string"],
    "pattern": "^[0-9]+$",
    "minimum": 1,
    "maximum": _LARGEST,
}
_METADATA = _texts(_TEXT)
_METADATA_OR_NULL = {**_METADATA, "type": ["object", "null"]}
_SPECS = _texts(_OPTIONAL, "a-zA-Z0-9-_:.")
_ONE = {"minProperties": 1, "maxProperties": 1}
_CONNECTOR = {"type": ["string", "object", "null"]}
_SHORT_NAME = {"type": ["string", "null"], "format": "short name"}
_SHORT_DESCRIPTION = {"type": ["string", "null"], "format": "short description"}
#: Names and descriptions; older clients call them otherwise.
_NAMES = {
    **dict.fromkeys(("name", "display_name"), _SHORT_NAME),
    **dict.fromkeys(("description", "display_description"), _SHORT_DESCRIPTION),
}


def names(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the name and the description in a body, without blanks around them."""
    found = {}
    for name in ("name", "description"):
        for key in (f"display_{name}", name):
            if key in wanted:
                found[name] = wanted[key] and wanted[key].strip()
    return found


_HINTS = {
    "type": ["object", "null"],
    "properties": {
        "local_to_instance": _UUID_OR_NULL,
        **dict.fromkeys(("different_host", "same_host"), _UUIDS),
        "query": {"type": ["string", "object"]},
    },
}


@cache
def create_volume(minor: int) -> Checker:
    """Return what checks a new volume."""
    properties: dict[str, Any] = {
        **_NAMES,
        "volume_type": _OPTIONAL,
        "metadata": _METADATA_OR_NULL,
        **dict.fromkeys(("snapshot_id", "source_volid", "consistencygroup_id"), _UUID_OR_NULL),
        "size": {**_SIZE, "type": ["integer", "string", "null"]},
        "availability_zone": {**_FULL, "type": ["string", "null"]},
        "multiattach": {"oneOf": [{"type": "null"}, _BOOLEAN]},
        **dict.fromkeys(("image_id", "imageRef"), _OPTIONAL),
        "group_id": Since(versions.GROUPS, _OPTIONAL),
        "backup_id": Since(versions.VOLUME_FROM_BACKUP, _UUID_OR_NULL),
    }
    volume = object_schema(at(minor, properties))
    if minor < versions.STRICT_VOLUMES:
        volume = {**volume, "additionalProperties": True}
    return _checker(
        object_schema({"volume": volume, "OS-SCH-HNT:scheduler_hints": _HINTS}, "volume")
    )


@cache
def update_volume(minor: int) -> Checker:
    """Return what checks changes of a volume."""
    properties = {**_NAMES, "metadata": _METADATA}
    some = [{"required": [name]} for name in properties]
    strict = minor >= versions.STRICT_VOLUMES
    return _body("volume", properties, **({"anyOf": some} if strict else {}))


def _actions(
    details: Mapping[str, Mapping[str, Any]], *without_details: str
) -> Mapping[str, Checker]:
    """Return what checks actions, by their names."""
    return {
        name: _checker(object_schema({name: details.get(name, {})}, name))
        for name in (*details, *without_details)
    }


def _reset(status: str) -> Mapping[str, Any]:
    return object_schema({"status": {"type": "string", "format": status}}, "status")


VOLUME_ACTIONS = _actions(
    {
        "os-attach": {
            **object_schema(
                {
                    "instance_uuid": _UUID,
                    "mountpoint": _FULL,
                    "host_name": _TEXT,
                    "mode": {"type": "string", "enum": ["rw", "ro"]},
                },
                "mountpoint",
            ),
            "anyOf": [{"required": ["instance_uuid"]}, {"required": ["host_name"]}],
        },
        "os-detach": {
            **object_schema({"attachment_id": _UUID_OR_NULL}),
            "type": ["object", "null"],
        },
        "os-extend": object_schema({"new_size": _SIZE}, "new_size"),
        "os-retype": object_schema(
            {
                "new_type": {"type": "string"},
                "migration_policy": {"type": ["string", "null"], "enum": ["on-demand", "never"]},
            },
            "new_type",
        ),
        "os-initialize_connection": object_schema(
            {"connector": {"type": ["object", "string"]}}, "connector"
        ),
        "os-terminate_connection": object_schema({"connector": _CONNECTOR}, "connector"),
        "os-set_bootable": object_schema({"bootable": _BOOLEAN}, "bootable"),
        "os-update_readonly_flag": object_schema({"readonly": _BOOLEAN}, "readonly"),
        "os-reset_status": object_schema(
            {
                name: {"type": ["string", "null"], "format": f"volume_{name}"}
                for name in ("status", "attach_status", "migration_status")
            }
        ),
        "os-force_detach": object_schema(
            {"connector": _CONNECTOR, "attachment_id": {"type": ["string", "null"]}}
        ),
        "os-set_image_metadata": object_schema(
            {"metadata": _texts({"type": "string"})}, "metadata"
        ),
        "os-unset_image_metadata": object_schema({"key": _FULL}, "key"),
        "revert": {
            **object_schema({"snapshot_id": {"type": ["string", "null"]}}),
            "additionalProperties": True,
        },
    },
    *("os-reserve", "os-unreserve", "os-begin_detaching", "os-roll_detaching"),
    *("os-force_delete", "os-show_image_metadata"),
)
METADATA = _checker(object_schema({"metadata": _METADATA}, "metadata"))
METADATA_ITEM = _checker(object_schema({"meta": {**_METADATA, **_ONE}}, "meta"))

_COPY = {"name": _OPTIONAL, "description": _DESCRIPTION}
_COPY_NAMES = {**_COPY, "display_name": _OPTIONAL, "display_description": _DESCRIPTION}
CREATE_SNAPSHOT = _body(
    "snapshot",
    {
        **_COPY,
        "display_name": _OPTIONAL,
        "volume_id": _UUID_OR_NULL,
        "force": _BOOLEAN,
        "metadata": _METADATA_OR_NULL,
    },
    "volume_id",
)
UPDATE_SNAPSHOT = _body(
    "snapshot", _COPY_NAMES, anyOf=[{"required": [name]} for name in _COPY_NAMES]
)
SNAPSHOT_ACTIONS = _actions(
    {
        "os-reset_status": _reset("snapshot_status"),
        "os-update_snapshot_status": object_schema(
            {"status": {"type": "string"}, "progress": {"format": "progress"}}, "status"
        ),
    },
    "os-force_delete",
)


@cache
def create_backup(minor: int) -> Checker:
    """Return what checks a new backup."""
    properties: dict[str, Any] = {
        **_COPY,
        "volume_id": _UUID,
        "container": _OPTIONAL,
        "incremental": _BOOLEAN,
        "force": _BOOLEAN,
        "snapshot_id": _UUID_OR_NULL,
        "metadata": Since(versions.BACKUP_METADATA, _METADATA_OR_NULL),
        "availability_zone": Since(versions.BACKUP_ZONE, _OPTIONAL),
    }
    return _body("backup", at(minor, properties), "volume_id")


@cache
def update_backup(minor: int) -> Checker:
    """Return what checks changes of a backup."""
    properties = {**_COPY, "metadata": Since(versions.BACKUP_METADATA, _METADATA)}
    return _body("backup", at(minor, properties), type=["object", "null"])


RESTORE = _body(
    "restore",
    {"name": _OPTIONAL, "volume_id": _UUID_OR_NULL},
    type=["object", "null"],
)
BACKUP_ACTIONS = _actions({"os-reset_status": _reset("backup_status")}, "os-force_delete")


@cache
def create_attachment(minor: int) -> Checker:
    """Return what checks a new attachment."""
    properties: dict[str, Any] = {
        "instance_uuid": _UUID,
        "connector": {"type": ["object", "null"]},
        "volume_uuid": _UUID,
        "mode": Since(versions.ATTACH_MODE, {"type": "string", "enum": ["rw", "ro"]}),
    }
    return _body("attachment", at(minor, properties), "volume_uuid")


UPDATE_ATTACHMENT = _body(
    "attachment", {"connector": {"type": "object", "minProperties": 1}}, "connector"
)
ATTACHMENT_ACTIONS = _actions({}, "os-complete")


@cache
def create_transfer(minor: int) -> Checker:
    """Return what checks a new transfer."""
    properties: dict[str, Any] = {
        "volume_id": _UUID,
        "name": {"oneOf": [_ANY_NAME, {"type": "null"}]},
        "no_snapshots": Since(versions.TRANSFERS, _BOOLEAN),
    }
    return _body("transfer", at(minor, properties), "volume_id")


ACCEPT = _body("accept", {"auth_key": {"type": ["string", "integer"]}}, "auth_key")

CREATE_TYPE = _body(
    "volume_type",
    {
        "name": _NAME,
        "description": _DESCRIPTION,
        "extra_specs": _texts(_OPTIONAL),
        "os-volume-type-access:is_public": _BOOLEAN,
    },
    "name",
)
UPDATE_TYPE = _body(
    "volume_type",
    {
        "name": {**_FULL, "type": ["string", "null"]},
        "description": _DESCRIPTION,
        "is_public": _BOOLEAN,
    },
)
EXTRA_SPECS = _checker(object_schema({"extra_specs": _SPECS}, "extra_specs"))
EXTRA_SPEC = _checker({**_SPECS, **_ONE})
TYPE_ACTIONS = _actions(
    dict.fromkeys(
        ("addProjectAccess", "removeProjectAccess"), object_schema({"project": _FULL}, "project")
    )
)
_ENCRYPTION = {
    "key_size": {**_SIZE, "type": ["string", "integer", "null"], "minimum": 0},
    "provider": _TEXT,
    "control_location": {"enum": ["front-end", "back-end"]},
    "cipher": _OPTIONAL,
}
CREATE_ENCRYPTION = _body(
    "encryption", _ENCRYPTION, "provider", "control_location", additionalProperties=True
)
UPDATE_ENCRYPTION = _body("encryption", _ENCRYPTION, additionalProperties=True)
CREATE_QOS = _body("qos_specs", {"name": _ANY_NAME}, "name", additionalProperties=True)
UPDATE_QOS = _checker(object_schema({"qos_specs": _texts(_OPTIONAL)}, "qos_specs"))
QOS_KEYS = _checker(
    object_schema({"keys": {"type": "array", "items": _FULL, "uniqueItems": True}}, "keys")
)
QUOTAS = _checker(object_schema({"quota_set": {"type": "object", "minProperties": 1}}, "quota_set"))
_LIMIT = {**_SIZE, "pattern": "^[0-9]*$", "minimum": -1, "minLength": 1}
QUOTA_CLASS = _checker(object_schema({"quota_class_set": _texts(_LIMIT)}, "quota_class_set"))
DEFAULT_TYPE = _body("default_type", {"volume_type": _NAME}, "volume_type")
