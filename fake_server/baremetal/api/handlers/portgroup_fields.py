"""The fields of a port group: in which version each came, and how a port group is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments
from fake_server.baremetal.api import listing
from fake_server.baremetal.errors import NotAcceptable
from fake_server.baremetal.schemas import checked
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

DEFAULT = ("uuid", "address", "name")
UNSORTABLE = ("extra", "internal_info", "properties")
#: Fields that a patch may touch, in the order in which errors name them.
PATCHABLE = (
    "address",
    "extra",
    "mode",
    "name",
    "node_uuid",
    "properties",
    "standalone_ports_supported",
    "physical_network",
    "category",
)
#: Minor version that introduced a field, and that may ask for it.
_SINCE = {"mode": 26, "properties": 26, "dynamic_portgroup": 111}
#: Minor version that shows a field that others may ask for already.
_SHOWN_SINCE = {**_SINCE, "physical_network": 102, "category": 103}

_SCHEMA = object_schema(
    {
        "address": {"type": ["string", "null"]},
        "category": {"type": ["string", "null"], "maxLength": 80},
        "extra": {"type": ["object", "null"]},
        "mode": {"type": ["string", "null"]},
        "name": {"type": ["string", "null"]},
        "node_uuid": {"type": "string"},
        "physical_network": {"type": ["string", "null"], "maxLength": 64},
        "properties": {"type": ["object", "null"]},
        "standalone_ports_supported": {"type": ["string", "boolean", "null"]},
        "uuid": {"type": ["string", "null"]},
    },
    "node_uuid",
)
SETTABLE: frozenset[str] = frozenset(_SCHEMA["properties"])
#: Takes a port group, new or patched.
portgroup = arguments.chain(
    checked(_SCHEMA),
    arguments.mapping(
        address=arguments.mac_address,
        node_uuid=arguments.uuid,
        standalone_ports_supported=arguments.boolean,
        uuid=arguments.uuid,
    ),
)
#: Fields that can be asked for.
FIELDS = (
    "address",
    "category",
    "created_at",
    "dynamic_portgroup",
    "extra",
    "internal_info",
    "links",
    "mode",
    "name",
    "node_uuid",
    "physical_network",
    "ports",
    "properties",
    "standalone_ports_supported",
    "updated_at",
    "uuid",
)


def check_version(ctx: Context, fields: Iterable[str] | None) -> None:
    """Raise NotAcceptable for fields that the request's version lacks."""
    if any(ctx.minor < _SINCE.get(name, 1) for name in fields or ()):
        raise NotAcceptable()


def show(ctx: Context, row: Record) -> dict[str, Any]:
    """Return what the request's version shows of a port group."""
    shown = show_all(ctx, row)
    return {name: shown[name] for name in shown if _SHOWN_SINCE.get(name, 1) <= ctx.minor}


def show_all(ctx: Context, row: Record) -> dict[str, Any]:
    """Return all fields of a port group; lists show them in every version."""
    uuid = row["uuid"]
    return {
        **listing.identity(row),
        "address": row["address"],
        "extra": row["extra"] or {},
        "internal_info": row["internal_info"] or {},
        "mode": row["mode"],
        "name": row["name"],
        "properties": row["properties"] or {},
        "standalone_ports_supported": row["standalone_ports_supported"],
        "node_uuid": row["node_uuid"],
        "physical_network": row["physical_network"],
        "category": row["category"],
        "dynamic_portgroup": row["dynamic_portgroup"],
        "links": ctx.links("portgroups", uuid),
        "ports": ctx.links("portgroups", f"{uuid}/ports"),
    }
