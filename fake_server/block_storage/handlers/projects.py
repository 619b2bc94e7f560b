"""``/v3/limits``, ``/v3/os-quota-sets``, ``/v3/default-types``: what projects may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions
from fake_server.block_storage.models import projects, types
from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler

ROUTES: Routes[Handler] = Routes()
#: What ``/v3/limits`` calls quotas, and what is used of them.
_LIMITS = {
    "volumes": ("maxTotalVolumes", "totalVolumesUsed"),
    "gigabytes": ("maxTotalVolumeGigabytes", "totalGigabytesUsed"),
    "snapshots": ("maxTotalSnapshots", "totalSnapshotsUsed"),
    "backups": ("maxTotalBackups", "totalBackupsUsed"),
    "backup_gigabytes": ("maxTotalBackupGigabytes", "totalBackupGigabytesUsed"),
}
_LARGEST = 2**31 - 1
_CLASS = "volume_extension:quota_classes"
_TYPES = "volume_extension:default"


@ROUTES.add("GET", "/limits")
def show_limits(ctx: BlockStorageContext) -> Response:
    """Show what a project may have, and what it has."""
    asked = ctx.request.query.get("project_id")
    project = asked if isinstance(asked, str) and ctx.is_admin else ctx.project_id
    limits, used = projects.limits(ctx.tx, project), projects.used(ctx.tx, project)
    absolute: dict[str, int] = {}
    for name, (most, taken) in _LIMITS.items():
        absolute |= {most: limits[name], taken: used[name]}
    return encode(200, {"limits": {"rate": [], "absolute": absolute}})


@ROUTES.add("GET", "/os-quota-sets/{project}")
def show_quotas(ctx: BlockStorageContext, project: str) -> Response:
    """Show the limits of a project, with what it has of them if ``usage`` is asked for."""
    if ctx.visible_project not in (None, project):
        raise Forbidden.by_policy("volume_extension:quotas:show")
    shown: dict[str, Any] = projects.limits(ctx.tx, project)
    if parse_boolean(ctx.request.query.get("usage")):
        used = projects.used(ctx.tx, project)
        shown = {
            name: {"limit": limit, "in_use": used.get(name, 0), "reserved": 0}
            for name, limit in shown.items()
        }
    return encode(200, {"quota_set": {"id": project, **shown}})


@ROUTES.add("GET", "/os-quota-sets/{project}/defaults")
def show_defaults(ctx: BlockStorageContext, project: str) -> Response:
    """Show the limits of projects that have none of their own."""
    if ctx.visible_project not in (None, project):
        raise Forbidden.by_policy("volume_extension:quotas:show")
    return encode(200, {"quota_set": {"id": project, **projects.defaults(ctx.tx)}})


@ROUTES.add("PUT", "/os-quota-sets/{project}")
def set_quotas(ctx: BlockStorageContext, project: str) -> Response:
    """Give a project limits of its own."""
    ctx.require_admin("volume_extension:quotas:update")
    known = projects.defaults(ctx.tx)
    wanted = {
        name: _limit(name, value)
        for name, value in ctx.body("quota_set").items()
        if name not in ("tenant_id", "id", "force", "skip_validation")
    }
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise BadRequest(f"Bad key(s) in quota set: {', '.join(unknown)}")
    projects.set_limits(ctx.tx, project, wanted)
    return encode(200, {"quota_set": projects.limits(ctx.tx, project)})


@ROUTES.add("DELETE", "/os-quota-sets/{project}")
def forget_quotas(ctx: BlockStorageContext, project: str) -> Response:
    """Give a project the limits of all again."""
    ctx.require_admin("volume_extension:quotas:delete")
    projects.forget_limits(ctx.tx, project)
    return Response(200)


@ROUTES.add("GET", "/os-quota-class-sets/{name}")
def show_class(ctx: BlockStorageContext, name: str) -> Response:
    """Show the limits of a class of projects, of which there is one."""
    ctx.require_admin(f"{_CLASS}:get")
    return encode(200, {"quota_class_set": {"id": name, **projects.defaults(ctx.tx)}})


@ROUTES.add("PUT", "/os-quota-class-sets/{name}")
def refuse_class(ctx: BlockStorageContext, name: str) -> Response:
    """Say that the limits of all can't be changed."""
    ctx.require_admin(f"{_CLASS}:update")
    raise Forbidden("The default limits are fixed here: set those of a project instead.")


@ROUTES.add("GET", "/default-types")
def list_default_types(ctx: BlockStorageContext) -> Response:
    """List the projects that have a default type of their own."""
    ctx.since(microversions.DEFAULT_TYPES)
    ctx.require_admin(f"{_TYPES}_get_all")
    rows = projects.default_types(ctx.tx)
    return encode(
        200, {"default_types": [_default_type(row["id"], row["default_type_id"]) for row in rows]}
    )


@ROUTES.add("GET", "/default-types/{project}")
def show_default_type(ctx: BlockStorageContext, project: str) -> Response:
    """Show the default type of a project."""
    ctx.since(microversions.DEFAULT_TYPES)
    ctx.require_admin(f"{_TYPES}_get")
    found = projects.own_default_type(ctx.tx, project)
    return encode(200, {"default_type": _default_type(project, found)})


@ROUTES.add("PUT", "/default-types/{project}")
def set_default_type(ctx: BlockStorageContext, project: str) -> Response:
    """Give a project a default type."""
    ctx.since(microversions.DEFAULT_TYPES)
    ctx.require_admin(f"{_TYPES}_set_or_update")
    name = ctx.text(ctx.body("default_type"), "volume_type", required=True) or ""
    found = types.find(ctx.tx, name)["id"]
    projects.set_default_type(ctx.tx, project, found)
    return encode(200, {"default_type": _default_type(project, found)})


@ROUTES.add("DELETE", "/default-types/{project}")
def forget_default_type(ctx: BlockStorageContext, project: str) -> Response:
    """Take the default type of a project away."""
    ctx.since(microversions.DEFAULT_TYPES)
    ctx.require_admin(f"{_TYPES}_unset")
    projects.own_default_type(ctx.tx, project)
    projects.set_default_type(ctx.tx, project, None)
    return Response(204)


def _default_type(project: str, ident: str) -> dict[str, str]:
    return {"project_id": project, "volume_type_id": ident}


def _limit(name: str, value: Any) -> int:
    number = -1 if value in (-1, "-1") else parse_integer(value, maximum=_LARGEST, strict=True)
    if number is None:
        raise BadRequest(f"Invalid input for field/attribute {name}: it has to be a number.")
    return number
