"""What clients do alike with resources of all kinds: list, show, create, change and delete them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response
from fake_server.db.store import DuplicateError
from fake_server.identity import catalog, errors, kinds, models, rules, tables

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.db.store import Record
    from fake_server.identity.context import Context, Handler
    from fake_server.identity.kinds import Kind

ROUTES: Routes[Handler] = Routes()


def shown(ctx: Context, kind: Kind, row: Record) -> dict[str, Any]:
    """Return a resource as clients see it."""
    found = kind.shown(row)
    if kind is kinds.ENDPOINT:
        found["url"] = catalog.url(row, ctx.request.host_url)
    return {**found, "links": ctx.link(f"{kind.plural}/{row['id']}")}


def listed(ctx: Context, kind: Kind, rows: Iterable[Record]) -> Response:
    """Answer a list of resources."""
    return ctx.listed(kind.plural, [shown(ctx, kind, row) for row in rows])


def found(ctx: Context, kind: Kind, ident: str, action: str = "") -> Record:
    """Return the row of a resource.

    :param action: what the client wants to do with it; nothing that needs a right by default.
    :raises Forbidden: if the client may not do that, whether there is one or not.
    :raises NotFound: if there is none.
    """
    row: Record | None = ctx.tx.get(kind.table, id=ident, **kind.match)
    if action:
        ctx.enforce(action, **target(kind, row or {}))
    if row is None:
        raise errors.not_found(kind.name, ident)
    return row


def target(kind: Kind, row: Record) -> dict[str, Any]:
    """Return what a policy needs to know of a resource."""
    match kind.name:
        case "domain":
            return {"domain_id": row.get("id")}
        case "project":
            return {"domain_id": row.get("domain_id"), "project_id": row.get("id")}
        case "user":
            return {"domain_id": row.get("domain_id"), "user_id": row.get("id")}
        case "credential":
            return {"user_id": row.get("user_id")}
        case "limit":
            return {"domain_id": row.get("domain_id"), "project_id": row.get("project_id")}
    return {"domain_id": row.get("domain_id")}


def _list(kind: Kind, ctx: Context) -> Response:
    query = ctx.request.query
    domain = query.get("domain_id") or ctx.token.row["domain_id"]
    ctx.enforce(f"list_{kind.plural}", domain_id=domain)
    match = {name: query[name] for name in kind.filters if name in query} | dict(kind.match)
    if "enabled" in match:
        match["enabled"] = kinds.as_boolean(match["enabled"])
    if kind is kinds.ROLE:
        match["domain_id"] = query.get("domain_id", tables.NO_DOMAIN)
    elif kind is kinds.PROJECT and kinds.as_boolean(query.get("is_domain", "no")):
        match["is_domain"] = True
    elif ctx.token.row["domain_id"] and "domain_id" in kind.table.c and kind is not kinds.DOMAIN:
        match["domain_id"] = domain
    rows = models.fetch(ctx.tx, kind.table, **match)
    wanted = query.get("tags")
    if wanted is not None and kind is kinds.PROJECT:
        rows = [row for row in rows if {*str(wanted).split(",")} <= {*row["tags"]}]
    if kind in (kinds.CREDENTIAL, kinds.LIMIT):
        rows = [row for row in rows if ctx.may(f"get_{kind.name}", **target(kind, row))]
    return listed(ctx, kind, rows)


def _show(kind: Kind, ctx: Context, ident: str) -> Response:
    row = found(ctx, kind, ident, f"get_{kind.name}")
    more = _relatives(ctx, row) if kind is kinds.PROJECT else {}
    return encode(200, {kind.name: {**shown(ctx, kind, row), **more}})


def _relatives(ctx: Context, row: Record) -> dict[str, Any]:
    """Return the projects above or below one, as far as the client asks for them."""
    found: dict[str, Any] = {}
    if "parents_as_ids" in ctx.request.query:
        above = _above(ctx, row)
        tree: Any = None
        for ident in reversed(above):
            tree = {ident: tree}
        found["parents"] = tree
    if "subtree_as_ids" in ctx.request.query:
        found["subtree"] = _below(ctx, row["id"])
    return found


def _above(ctx: Context, row: Record) -> list[str]:
    if row["parent_id"] is None:
        return []
    parent = models.find(ctx.tx, tables.projects, row["parent_id"])
    return [row["parent_id"], *(_above(ctx, parent) if parent else [])]


def _below(ctx: Context, ident: str) -> Any:
    children = models.fetch(ctx.tx, tables.projects, parent_id=ident)
    return {row["id"]: _below(ctx, row["id"]) for row in children} or None


def _create(kind: Kind, ctx: Context) -> Response:
    values = _values(ctx, kind)
    domain = values.get("domain_id") or ctx.token.row["domain_id"]
    ctx.enforce(
        f"create_{kind.name}",
        domain_id=domain,
        user_id=values.get("user_id", ctx.token.user["id"]),
    )
    return encode(201, {kind.name: _created(ctx, kind, values)})


def _create_several(kind: Kind, ctx: Context) -> Response:
    ctx.enforce(f"create_{kind.plural}")
    given = decode(ctx.request).get(kind.plural)
    if not isinstance(given, list) or not given:
        raise errors.malformed(f"Expecting to find {kind.plural} in request body.")
    for position, values in enumerate(given):
        if problem := kind.new.best(values):
            raise errors.invalid(problem, str(position))
    return encode(201, {kind.plural: [_created(ctx, kind, values) for values in given]})


def _created(ctx: Context, kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    row = {**rules.DEFAULTS[kind.name](), **kind.row(values)}
    row["id"] = row.get("id") or models.new_id()
    rules.prepare(ctx, kind, row)
    try:
        ctx.tx.insert(kind.table, row)
    except DuplicateError:
        raise rules.duplicate(kind, row, is_new=True) from None
    return shown(ctx, kind, row)


def _change(kind: Kind, ctx: Context, ident: str) -> Response:
    row = found(ctx, kind, ident, f"update_{kind.name}")
    changes = kind.row(_values(ctx, kind, is_new=False))
    if kind.extra:
        changes["extra"] = {**row["extra"], **changes["extra"]}
    rules.check_change(ctx, kind, row, changes)
    try:
        ctx.tx.update_row(kind.table, ident, changes)
    except DuplicateError:
        raise rules.duplicate(kind, {**row, **changes}, is_new=False) from None
    after = {**row, **changes}
    more = {"extra": after["extra"]} if kind in (kinds.USER, kinds.PROJECT) else {}
    return encode(200, {kind.name: {**shown(ctx, kind, after), **more}})


def _values(ctx: Context, kind: Kind, *, is_new: bool = True) -> dict[str, Any]:
    body = decode(ctx.request)
    if kind.name not in body:
        raise errors.malformed(f"Expecting to find {kind.name} in request body.")
    values: dict[str, Any] = body[kind.name]
    if problem := (kind.new if is_new else kind.changed).best(values):
        raise errors.invalid(problem, kind.name)
    return values


def _delete(kind: Kind, ctx: Context, ident: str) -> Response:
    row = found(ctx, kind, ident, f"delete_{kind.name}")
    rules.check_deletion(ctx, kind, row)
    ctx.tx.delete(kind.table, kind.table.c.id == ident)
    return Response(204)


for _kind in (*kinds.SINGLE, *kinds.LISTED):
    _create_them = _create if _kind in kinds.SINGLE else _create_several
    ROUTES.add("GET HEAD", f"/v3/{_kind.plural}")(partial(_list, _kind))
    ROUTES.add("POST", f"/v3/{_kind.plural}")(partial(_create_them, _kind))
    ROUTES.add("GET HEAD", f"/v3/{_kind.plural}/{{ident}}")(partial(_show, _kind))
    ROUTES.add("PATCH", f"/v3/{_kind.plural}/{{ident}}")(partial(_change, _kind))
    ROUTES.add("DELETE", f"/v3/{_kind.plural}/{{ident}}")(partial(_delete, _kind))


@ROUTES.add("PUT", "/v3/regions/{ident}")
def create_region(ctx: Context, ident: str) -> Response:
    """Create a region whose id is in the address."""
    values = _values(ctx, kinds.REGION)
    ctx.enforce("create_region")
    if values.setdefault("id", ident) != ident:
        raise BadRequest(f'Conflicting region IDs specified: "{ident}" != "{values["id"]}"')
    return encode(201, {"region": _created(ctx, kinds.REGION, values)})


@ROUTES.add("GET", "/v3/limits/model")
def show_model(ctx: Context) -> Response:
    """Tell how limits are enforced."""
    ctx.enforce("list_limits")
    text = "Limit enforcement and validation does not take project hierarchy into consideration."
    return encode(200, {"model": {"name": "flat", "description": text}})
