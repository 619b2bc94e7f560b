"""Projects, users, roles, services and endpoints, to read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes, encode
from fake_server.identity import catalog as catalogs
from fake_server.identity import errors, models, roles, tables, views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record, Transaction
    from fake_server.identity.context import Context, Handler
    from fake_server.identity.tokens import Token

ROUTES: Routes[Handler] = Routes()


@dataclass(frozen=True)
class _Kind:
    """A kind of resources that clients can list and show.

    :param name: name in the singular.
    :param fetch: returns all of them, without their links.
    :param list_is_open: whether every client with a token may list them.
    :param show_is_open: whether every client with a token may show one.
    :param own: returns the id of the one that the holder of a token may always show.
    """

    name: str
    fetch: Callable[[Context], Iterable[dict[str, Any]]]
    list_is_open: bool = False
    show_is_open: bool = False
    own: Callable[[Token], Any] = lambda _token: None


_KINDS = (
    _Kind(
        "project",
        lambda ctx: map(views.project, models.fetch(ctx.tx, tables.projects)),
        own=lambda token: token.row["project_id"],
    ),
    _Kind(
        "user",
        lambda ctx: map(views.user, models.fetch(ctx.tx, tables.users)),
        own=lambda token: token.user["id"],
    ),
    _Kind("domain", lambda _ctx: [views.domain()], show_is_open=True),
    _Kind("role", lambda _ctx: map(views.role, roles.ROLES)),
    _Kind("service", lambda ctx: catalogs.services(ctx.mounted)),
    _Kind("endpoint", lambda ctx: catalogs.endpoints(ctx.mounted, ctx.request.host_url)),
    _Kind("region", lambda _ctx: [views.region()], list_is_open=True, show_is_open=True),
)


def _list(kind: _Kind, ctx: Context) -> Response:
    if ctx.token and not kind.list_is_open:
        ctx.oversee(f"list_{kind.name}s")
    return ctx.listed(f"{kind.name}s", kind.fetch(ctx))


def _show(kind: _Kind, ctx: Context, ident: str) -> Response:
    if kind.own(ctx.token) != ident and not kind.show_is_open:
        ctx.oversee(f"get_{kind.name}")
    for item in kind.fetch(ctx):
        if item["id"] == ident:
            links = ctx.link(f"{kind.name}s/{ident}")
            return encode(200, {kind.name: {**item, "links": links}})
    raise errors.not_found(kind.name, ident)


for _kind in _KINDS:
    ROUTES.add("GET", f"/v3/{_kind.name}s")(partial(_list, _kind))
    ROUTES.add("GET", f"/v3/{_kind.name}s/{{ident}}")(partial(_show, _kind))


@ROUTES.add("GET", "/v3/users/{ident}/projects")
def list_projects_of_user(ctx: Context, ident: str) -> Response:
    """List the projects that a user has a role on."""
    if ident != ctx.token.user["id"]:
        ctx.oversee("list_user_projects")
    return ctx.listed("projects", map(views.project, models.projects_of(ctx.tx, ident)))


@ROUTES.add("GET", "/v3/role_assignments")
def list_assignments(ctx: Context) -> Response:
    """List who has which role where."""
    ctx.oversee("list_role_assignments")
    query = ctx.request.query
    shown = []
    for row in models.assignments(ctx.tx):
        project = row["project_id"]
        scope = {"project": {"id": project}} if project else {"system": {"all": True}}
        if query.get("user.id", row["user_id"]) != row["user_id"]:
            continue
        if "scope.project.id" in query and query["scope.project.id"] != project:
            continue
        if "scope.system" in query and project:
            continue
        role = {"id": roles.identify("role", row["role"])}
        entry: dict[str, Any] = {"role": role, "user": {"id": row["user_id"]}, "scope": scope}
        if "include_names" in query:
            _add_names(ctx.tx, entry, row)
        shown.append({**entry, "links": {}})
    links = {**ctx.link("role_assignments"), "previous": None, "next": None}
    return encode(200, {"role_assignments": shown, "links": links})


def _add_names(tx: Transaction, entry: dict[str, Any], row: Record) -> None:
    user = models.find(tx, tables.users, row["user_id"]) or {}
    entry["user"] |= {"name": user.get("name"), "domain": models.DOMAIN}
    entry["role"]["name"] = row["role"]
    if row["project_id"]:
        project = models.find(tx, tables.projects, row["project_id"]) or {}
        entry["scope"]["project"] |= {"name": project.get("name"), "domain": models.DOMAIN}
