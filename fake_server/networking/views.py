"""The representation of resources in the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.networking import policies
from fake_server.networking.models import items, segments, trunks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.context import Context
    from fake_server.networking.models.items import Session

#: Attributes that only filters know.
_HIDDEN = {"subnets": ("shared",)}


def complete(session: Session, kind: str, rows: Sequence[Record]) -> list[Record]:
    """Return items with what the API shows of others in them."""
    finish = _FINISHED.get(kind)
    found = finish(session, rows) if finish else list(rows)
    return [
        {**item, "tenant_id": item["project_id"]} if "project_id" in item else item
        for item in found
    ]


def shown(ctx: Context, kind: str, item: Record) -> Record:
    """Return what the client may see of a completed item."""
    policy = f"get_{kind.removesuffix('s')}"
    hidden = _HIDDEN.get(kind, ())
    subject = ctx.subject(kind, item)
    return {
        name: value
        for name, value in item.items()
        if name not in hidden
        and (not policies.known(f"{policy}:{name}") or policies.allows(f"{policy}:{name}", subject))
    }


def single(ctx: Context, kind: str, item: Record) -> Record:
    """Return what the client may see of an item."""
    found = shown(ctx, kind, complete(ctx.session, kind, [item])[0])
    if kind == "security_groups":
        for rule in found["security_group_rules"]:
            rule["belongs_to_default_sg"] = item["name"] == "default"
    return found


def of_fields(ctx: Context, item: Record) -> Record:
    """Return the attributes that the query asks for, by default all."""
    fields = ctx.request.query.get("fields")
    if fields is None:
        return item
    names = fields if isinstance(fields, list) else [fields]
    return {name: value for name, value in item.items() if name in names}


def _networks(session: Session, rows: Sequence[Record]) -> list[Record]:
    idents = [row["id"] for row in rows]
    subnets = _by_network(items.fetch(session, "subnets", network_id=idents))
    parts = _by_network(items.fetch(session, "segments", network_id=idents))
    found = []
    for row in rows:
        own = subnets.get(row["id"], [])
        found.append(
            {
                **row,
                "subnets": [subnet["id"] for subnet in own],
                "l2_adjacency": not any(subnet["segment_id"] for subnet in own),
                **segments.shown(parts.get(row["id"], [])),
            }
        )
    return found


def _subnets(session: Session, rows: Sequence[Record]) -> list[Record]:
    idents = list({row["network_id"] for row in rows})
    networks = {one["id"]: one for one in items.fetch(session, "networks", id=idents)}
    names = ("router:external", "shared")
    return [{**row, **{name: networks[row["network_id"]][name] for name in names}} for row in rows]


def _ports(session: Session, rows: Sequence[Record]) -> list[Record]:
    carried = {trunk["port_id"]: trunk for trunk in items.fetch(session, "trunks")}
    return [
        {**row, "trunk_details": trunks.details(session, carried[row["id"]])}
        if row["id"] in carried
        else row
        for row in rows
    ]


def _trunks(session: Session, rows: Sequence[Record]) -> list[Record]:
    return [{**row, "status": trunks.status(session, row)} for row in rows]


def _untagged(_session: Session, rows: Sequence[Record]) -> list[Record]:
    return [{name: value for name, value in row.items() if name != "tags"} for row in rows]


def _security_groups(session: Session, rows: Sequence[Record]) -> list[Record]:
    rules: dict[str, list[Record]] = {row["id"]: [] for row in rows}
    for rule in items.fetch(session, "security_group_rules"):
        if rule["security_group_id"] in rules:
            # Lists of groups don't tell to which kind of group a rule belongs.
            own = {**rule, "tenant_id": rule["project_id"], "belongs_to_default_sg": None}
            rules[rule["security_group_id"]].append(own)
    return [{**row, "security_group_rules": rules[row["id"]]} for row in rows]


def _by_network(rows: Sequence[Record]) -> dict[Any, list[Record]]:
    found: dict[Any, list[Record]] = {}
    for row in rows:
        found.setdefault(row["network_id"], []).append(row)
    return found


_FINISHED: Mapping[str, Callable[[Session, Sequence[Record]], list[Record]]] = {
    "networks": _networks,
    "subnets": _subnets,
    "ports": _ports,
    "trunks": _trunks,
    "segments": _untagged,
    "security_groups": _security_groups,
    "security_group_rules": _untagged,
}
