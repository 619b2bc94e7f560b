"""What clients do alike with resources of all kinds: list, show, create, change and delete them."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.db.store import DuplicateError
from fake_server.identity import (
    catalog,
    delegation,
    errors,
    hierarchy,
    kinds,
    models,
    rules,
    tables,
    targets,
)
from fake_server.identity.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fake_server.db.store import Record
    from fake_server.identity.context import Context, Handler
    from fake_server.identity.kinds import Kind

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
#: By the kind, for which requests it is told that there is no such thing before who may ask.
_KNOWN_FIRST = {
    "role": ("get", "update", "delete"),
    "limit": ("update", "delete"),
    "domain": ("update", "delete"),
    "group": ("delete",),
}
#: The kinds whose bodies are looked at after who may send them, if they say nothing of one.
_OPTIONAL = (kinds.PROJECT, kinds.SERVICE, kinds.ENDPOINT)
#: What tags a project has to have for those of a filter.
_TAG_FILTERS: Mapping[str, Callable[[set[str], set[str]], bool]] = {
    "tags": lambda wanted, tags: wanted <= tags,
    "tags-any": lambda wanted, tags: bool(wanted & tags),
    "not-tags": lambda wanted, tags: not wanted <= tags,
    "not-tags-any": lambda wanted, tags: not wanted & tags,
}
#: Roles that see all limits.
_SEE_LIMITS = frozenset(("admin", "service"))


def shown(ctx: Context, kind: Kind, row: Record) -> dict[str, Any]:
    """Return a resource as clients see it."""
    found = kind.shown(row)
    if kind is kinds.ENDPOINT:
        found["url"] = catalog.url(row, ctx.request.host_url)
    return {**found, "links": ctx.link(f"{kind.plural}/{row['id']}")}


def listed(ctx: Context, kind: Kind, rows: Iterable[Record]) -> Response:
    """Answer a list of resources."""
    return ctx.listed(kind.plural, [shown(ctx, kind, row) for row in rows])


def found(ctx: Context, kind: Kind, ident: str) -> Record:
    """Return the row of a resource; raise NotFound if there is none."""
    row = find(ctx, kind, ident)
    if row is None:
        raise errors.not_found(kind.name, ident)
    return row


def find(ctx: Context, kind: Kind, ident: str) -> Record | None:
    """Return the row of a resource, or ``None``."""
    return ctx.tx.get(kind.table, id=ident, **kind.match)


def guarded(ctx: Context, kind: Kind, ident: str, policy: str) -> Record:
    """Return the row of a resource.

    :param policy: what the client wants to do with it.
    :raises Forbidden: if the client may not do that, whether there is one or not.
    :raises NotFound: if there is none.
    """
    row = find(ctx, kind, ident)
    ctx.require(policy, targets.of_one(ctx.tx, kind, row))
    if row is None:
        raise errors.not_found(kind.name, ident)
    return row


def _guarded(ctx: Context, kind: Kind, ident: str, verb: str) -> Record:
    """Return the row of a resource for a request that gets, updates or deletes it."""
    ctx.authenticate()
    row = find(ctx, kind, ident)
    if row is None and verb in _KNOWN_FIRST.get(kind.name, ()):
        raise errors.not_found(kind.name, ident)
    row = guarded(ctx, kind, ident, _policy(kind, verb, row or {}))
    if kind is kinds.CREDENTIAL:
        delegation.check_primary(ctx.token)
    return row


def _policy(kind: Kind, verb: str, row: Record) -> str:
    """Return the name of a policy; those of the roles of domains are others."""
    domain = "domain_" if kind is kinds.ROLE and row.get("domain_id") else ""
    return f"{verb}_{domain}{kind.plural if verb == 'list' else kind.name}"


def _list(kind: Kind, ctx: Context) -> Response:
    query, token = ctx.request.query, ctx.token
    target = targets.of_list(kind, ctx.caller)
    ctx.require(_policy(kind, "list", query), target)
    match = {name: query[name] for name in kind.filters if name in query} | dict(kind.match)
    if "enabled" in match:
        match["enabled"] = kinds.as_boolean(match["enabled"])
    if kind is kinds.ROLE:
        match["domain_id"] = query.get("domain_id", tables.NO_DOMAIN)
    elif kind is kinds.PROJECT:
        match["is_domain"] = kinds.as_boolean(query.get("is_domain", "no"))
    rows = models.fetch(ctx.tx, kind.table, **match)
    domain = token.row["domain_id"]
    if domain is not None and kind in (kinds.PROJECT, kinds.USER, kinds.GROUP):
        rows = [row for row in rows if row["domain_id"] == domain]
    elif domain is not None and kind is kinds.DOMAIN:
        rows = [row for row in rows if row["id"] == domain]
    if kind is kinds.PROJECT:
        rows = [row for row in rows if _is_tagged(row, query)]
    if kind is kinds.CREDENTIAL:
        rows = [
            row
            for row in rows
            if not token.is_delegated and ctx.may("get_credential", targets.of(credential=row))
        ]
    if kind is kinds.LIMIT:
        rows = [row for row in rows if _sees_limit(ctx, row)]
    return listed(ctx, kind, rows)


def _is_tagged(row: Record, query: dict[str, Any]) -> bool:
    """Return whether a project has the tags that a query asks for."""
    return all(
        holds({*str(query[name]).split(",")}, {*row["tags"]})
        for name, holds in _TAG_FILTERS.items()
        if name in query
    )


def _sees_limit(ctx: Context, row: Record) -> bool:
    """Return whether the client sees a limit in lists."""
    caller = ctx.caller
    if caller.system or not caller.roles.isdisjoint(_SEE_LIMITS):
        return True
    if caller.domain_id is None:
        return caller.project_id is not None and caller.project_id == row["project_id"]
    project = row["project_id"] and models.find(ctx.tx, tables.projects, row["project_id"])
    return bool(caller.domain_id == (project or row)["domain_id"])


def _show(kind: Kind, ctx: Context, ident: str) -> Response:
    row = _guarded(ctx, kind, ident, "get")
    more = _relatives(ctx, row) if kind is kinds.PROJECT else {}
    return encode(200, {kind.name: {**shown(ctx, kind, row), **more}})


def _relatives(ctx: Context, row: Record) -> dict[str, Any]:
    """Return the projects above or below one, as far as the client asks for them."""
    query, ident = ctx.request.query, row["id"]
    asked = [name for name in query if name.endswith(("_as_list", "_as_ids"))]
    for which in ("parents", "subtree"):
        if {f"{which}_as_list", f"{which}_as_ids"} <= {*asked}:
            raise BadRequest(
                f"Cannot use {which}_as_list and {which}_as_ids query params at the same time."
            )
    found: dict[str, Any] = {}
    if "parents_as_list" in asked:
        found["parents"] = _own(ctx, hierarchy.above(ctx.tx, ident))
    if "parents_as_ids" in asked:
        tree: Any = None
        for one in reversed(hierarchy.above(ctx.tx, ident)):
            tree = {one: tree}
        found["parents"] = tree
    if "subtree_as_list" in asked:
        found["subtree"] = _own(ctx, hierarchy.below(ctx.tx, ident))
    if "subtree_as_ids" in asked:
        found["subtree"] = hierarchy.tree(ctx.tx, ident)
    return found


def _own(ctx: Context, idents: list[str]) -> list[dict[str, Any]]:
    """Return those of projects that the client has a role on."""
    rows = models.targets_of(ctx.tx, ctx.caller.user_id, domains=False)
    own = {row["id"]: row for row in rows}
    return [{"project": shown(ctx, kinds.PROJECT, own[one])} for one in idents if one in own]


def _create(kind: Kind, ctx: Context) -> Response:
    values = _values(ctx, kind)
    ctx.require(_policy(kind, "create", values), targets.of(**{kind.name: values}))
    if not values and kind in _OPTIONAL:
        raise errors.malformed(f"Expecting to find {kind.name} in request body.")
    if kind is kinds.CREDENTIAL:
        delegation.check_primary(ctx.token)
    return encode(201, {kind.name: _created(ctx, kind, values)})


def _create_several(kind: Kind, ctx: Context) -> Response:
    given = errors.required(decode(ctx.request), kind.plural)
    if not isinstance(given, list) or not given:
        raise errors.malformed(f"Expecting to find {kind.plural} in request body.")
    for position, values in enumerate(given):
        if problem := kind.new.best(values):
            raise errors.invalid(problem, str(position))
    ctx.require(f"create_{kind.plural}", {})
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
    values = _values(ctx, kind, is_new=False)
    row = _guarded(ctx, kind, ident, "update")
    changes = kind.row(values)
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
    """Return what the body says of a resource; nothing where it may be left out, and is."""
    body = decode(ctx.request)
    if kind in _OPTIONAL and kind.name not in body:
        return {}
    values: dict[str, Any] = errors.required(body, kind.name)
    if problem := (kind.new if is_new else kind.changed).best(values):
        raise errors.invalid(problem, kind.name)
    return values


def _delete(kind: Kind, ctx: Context, ident: str) -> Response:
    row = _guarded(ctx, kind, ident, "delete")
    rules.check_deletion(ctx, kind, row)
    ctx.tx.delete(kind.table, kind.table.c.id == ident)
    return Response(204)


def _policies(kind: Kind, verb: str) -> list[str]:
    """Return the names of the policies that a request may ask."""
    return [_policy(kind, verb, {"domain_id": domain}) for domain in (None, "any")]


def _of(kind: Kind, act: Callable[..., Response]) -> Handler:
    @wraps(act)
    def handler(ctx: Context, **arguments: str) -> Response:
        return act(kind, ctx, **arguments)

    return handler


for _kind in (*kinds.SINGLE, *kinds.LISTED):
    _all, _one = f"/v3/{_kind.plural}", f"/v3/{_kind.plural}/{{ident}}"
    ROUTES.add("GET HEAD", _all, *_policies(_kind, "list"))(_of(_kind, _list))
    if _kind in kinds.SINGLE:
        ROUTES.add("POST", _all, *_policies(_kind, "create"))(_of(_kind, _create))
    else:
        ROUTES.add("POST", _all, f"create_{_kind.plural}")(_of(_kind, _create_several))
    for _method, _verb, _act in (
        ("GET HEAD", "get", _show),
        ("PATCH", "update", _change),
        ("DELETE", "delete", _delete),
    ):
        ROUTES.add(_method, _one, *_policies(_kind, _verb))(_of(_kind, _act))


@ROUTES.add("PUT", "/v3/regions/{ident}", "create_region")
def create_region(ctx: Context, ident: str) -> Response:
    """Create a region whose id is in the address."""
    values = _values(ctx, kinds.REGION)
    ctx.require("create_region", {})
    if values.setdefault("id", ident) != ident:
        raise BadRequest(f'Conflicting region IDs specified: "{ident}" != "{values["id"]}"')
    return encode(201, {"region": _created(ctx, kinds.REGION, values)})


@ROUTES.add("GET", "/v3/limits/model", "get_limit_model")
def show_model(ctx: Context) -> Response:
    """Tell how limits are enforced."""
    ctx.require("get_limit_model", {})
    text = "Limit enforcement and validation does not take project hierarchy into consideration."
    return encode(200, {"model": {"name": "flat", "description": text}})
