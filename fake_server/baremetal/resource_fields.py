"""The fields of the resources beside nodes."""

from __future__ import annotations

from functools import partial
from typing import Any

from fake_server.baremetal.fields import (
    ADDRESS,
    BOOLEAN,
    FLAG,
    INTEGER,
    LINK,
    LINKED_LIST,
    LIST,
    MESSAGE,
    OBJECT,
    TEXT,
    UUID,
    Field,
    Fields,
    Kind,
    Settable,
)

_ALWAYS, _CREATE = Settable.ALWAYS, Settable.CREATE
_STRING = {"type": "string"}
_given = partial(Field, settable=_ALWAYS, required=True, limits=_STRING)


def _text(name: str, length: int, since: int = 1, kind: Kind = TEXT, **more: Any) -> Field:
    """Return a field of which requests know how long it may be."""
    limits = {"type": ["string", "null"], "maxLength": length}
    return Field(name, kind, since, length, settable=_ALWAYS, limits=limits, **more)


def _flag(name: str, since: int = 1, *, default: bool) -> Field:
    """Return a boolean that the database takes null for, too."""
    return Field(name, BOOLEAN, since, default=default, nullable=True, settable=_ALWAYS)


_UUID = Field("uuid", UUID, nullable=False, settable=_CREATE)
#: A UUID that patches may change, too.
_ANY_UUID = Field("uuid", UUID, nullable=False, settable=_ALWAYS)
_EXTRA = Field("extra", OBJECT, settable=_ALWAYS)
_NODE = Field("node_uuid", LINK, settable=_ALWAYS, required=True, limits=_STRING)
_NAME = Field("name", nullable=False, settable=_ALWAYS, required=True)
_STEPS = Field("steps", LIST, nullable=False, settable=_ALWAYS, required=True)

PORTS = Fields(
    _UUID,
    _given("address", ADDRESS),
    _EXTRA,
    _flag("is_smartnic", 53, default=False),
    Field("local_link_connection", OBJECT, 19, settable=_ALWAYS,
          limits={"type": ["null", "object"]}),
    Field("node_ident", LINK, settable=_ALWAYS, shown=False, limits=_STRING),
    Field("node_uuid", LINK, settable=_ALWAYS, limits=_STRING),
    _text("physical_network", 64, 34),
    Field("portgroup_uuid", LINK, 24, settable=_ALWAYS),
    _flag("pxe_enabled", 19, default=True),
    Field("name", since=88, settable=_ALWAYS),
    _text("description", 255, 97),
    _text("vendor", 32, 100),
    _text("category", 80, 101),
    Field("available_for_dynamic_portgroup", BOOLEAN, 111, default=True, settable=_ALWAYS,
          limits={"type": "boolean"}),
    Field("internal_info", OBJECT, 18, asked=1),
    listed=("uuid", "address"),
)  # fmt: skip
PORTGROUPS = Fields(
    _UUID,
    Field("address", ADDRESS, settable=_ALWAYS),
    _EXTRA,
    Field("mode", since=26, settable=_ALWAYS),
    Field("name", settable=_ALWAYS),
    _NODE,
    Field("properties", OBJECT, 26, settable=_ALWAYS),
    _flag("standalone_ports_supported", default=True),
    _text("physical_network", 64, 102, asked=1),
    _text("category", 80, 103, asked=1),
    Field("internal_info", OBJECT),
    Field("dynamic_portgroup", BOOLEAN, 111, default=False, nullable=True),
    listed=("uuid", "address", "name"),
)
VOLUME_CONNECTORS = Fields(
    _given("connector_id"),
    _EXTRA,
    _given("node_uuid", LINK),
    _given("type", length=32),
    _UUID,
    listed=("uuid", "node_uuid", "type", "connector_id"),
)
VOLUME_TARGETS = Fields(
    _given("boot_index", INTEGER, limits={}),
    _EXTRA,
    _given("node_uuid", LINK),
    Field("properties", OBJECT, settable=_ALWAYS),
    _given("volume_id", length=36, index=True),
    _given("volume_type", length=64),
    _UUID,
    listed=("uuid", "node_uuid", "volume_type", "boot_index", "volume_id"),
)
CHASSIS = Fields(
    _ANY_UUID,
    _EXTRA,
    _text("description", 255),
    listed=("uuid", "description"),
)
DEPLOY_TEMPLATES = Fields(
    _EXTRA,
    _NAME,
    _STEPS,
    # It may be given, but nothing keeps it.
    _text("description", 255, kind=LINK, shown=False),
    _UUID,
    listed=("uuid", "name"),
)
RUNBOOKS = Fields(
    Field("disable_ramdisk", FLAG, default=False, settable=_ALWAYS),
    _EXTRA,
    _NAME,
    _text("owner", 255),
    Field("public", FLAG, default=False, settable=_ALWAYS),
    _STEPS,
    _UUID,
    _text("description", 255, 112),
    # They have a table of their own.
    Field("traits", LINKED_LIST, 112),
    listed=("uuid", "name"),
)
INSPECTION_RULES = Fields(
    Field("actions", LIST, nullable=False, settable=_ALWAYS, required=True),
    Field("conditions", LIST, nullable=False, settable=_ALWAYS),
    _text("description", 255),
    _text("phase", 16),
    Field("priority", INTEGER, default=0, settable=_ALWAYS, limits={"minimum": 0}),
    Field("sensitive", FLAG, default=False, settable=_ALWAYS),
    _ANY_UUID,
    Field("scope", shown=False),
    listed=("uuid", "priority", "phase", "description"),
)
ALLOCATIONS = Fields(
    Field("candidate_nodes", LIST, settable=_CREATE),
    _EXTRA,
    Field("last_error", MESSAGE),
    Field("node_uuid", LINK),
    Field("name", settable=_ALWAYS),
    Field("owner", since=60, settable=_CREATE),
    Field("resource_class", length=80, settable=_CREATE, limits={"maxLength": 80}),
    Field("state", length=15, nullable=False),
    Field("traits", LIST, settable=_CREATE),
    _UUID,
)
