"""How a node is shown: the fields of a version, without what the caller may not see."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions, states, tables
from fake_server.baremetal.api import permissions
from fake_server.baremetal.errors import Invalid
from fake_server.baremetal.fields import OBJECT, TIME, timestamp
from fake_server.baremetal.models import allocations, conductors, nodes
from fake_server.baremetal.node_fields import NODES
from fake_server.common import masking

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

#: Objects that may hold secrets, and their secrets that have other names.
_SECRETIVE = {field.name: field.secrets for field in NODES.rows if field.secrets is not None}
#: The policies that show what is secret in a field.
_SHOWING = dict.fromkeys(_SECRETIVE, "show_password") | {"instance_info": "show_instance_secrets"}
_TIMES = frozenset(field.name for field in NODES.rows if field.kind is TIME)
#: What is linked below a node, and since when.
_LINKED = {
    "ports": 1,
    "states": microversions.STATES_LINKS,
    "portgroups": microversions.PORTGROUPS_OF_NODE,
    "volume": microversions.VOLUME,
}
#: What is shown instead of fields that the caller may not see.
_REDACTED: dict[str, Any] = {
    field.name: {"content": field.redacted} if field.kind is OBJECT else field.redacted
    for field in NODES.rows
    if field.redacted is not None
}
#: Fields that can be asked for.
_SELECTABLE = frozenset(NODES.since) - {"created_at", "updated_at"}


def check_version(ctx: Context, fields: Iterable[str] | None) -> None:
    """Raise NotAcceptable for fields of later versions, and for any before 1.8."""
    if fields is None:
        return
    ctx.require(microversions.FIELDS)
    for name in fields:
        ctx.require(NODES.asked.get(name, 1))


def check_selectable(fields: Iterable[str] | None) -> None:
    """Raise Invalid for fields that can't be asked for, naming the first one."""
    for name in fields or ():
        if name not in _SELECTABLE:
            raise Invalid(f"Field {name} is not a valid field.")


def check_listable(fields: Iterable[str] | None) -> None:
    """Raise Invalid for fields of a list that aren't columns; Ironic fails at them."""
    for name in fields or ():
        if name not in tables.nodes.c and name != "traits":
            raise Invalid(f"Field {name} is not a valid field of a list.")


def show(ctx: Context, node: Record, fields: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what the API shows of a node in the request's version.

    :param fields: which fields; ``None`` for all.
    """
    return show_all(ctx, [node], fields)[0]


def show_all(
    ctx: Context, rows: Sequence[Record], fields: Sequence[str] | None = None
) -> list[dict[str, Any]]:
    """Return what the API shows of several nodes; see :func:`show`."""
    columns, converted, derived = _visible(ctx.minor, None if fields is None else tuple(fields))
    traits: dict[int, list[str]] = {}
    if "traits" in derived:
        traits = nodes.traits(ctx.session, [row["id"] for row in rows])
    allocated: dict[int, str] = {}
    if "allocation_uuid" in derived:
        ids = [row["allocation_id"] for row in rows if row["allocation_id"] is not None]
        allocated = allocations.uuids(ctx.session, ids)
    return [
        _redacted(ctx, row, _show_columns(ctx, row, columns, converted))
        | {name: _derive(ctx, row, name, traits, allocated) for name in derived}
        | _links(ctx, row["uuid"], everything=fields is None)
        for row in rows
    ]


@cache
def _visible(minor: int, fields: tuple[str, ...] | None) -> tuple[tuple[str, ...], ...]:
    """Return the columns that a version shows, those of them to convert, and the derived fields."""
    known = [
        name
        for name, since in NODES.since.items()
        if since <= minor and (fields is None or name in fields)
    ]
    columns = tuple(name for name in known if name in NODES.stored)
    converted = tuple(name for name in columns if name in NODES.objects or name in _TIMES)
    return columns, converted, tuple(name for name in known if name not in NODES.stored)


def _show_columns(
    ctx: Context, node: Record, columns: Iterable[str], converted: Iterable[str]
) -> dict[str, Any]:
    shown = {name: node[name] for name in columns}
    for name in converted:
        value = shown[name]
        if name in _TIMES:
            shown[name] = timestamp(value)
        elif not value:
            shown[name] = {}
        elif name in _SECRETIVE and not permissions.shows_secrets(ctx, _SHOWING[name]):
            shown[name] = _mask(name, value)
    if ctx.minor < microversions.INSPECT_WAIT and "provision_state" in shown:
        shown["provision_state"] = _older_state(ctx, shown["provision_state"])
    return shown


def _redacted(ctx: Context, node: Record, shown: dict[str, Any]) -> dict[str, Any]:
    """Hide what the caller may not see of a node that it may see."""
    if permissions.permits(ctx, "baremetal:node:get:filter_threshold", node):
        return shown
    for name, hidden in _REDACTED.items():
        if name in shown and not permissions.permits(ctx, f"baremetal:node:get:{name}", node):
            shown[name] = hidden
    return shown


def _older_state(ctx: Context, state: str | None) -> str | None:
    """Return a provision state as versions call it that don't know it yet."""
    if state == states.INSPECTWAIT:
        return states.INSPECTING
    if state == states.AVAILABLE and ctx.minor < microversions.AVAILABLE_STATE:
        return None
    return state


def _mask(name: str, value: dict[str, Any]) -> dict[str, Any]:
    masked = masking.mask(value)
    for key in _SECRETIVE[name]:
        if masked.get(key):
            masked[key] = masking.MASK
    return masked


def _derive(
    ctx: Context, node: Record, name: str, traits: dict[int, list[str]], allocated: dict[int, str]
) -> Any:
    if name == "traits":
        return traits.get(node["id"], [])
    if name == "conductor":
        return conductors.host_of(ctx.session, node)
    if name == "chassis_uuid":
        return nodes.chassis_uuid(ctx.session, node)
    return allocated.get(node["allocation_id"])


def _links(ctx: Context, uuid: str, *, everything: bool) -> dict[str, Any]:
    links: dict[str, Any] = {"links": ctx.links("nodes", uuid)}
    if everything:
        for name, since in _LINKED.items():
            if ctx.minor >= since:
                links[name] = ctx.links("nodes", f"{uuid}/{name}")
    return links
