"""The representation of resources in the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.networking.kinds import KINDS
from fake_server.networking.models.operations import OPERATIONS
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.db.store import Record
    from fake_server.networking.context import NetworkingContext
    from fake_server.networking.models.items import NetworkingSession


def complete(session: NetworkingSession, kind: str, rows: Sequence[Record]) -> list[Record]:
    """Return items with what the API shows of others in them."""
    found = OPERATIONS[kind].complete(session, rows) if kind in OPERATIONS else rows
    return [
        {**item, "tenant_id": item["project_id"]} if "project_id" in item else item
        for item in found
    ]


def shown(ctx: NetworkingContext, kind: str, item: Record) -> Record:
    """Return what the client may see of a completed item."""
    target = ctx.target(kind, item) if ctx.caller else {}
    guarded = {name: KINDS[kind].policy("get", name) for name in item}
    return {
        name: value
        for name, value in without_hidden(kind, item).items()
        if guarded[name] not in POLICIES.rules or ctx.may(guarded[name], target)
    }


def without_hidden(kind: str, item: Record) -> Record:
    """Return an item without what is kept of it for filters alone."""
    return {name: value for name, value in item.items() if name not in KINDS[kind].hidden}


def single(ctx: NetworkingContext, kind: str, item: Record) -> Record:
    """Return what the client may see of an item."""
    found = shown(ctx, kind, complete(ctx.session, kind, [item])[0])
    if kind == "security_groups":
        for rule in found["security_group_rules"]:
            rule["belongs_to_default_sg"] = item["name"] == "default"
    return found


def inside(kind: str, item: Record) -> Record:
    """Return what the API shows of an item that is kept in another one."""
    return {name: item[name] for name in KINDS[kind].attributes if name in item}


def of_fields(ctx: NetworkingContext, item: Record) -> Record:
    """Return the attributes that the query asks for, by default all."""
    fields = ctx.request.query.get("fields")
    if fields is None:
        return item
    names = fields if isinstance(fields, list) else [fields]
    return {name: value for name, value in item.items() if name in names}
