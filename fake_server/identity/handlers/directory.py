"""Projects, users, roles, services and endpoints, to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes, encode
from fake_server.identity import catalog as catalogs
from fake_server.identity import errors, models, roles, tables, views

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record, Transaction
    from fake_server.identity.context import Context, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/v3/projects")
def list_projects(ctx: Context) -> Response:
    """List all projects."""
    ctx.oversee("list_projects")
    return ctx.listed("projects", map(views.project, models.fetch(ctx.tx, tables.projects)))


@ROUTES.add("GET", "/v3/projects/{ident}")
def show_project(ctx: Context, ident: str) -> Response:
    """Show a project."""
    if ident != ctx.token.row["project_id"]:
        ctx.oversee("get_project")
    found = models.find(ctx.tx, tables.projects, ident)
    if found is None:
        raise errors.not_found("project", ident)
    return encode(
        200, {"project": {**views.project(found), "links": ctx.link(f"projects/{ident}")}}
    )


@ROUTES.add("GET", "/v3/users")
def list_users(ctx: Context) -> Response:
    """List all users."""
    ctx.oversee("list_users")
    return ctx.listed("users", map(views.user, models.fetch(ctx.tx, tables.users)))


@ROUTES.add("GET", "/v3/users/{ident}")
def show_user(ctx: Context, ident: str) -> Response:
    """Show a user."""
    if ident != ctx.token.user["id"]:
        ctx.oversee("get_user")
    found = models.find(ctx.tx, tables.users, ident)
    if found is None:
        raise errors.not_found("user", ident)
    return encode(200, {"user": {**views.user(found), "links": ctx.link(f"users/{ident}")}})


@ROUTES.add("GET", "/v3/users/{ident}/projects")
def list_projects_of_user(ctx: Context, ident: str) -> Response:
    """List the projects that a user has a role on."""
    if ident != ctx.token.user["id"]:
        ctx.oversee("list_user_projects")
    return ctx.listed("projects", map(views.project, models.projects_of(ctx.tx, ident)))


@ROUTES.add("GET", "/v3/domains")
def list_domains(ctx: Context) -> Response:
    """List the one domain."""
    ctx.oversee("list_domains")
    return ctx.listed("domains", [views.domain()])


@ROUTES.add("GET", "/v3/domains/{ident}")
def show_domain(ctx: Context, ident: str) -> Response:
    """Show the domain."""
    _ = ctx.token
    if ident != models.DOMAIN["id"]:
        raise errors.not_found("domain", ident)
    return encode(200, {"domain": {**views.domain(), "links": ctx.link(f"domains/{ident}")}})


@ROUTES.add("GET", "/v3/roles")
def list_roles(ctx: Context) -> Response:
    """List all roles."""
    ctx.oversee("list_roles")
    return ctx.listed("roles", map(views.role, roles.ROLES))


@ROUTES.add("GET", "/v3/roles/{ident}")
def show_role(ctx: Context, ident: str) -> Response:
    """Show a role."""
    ctx.oversee("get_role")
    for name in roles.ROLES:
        if roles.identify("role", name) == ident:
            return encode(200, {"role": {**views.role(name), "links": ctx.link(f"roles/{ident}")}})
    raise errors.not_found("role", ident)


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


@ROUTES.add("GET", "/v3/services")
def list_services(ctx: Context) -> Response:
    """List the services."""
    ctx.oversee("list_services")
    return ctx.listed("services", catalogs.services(ctx.mounted))


@ROUTES.add("GET", "/v3/services/{ident}")
def show_service(ctx: Context, ident: str) -> Response:
    """Show a service."""
    ctx.oversee("get_service")
    for service in catalogs.services(ctx.mounted):
        if service["id"] == ident:
            return encode(200, {"service": {**service, "links": ctx.link(f"services/{ident}")}})
    raise errors.not_found("service", ident)


@ROUTES.add("GET", "/v3/endpoints")
def list_endpoints(ctx: Context) -> Response:
    """List the endpoints."""
    ctx.oversee("list_endpoints")
    return ctx.listed("endpoints", catalogs.endpoints(ctx.mounted, ctx.request.host_url))


@ROUTES.add("GET", "/v3/regions")
def list_regions(ctx: Context) -> Response:
    """List the one region."""
    _ = ctx.token
    return ctx.listed("regions", [views.region()])


@ROUTES.add("GET", "/v3/regions/{ident}")
def show_region(ctx: Context, ident: str) -> Response:
    """Show the region."""
    _ = ctx.token
    if ident != catalogs.REGION:
        raise errors.not_found("region", ident)
    return encode(200, {"region": {**views.region(), "links": ctx.link(f"regions/{ident}")}})


def _add_names(tx: Transaction, entry: dict[str, Any], row: Record) -> None:
    user = models.find(tx, tables.users, row["user_id"]) or {}
    entry["user"] |= {"name": user.get("name"), "domain": models.DOMAIN}
    entry["role"]["name"] = row["role"]
    if row["project_id"]:
        project = models.find(tx, tables.projects, row["project_id"]) or {}
        entry["scope"]["project"] |= {"name": project.get("name"), "domain": models.DOMAIN}
