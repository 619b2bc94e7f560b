"""``/flavors``: what servers can be like, and what they need of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions, views
from fake_server.compute.errors import BadRequest, Conflict, NotFound
from fake_server.compute.models import flavors
from fake_server.compute.schemas import flavors as schemas
from fake_server.compute.schemas.parts import is_true

if TYPE_CHECKING:
    from fake_server.compute.context import Call, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/flavors")
def list_flavors(call: Call) -> Response:
    """List flavors by name."""
    return _listed(call, views.flavor_summary)


@ROUTES.add("GET", "/flavors/detail")
def list_details(call: Call) -> Response:
    """List flavors with all there is."""
    return _listed(call, views.flavor)


@ROUTES.add("POST", "/flavors")
def create(call: Call) -> Response:
    """Create a flavor."""
    call.require_admin("os-flavor-manage:create")
    wanted = call.json(schemas.create(call.minor))["flavor"]
    ident = wanted.get("id")
    values = {
        "id": str(uuid4()) if ident in (None, "auto") else str(ident),
        "name": wanted["name"],
        "description": wanted.get("description"),
        "ram": int(wanted["ram"]),
        "vcpus": int(wanted["vcpus"]),
        "disk": int(wanted["disk"]),
        "ephemeral": int(wanted.get("OS-FLV-EXT-DATA:ephemeral", 0)),
        "swap": int(wanted.get("swap") or 0),
        "is_public": is_true(wanted.get("os-flavor-access:is_public", True)),
        "projects": [],
        "extra_specs": {},
    }
    row = call.session.database.write(lambda tx: flavors.create(tx, values))
    return encode(200, {"flavor": views.flavor(call, row)})


@ROUTES.add("GET", "/flavors/{ident}")
def show(call: Call, ident: str) -> Response:
    """Show a flavor."""
    return encode(200, {"flavor": views.flavor(call, _found(call, ident))})


@ROUTES.add("PUT", "/flavors/{ident}")
def update(call: Call, ident: str) -> Response:
    """Describe a flavor."""
    call.since(microversions.FLAVOR_DESCRIPTION)
    call.require_admin("os-flavor-manage:update")
    row = _found(call, ident)
    changes = call.json(schemas.UPDATE)["flavor"]
    row = call.session.database.write(lambda tx: flavors.update(tx, row, changes))
    return encode(200, {"flavor": views.flavor(call, row)})


@ROUTES.add("DELETE", "/flavors/{ident}")
def delete(call: Call, ident: str) -> Response:
    """Remove a flavor."""
    call.require_admin("os-flavor-manage:delete")
    row = _found(call, ident)
    call.session.database.write(lambda tx: flavors.delete(tx, row))
    return Response(202)


@ROUTES.add("GET", "/flavors/{ident}/os-extra_specs")
def list_specs(call: Call, ident: str) -> Response:
    """List the extra specs of a flavor."""
    return encode(200, {"extra_specs": _found(call, ident)["extra_specs"]})


@ROUTES.add("POST", "/flavors/{ident}/os-extra_specs")
def add_specs(call: Call, ident: str) -> Response:
    """Add extra specs to a flavor."""
    call.require_admin("os-flavor-extra-specs:create")
    row = _found(call, ident)
    wanted = call.json(schemas.EXTRA_SPECS)["extra_specs"]
    added = {name: str(value) for name, value in wanted.items()}
    for name, value in added.items():
        _check_spec(name, value)
    _set_specs(call, row, {**row["extra_specs"], **added})
    return encode(200, {"extra_specs": added})


@ROUTES.add("GET", "/flavors/{ident}/os-extra_specs/{key}")
def show_spec(call: Call, ident: str, key: str) -> Response:
    """Show an extra spec of a flavor."""
    return encode(200, {key: _spec(_found(call, ident), key)})


@ROUTES.add("DELETE", "/flavors/{ident}/os-extra_specs/{key}")
def remove_spec(call: Call, ident: str, key: str) -> Response:
    """Remove an extra spec of a flavor."""
    call.require_admin("os-flavor-extra-specs:delete")
    row = _found(call, ident)
    _spec(row, key)
    left = {name: value for name, value in row["extra_specs"].items() if name != key}
    _set_specs(call, row, left)
    return Response(200)


@ROUTES.add("GET", "/flavors/{ident}/os-flavor-access")
def list_access(call: Call, ident: str) -> Response:
    """List the projects that may use a flavor that isn't public."""
    call.require_admin("os-flavor-access")
    row = _found(call, ident)
    if row["is_public"]:
        raise NotFound("Access list not available for public flavors.")
    return _access(row)


@ROUTES.add("POST", "/flavors/{ident}/action")
def change_access(call: Call, ident: str) -> Response:
    """Let a project use a flavor, or not any more."""
    call.require_admin("os-flavor-access")
    row = _found(call, ident)
    body = call.json(schemas.CHANGE_ACCESS)
    action, values = next(iter(body.items()))
    project, projects = values["tenant"], row["projects"]
    if action == "addTenantAccess":
        if row["is_public"]:
            raise Conflict("Can not add access to a public flavor.")
        if project in projects:
            raise Conflict(
                f"Flavor access already exists for flavor {ident} and project {project} "
                "combination."
            )
        projects = [*projects, project]
    else:
        if project not in projects:
            raise NotFound(f"Flavor access not found for {ident} / {project} combination.")
        projects = [other for other in projects if other != project]
    row = call.session.database.write(lambda tx: flavors.update(tx, row, {"projects": projects}))
    return _access(row)


def _found(call: Call, ident: str) -> Record:
    return call.session.database.read(lambda tx: flavors.find(tx, ident, call.reach))


def _listed(call: Call, view: Any) -> Response:
    wanted = (call.one_of("is_public") or "").lower()
    public: bool | None = True
    if call.is_admin and wanted:
        public = None if wanted == "none" else wanted in ("1", "true", "t", "yes")
    elif call.reach is not None:
        public = None
    rows = call.session.database.read(lambda tx: flavors.fetch(tx, call.reach, public=public))
    for name, column in (("minRam", "ram"), ("minDisk", "disk")):
        least = call.one_of(name)
        if least is not None:
            if not least.isdecimal():
                raise BadRequest(f"Invalid {name} filter [{least}]")
            rows = [row for row in rows if row[column] >= int(least)]
    rows, links = call.page(rows, "flavors")
    return encode(200, {"flavors": [view(call, row) for row in rows], **links})


def _set_specs(call: Call, row: Record, specs: dict[str, str]) -> None:
    call.session.database.write(lambda tx: flavors.update(tx, row, {"extra_specs": specs}))


def _spec(row: Record, key: str) -> str:
    if key not in row["extra_specs"]:
        raise NotFound(f"Flavor {row['id']} has no extra specs with key {key}.")
    return str(row["extra_specs"][key])


def _check_spec(name: str, value: str) -> None:
    """Refuse values that the scheduler can't make sense of."""
    kind = name.partition(":")[0]
    if kind.startswith("trait") and value not in ("required", "forbidden"):
        raise BadRequest(
            f"Validation failed; extra spec '{name}' has invalid value '{value}': it has to be "
            "'required' or 'forbidden'."
        )
    if kind.startswith("resources") and not value.isdecimal():
        raise BadRequest(
            f"Validation failed; extra spec '{name}' has invalid value '{value}': it has to be a "
            "whole number."
        )


def _access(row: Record) -> Response:
    shown = [{"flavor_id": row["id"], "tenant_id": project} for project in row["projects"]]
    return encode(200, {"flavor_access": shown})
