"""``/flavors``: the sizes of servers, their extra specs and access."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions, views
from fake_server.compute.models import flavors
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import flavors as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_ACCESS_POLICIES = {
    "addTenantAccess": "os-flavor-access:add_tenant_access",
    "removeTenantAccess": "os-flavor-access:remove_tenant_access",
}
#: What lists can be sorted by, with the columns.
_SORTABLE = {
    "created_at": "number",
    "description": "description",
    "disabled": "number",
    "ephemeral_gb": "ephemeral",
    "flavorid": "id",
    "id": "number",
    "is_public": "is_public",
    "memory_mb": "ram",
    "name": "name",
    "root_gb": "disk",
    "rxtx_factor": "rxtx_factor",
    "swap": "swap",
    "updated_at": "number",
    "vcpu_weight": "number",
    "vcpus": "vcpus",
}
_QUERY = ("limit", "marker", "is_public", "minRam", "minDisk", "sort_key", "sort_dir")


@ROUTES.public("GET", "/flavors")
def list_flavors(ctx: Context) -> Response:
    """List flavors by name."""
    return _listed(ctx, views.flavor_summary)


@ROUTES.public("GET", "/flavors/detail")
def list_details(ctx: Context) -> Response:
    """List flavors in detail."""
    return _listed(ctx, views.flavor)


@ROUTES.add("POST", "/flavors", "os-flavor-manage:create")
def create(ctx: Context) -> Response:
    """Create a flavor."""
    wanted = ctx.json(schemas.create(ctx.minor))["flavor"]
    ctx.require("os-flavor-manage:create")
    ident = wanted.get("id")
    values = {
        "id": randomness.uuid() if ident in (None, "auto") else str(ident),
        "name": wanted["name"],
        "description": wanted.get("description"),
        "ram": int(wanted["ram"]),
        "vcpus": int(wanted["vcpus"]),
        "disk": int(wanted["disk"]),
        "ephemeral": int(wanted.get("OS-FLV-EXT-DATA:ephemeral", 0)),
        "swap": int(wanted.get("swap") or 0),
        "rxtx_factor": float(wanted.get("rxtx_factor", 1)),
        "is_public": bool(parse_boolean(wanted.get("os-flavor-access:is_public", True))),
        "projects": [],
        "extra_specs": {},
    }
    row = flavors.create(ctx.session, values)
    return encode(200, {"flavor": views.flavor(ctx, row)})


@ROUTES.public("GET", "/flavors/{ident}")
def show(ctx: Context, ident: str) -> Response:
    """Show a flavor."""
    return encode(200, {"flavor": views.flavor(ctx, _found(ctx, ident))})


@ROUTES.add("PUT", "/flavors/{ident}", "os-flavor-manage:update")
def update(ctx: Context, ident: str) -> Response:
    """Change the description of a flavor."""
    ctx.since(microversions.FLAVOR_DESCRIPTION)
    ctx.require("os-flavor-manage:update")
    row = _found(ctx, ident)
    row = flavors.update(ctx.session, row, ctx.json(schemas.UPDATE)["flavor"])
    return encode(200, {"flavor": views.flavor(ctx, row)})


@ROUTES.add("DELETE", "/flavors/{ident}", "os-flavor-manage:delete")
def delete(ctx: Context, ident: str) -> Response:
    """Remove a flavor."""
    ctx.require("os-flavor-manage:delete")
    flavors.destroy(ctx.session, _found(ctx, ident))
    return Response(202)


@ROUTES.add("GET", "/flavors/{ident}/os-extra_specs", "os-flavor-extra-specs:index")
def list_specs(ctx: Context, ident: str) -> Response:
    """List the extra specs of a flavor."""
    ctx.require("os-flavor-extra-specs:index")
    return encode(200, {"extra_specs": _found(ctx, ident)["extra_specs"]})


@ROUTES.add("POST", "/flavors/{ident}/os-extra_specs", "os-flavor-extra-specs:create")
def add_specs(ctx: Context, ident: str) -> Response:
    """Add extra specs to a flavor."""
    wanted = ctx.json(schemas.EXTRA_SPECS)["extra_specs"]
    ctx.require("os-flavor-extra-specs:create")
    row = _found(ctx, ident)
    added = {name: str(value) for name, value in wanted.items()}
    for name, value in added.items():
        _check_spec(ctx, name, value)
    flavors.update(ctx.session, row, {"extra_specs": {**row["extra_specs"], **added}})
    return encode(200, {"extra_specs": wanted})


@ROUTES.add("GET", "/flavors/{ident}/os-extra_specs/{key}", "os-flavor-extra-specs:show")
def show_spec(ctx: Context, ident: str, key: str) -> Response:
    """Show an extra spec of a flavor."""
    ctx.require("os-flavor-extra-specs:show")
    return encode(200, {key: _spec(_found(ctx, ident), key)})


@ROUTES.add("PUT", "/flavors/{ident}/os-extra_specs/{key}", "os-flavor-extra-specs:update")
def set_spec(ctx: Context, ident: str, key: str) -> Response:
    """Set an extra spec of a flavor."""
    wanted = ctx.json(schemas.EXTRA_SPEC)
    ctx.require("os-flavor-extra-specs:update")
    if key not in wanted:
        raise BadRequest("Request body and URI mismatch")
    value = str(wanted[key])
    _check_spec(ctx, key, value)
    row = _found(ctx, ident)
    flavors.update(ctx.session, row, {"extra_specs": {**row["extra_specs"], key: value}})
    return encode(200, {key: value})


@ROUTES.add("DELETE", "/flavors/{ident}/os-extra_specs/{key}", "os-flavor-extra-specs:delete")
def remove_spec(ctx: Context, ident: str, key: str) -> Response:
    """Remove an extra spec of a flavor."""
    ctx.require("os-flavor-extra-specs:delete")
    row = _found(ctx, ident)
    _spec(row, key)
    left = {name: value for name, value in row["extra_specs"].items() if name != key}
    flavors.update(ctx.session, row, {"extra_specs": left})
    return Response(200)


@ROUTES.add("GET", "/flavors/{ident}/os-flavor-access", "os-flavor-access")
def list_access(ctx: Context, ident: str) -> Response:
    """List the projects that may use a flavor that isn't public."""
    ctx.require("os-flavor-access")
    row = _found(ctx, ident)
    if row["is_public"]:
        raise NotFound("Access list not available for public flavors.")
    return _access(row)


@ROUTES.add("POST", "/flavors/{ident}/action", *_ACCESS_POLICIES.values())
def change_access(ctx: Context, ident: str) -> Response:
    """Add or remove the access of a project to a flavor."""
    action = ctx.action(_ACCESS_POLICIES)
    values = ctx.json(schemas.CHANGE_ACCESS)[action]
    ctx.require(_ACCESS_POLICIES[action])
    row = _found(ctx, ident)
    project, projects = values["tenant"], row["projects"]
    if action == "addTenantAccess":
        if row["is_public"] and ctx.minor >= microversions.FLAVOR_ACCESS_CHECKED:
            raise Conflict("Can not add access to a public flavor.")
        if project in projects:
            raise Conflict(
                f"Flavor access already exists for flavor {row['number']} and project {project} "
                "combination."
            )
        projects = [*projects, project]
    else:
        if project not in projects:
            raise NotFound(f"Flavor access not found for {row['number']} / {project} combination.")
        projects = [other for other in projects if other != project]
    return _access(flavors.update(ctx.session, row, {"projects": projects}))


def _found(ctx: Context, ident: str) -> Record:
    ctx.require_project()
    return flavors.get(ctx.session, ident, ctx.visible_project)


def _listed(ctx: Context, view: Any) -> Response:
    ctx.only(*_QUERY)
    wanted = ctx.one_of("is_public") or "true"
    public: bool | None = None
    if ctx.is_admin and wanted.lower() != "none":
        public = parse_boolean(wanted)
        if public is None:
            raise BadRequest(f"Invalid is_public filter [{wanted}]")
    rows = flavors.get_all(ctx.session, ctx.visible_project, public=public)
    for name, column in (("minRam", "ram"), ("minDisk", "disk")):
        least = ctx.one_of(name)
        if least is not None:
            number = parse_integer(least, strict=True)
            if number is None:
                raise BadRequest(f"Invalid {name} filter [{least}]")
            rows = [row for row in rows if row[column] >= number]
    rows = ctx.sorted(rows, _SORTABLE, "id")
    rows, links = ctx.page(rows, "flavors", ctx.one_of("marker"), ctx.one_of("limit"))
    return encode(200, {"flavors": [view(ctx, row) for row in rows], **links})


def _spec(row: Record, key: str) -> str:
    if key not in row["extra_specs"]:
        raise NotFound(f"Flavor {row['id']} has no extra specs with key {key}.")
    return str(row["extra_specs"][key])


def _check_spec(ctx: Context, name: str, value: str) -> None:
    """Raise BadRequest for values that the scheduler doesn't understand."""
    if ctx.minor < microversions.EXTRA_SPECS_CHECKED:
        return
    kind = name.partition(":")[0]
    if kind.startswith("trait") and value not in ("required", "forbidden"):
        raise BadRequest(f"Validation failed; '{value}' is not one of: required, forbidden.")
    if kind.startswith("resources") and parse_integer(value, strict=True) is None:
        raise BadRequest(f"Validation failed; '{value}' is not a valid integer value.")


def _access(row: Record) -> Response:
    shown = [{"flavor_id": row["id"], "tenant_id": project} for project in row["projects"]]
    return encode(200, {"flavor_access": shown})
