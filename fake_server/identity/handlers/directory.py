"""Projects, users, roles, services and endpoints, to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes, encode
from fake_server.identity import catalog as catalogs
from fake_server.identity import models, roles, tables, views
from fake_server.identity.errors import NotFound

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record, Transaction
    from fake_server.identity.context import Call, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/v3/projects")
def list_projects(call: Call) -> Response:
    """List all projects."""
    call.oversee("list_projects")
    return call.listed("projects", map(views.project, models.fetch(call.tx, tables.projects)))


@ROUTES.add("GET", "/v3/projects/{ident}")
def show_project(call: Call, ident: str) -> Response:
    """Show a project."""
    if ident != call.token.row["project_id"]:
        call.oversee("get_project")
    found = models.find(call.tx, tables.projects, ident)
    if found is None:
        raise NotFound.thing("project", ident)
    return encode(
        200, {"project": {**views.project(found), "links": call.link(f"projects/{ident}")}}
    )


@ROUTES.add("GET", "/v3/users")
def list_users(call: Call) -> Response:
    """List all users."""
    call.oversee("list_users")
    return call.listed("users", map(views.user, models.fetch(call.tx, tables.users)))


@ROUTES.add("GET", "/v3/users/{ident}")
def show_user(call: Call, ident: str) -> Response:
    """Show a user."""
    if ident != call.token.user["id"]:
        call.oversee("get_user")
    found = models.find(call.tx, tables.users, ident)
    if found is None:
        raise NotFound.thing("user", ident)
    return encode(200, {"user": {**views.user(found), "links": call.link(f"users/{ident}")}})


@ROUTES.add("GET", "/v3/users/{ident}/projects")
def list_projects_of_user(call: Call, ident: str) -> Response:
    """List the projects that a user has a role on."""
    if ident != call.token.user["id"]:
        call.oversee("list_user_projects")
    return call.listed("projects", map(views.project, models.projects_of(call.tx, ident)))


@ROUTES.add("GET", "/v3/domains")
def list_domains(call: Call) -> Response:
    """List the one domain."""
    call.oversee("list_domains")
    return call.listed("domains", [views.domain()])


@ROUTES.add("GET", "/v3/domains/{ident}")
def show_domain(call: Call, ident: str) -> Response:
    """Show the domain."""
    _ = call.token
    if ident != models.DOMAIN["id"]:
        raise NotFound.thing("domain", ident)
    return encode(200, {"domain": {**views.domain(), "links": call.link(f"domains/{ident}")}})


@ROUTES.add("GET", "/v3/roles")
def list_roles(call: Call) -> Response:
    """List all roles."""
    call.oversee("list_roles")
    return call.listed("roles", map(views.role, roles.ROLES))


@ROUTES.add("GET", "/v3/roles/{ident}")
def show_role(call: Call, ident: str) -> Response:
    """Show a role."""
    call.oversee("get_role")
    for name in roles.ROLES:
        if roles.identify("role", name) == ident:
            return encode(200, {"role": {**views.role(name), "links": call.link(f"roles/{ident}")}})
    raise NotFound.thing("role", ident)


@ROUTES.add("GET", "/v3/role_assignments")
def list_assignments(call: Call) -> Response:
    """List who has which role where."""
    call.oversee("list_role_assignments")
    query = call.request.query
    shown = []
    for row in models.assignments(call.tx):
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
            _add_names(call.tx, entry, row)
        shown.append({**entry, "links": {}})
    links = {**call.link("role_assignments"), "previous": None, "next": None}
    return encode(200, {"role_assignments": shown, "links": links})


@ROUTES.add("GET", "/v3/services")
def list_services(call: Call) -> Response:
    """List the services."""
    call.oversee("list_services")
    return call.listed("services", catalogs.services(call.mounted))


@ROUTES.add("GET", "/v3/services/{ident}")
def show_service(call: Call, ident: str) -> Response:
    """Show a service."""
    call.oversee("get_service")
    for service in catalogs.services(call.mounted):
        if service["id"] == ident:
            return encode(200, {"service": {**service, "links": call.link(f"services/{ident}")}})
    raise NotFound.thing("service", ident)


@ROUTES.add("GET", "/v3/endpoints")
def list_endpoints(call: Call) -> Response:
    """List the endpoints."""
    call.oversee("list_endpoints")
    return call.listed("endpoints", catalogs.endpoints(call.mounted, call.request.host_url))


@ROUTES.add("GET", "/v3/regions")
def list_regions(call: Call) -> Response:
    """List the one region."""
    _ = call.token
    return call.listed("regions", [views.region()])


@ROUTES.add("GET", "/v3/regions/{ident}")
def show_region(call: Call, ident: str) -> Response:
    """Show the region."""
    _ = call.token
    if ident != catalogs.REGION:
        raise NotFound.thing("region", ident)
    return encode(200, {"region": {**views.region(), "links": call.link(f"regions/{ident}")}})


def _add_names(tx: Transaction, entry: dict[str, Any], row: Record) -> None:
    user = models.find(tx, tables.users, row["user_id"]) or {}
    entry["user"] |= {"name": user.get("name"), "domain": models.DOMAIN}
    entry["role"]["name"] = row["role"]
    if row["project_id"]:
        project = models.find(tx, tables.projects, row["project_id"]) or {}
        entry["scope"]["project"] |= {"name": project.get("name"), "domain": models.DOMAIN}
