"""Lists: filtered, sorted, and cut into pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.neutron import NEUTRON
from fake_server.common.errors import BadRequest
from fake_server.common.lists import TAG_FILTERS, is_tagged, several
from fake_server.networking import rule_values, values, views
from fake_server.networking.errors import InvalidInput
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.db.store import Record
    from fake_server.networking.context import NetworkingContext

_CONTROLS = ("fields", "limit", "marker", "page_reverse", "sort_dir", "sort_key")
#: What converts the values of filters, too.
_CONVERTED = (
    values.boolean,
    values.integer,
    values.natural,
    values.optional_integer,
    rule_values.ethertype,
    rule_values.port,
    rule_values.prefix,
    rule_values.protocol,
)
_ADDRESS_KEYS = ("ip_address", "ip_address_substr", "subnet_id")


def answer(ctx: NetworkingContext, kind: str, rows: Sequence[Record] | None = None) -> Record:
    """Return the body of the answer to a list.

    :param rows: everything of the kind, where that isn't what the database has.
    """
    filters = read_filters(ctx, kind)
    order = _order(ctx, kind)
    if rows is None:
        columns = {name: filters[name] for name in items.COLUMNS if name in filters}
        rows = ctx.seen(kind, items.fetch(ctx.session, kind, **columns))
    rows = ctx.allowed(kind, rows)
    found = views.complete(ctx.session, kind, rows)
    found = [
        item
        for item in found
        if all(_matches(kind, item, name, wanted) for name, wanted in filters.items())
    ]
    for name, descending in reversed(order):
        found.sort(key=lambda item: _sortable(item.get(name)), reverse=descending)
    page, more = NEUTRON.page(ctx, found, kind, KINDS[kind].missing, KINDS[kind].key)
    shown = [views.of_fields(ctx, views.shown(ctx, kind, item)) for item in page]
    return {kind: shown, **more}


def read_filters(ctx: NetworkingContext, kind: str) -> dict[str, list[Any]]:
    """Return acceptable values by attribute; raise BadRequest for what isn't one."""
    attributes = KINDS[kind].attributes
    found: dict[str, list[Any]] = {}
    unknown = []
    for name, value in ctx.request.query.items():
        if name in _CONTROLS:
            continue
        given = value if isinstance(value, list) else [value]
        name = "tenant_id" if name == "project_id" else name
        tagged = name in TAG_FILTERS and "tags" in attributes
        if not tagged and not (name in attributes and attributes[name].filters):
            unknown.append(name)
        elif not tagged and attributes[name].convert in _CONVERTED:
            found[name] = [attributes[name].convert(name, one) for one in given]
        else:
            found[name] = given
    if unknown:
        raise BadRequest(f"{unknown} is invalid attribute for filtering")
    return found


def _matches(kind: str, item: Record, name: str, wanted: Sequence[Any]) -> bool:
    if name in TAG_FILTERS and "tags" in KINDS[kind].attributes:
        return is_tagged(item["tags"], name, wanted)
    if name == "fixed_ips":
        return _has_address(item, wanted)
    if name == "binding:host_id":
        hosts = [item.get(name), *(one["host"] for one in item.get("bindings", ()))]
        return any(host in wanted for host in hosts)
    value = item.get(name)
    if name == "security_groups":
        return any(group in wanted for group in item[name])
    if isinstance(value, bool):
        return value in wanted or str(value).lower() in wanted
    if "segments" in item and name.startswith("provider:"):
        return any(one[name] in wanted or str(one[name]) in wanted for one in item["segments"])
    if isinstance(value, int):
        return value in wanted or str(value) in wanted
    return value in wanted


def _has_address(port: Record, wanted: Sequence[str]) -> bool:
    """Return whether an address of a port has one of the values for each key."""
    asked: dict[str, list[str]] = {}
    for one in wanted:
        key, equals, value = one.partition("=")
        if not equals:
            raise InvalidInput(f"'{one}' is not of the form <key>=[value]")
        if key in _ADDRESS_KEYS:
            asked.setdefault(key, []).append(value)
    return any(
        fixed.get("ip_address") in asked.get("ip_address", [fixed["ip_address"]])
        and fixed["subnet_id"] in asked.get("subnet_id", [fixed["subnet_id"]])
        and any(part in fixed["ip_address"] for part in asked.get("ip_address_substr", [""]))
        for fixed in port["fixed_ips"]
    )


def _order(ctx: NetworkingContext, kind: str) -> list[tuple[str, bool]]:
    keys, directions = (several(ctx.request.query, name) for name in ("sort_key", "sort_dir"))
    if len(keys) != len(directions):
        raise BadRequest("The number of sort_keys and sort_dirs must be same")
    attributes = KINDS[kind].attributes
    keys = ["tenant_id" if key == "project_id" else key for key in keys]
    unknown = [key for key in keys if key not in attributes or not attributes[key].sorts]
    if unknown:
        raise BadRequest(f"{unknown} is invalid attribute for sort_keys")
    wrong = [one for one in directions if one not in ("asc", "desc")]
    if wrong:
        raise BadRequest(f"{wrong} is invalid value for sort_dirs, valid value is 'asc' and 'desc'")
    return [(key, one == "desc") for key, one in zip(keys, directions, strict=True)]


def _sortable(value: Any) -> tuple[bool, Any]:
    """Return what sorts any value; null comes first."""
    if isinstance(value, bool | int):
        return (value is not None, f"{value:020d}")
    return (value is not None, str(value))
