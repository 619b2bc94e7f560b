"""``/v3/limits``, ``/v3/os-quota-sets``, ``/v3/default-types``: what projects may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, schemas
from fake_server.block_storage.formats import FORMATS
from fake_server.block_storage.models import projects, types
from fake_server.block_storage.policies import POLICIES
from fake_server.common.dialects.cinder import InvalidInput
from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import encode
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
#: What ``/v3/limits`` calls quotas, and what is used of them.
_LIMITS = {
    "volumes": ("maxTotalVolumes", "totalVolumesUsed"),
    "gigabytes": ("maxTotalVolumeGigabytes", "totalGigabytesUsed"),
    "snapshots": ("maxTotalSnapshots", "totalSnapshotsUsed"),
    "backups": ("maxTotalBackups", "totalBackupsUsed"),
    "backup_gigabytes": ("maxTotalBackupGigabytes", "totalBackupGigabytesUsed"),
}
_QUOTAS = "volume_extension:quotas"
_CLASS = "volume_extension:quota_classes"
_TYPES, _SINCE = "volume_extension:default", microversions.DEFAULT_TYPES
_SET = Checker(object_schema({"quota_set": {"type": "object", "minProperties": 1}}, "quota_set"))
_CLASS_SET = Checker(
    object_schema({"quota_class_set": schemas.texts(schemas.LIMIT)}, "quota_class_set")
)
_NAMED_TYPE = object_schema({"volume_type": schemas.NAME}, "volume_type")
_DEFAULT_TYPE = Checker(
    {**object_schema({"default_type": _NAMED_TYPE}, "default_type"), "additionalProperties": True},
    FORMATS,
)


@ROUTES.add("GET", "/limits", "limits_extension:used_limits")
def show_limits(ctx: BlockStorageContext) -> Response:
    """Show what a project may have, and what it has."""
    asked = ctx.request.query.get("project_id")
    seen = ctx.visible_project
    project = seen or (asked if isinstance(asked, str) else ctx.project_id)
    limits, used = projects.limits(ctx.tx, project), projects.used(ctx.tx, project)
    absolute = {most: limits[name] for name, (most, _) in _LIMITS.items()}
    if ctx.may("limits_extension:used_limits"):
        absolute |= {taken: used[name] for name, (_, taken) in _LIMITS.items()}
    return encode(200, {"limits": {"rate": [], "absolute": absolute}})


@ROUTES.asking("GET", "/os-quota-sets/{project_id}", f"{_QUOTAS}:show")
def show_quotas(ctx: BlockStorageContext, project_id: str) -> Response:
    """Show the limits of a project, with what it has of them if ``usage`` is asked for."""
    shown: dict[str, Any] = projects.limits(ctx.tx, project_id)
    if ctx.flag("usage"):
        used = projects.used(ctx.tx, project_id)
        shown = {
            name: {"limit": limit, "in_use": used.get(name, 0), "reserved": 0}
            for name, limit in shown.items()
        }
    return encode(200, {"quota_set": {"id": project_id, **shown}})


@ROUTES.asking("GET", "/os-quota-sets/{project_id}/defaults", f"{_QUOTAS}:show")
def show_defaults(ctx: BlockStorageContext, project_id: str) -> Response:
    """Show the limits of projects that have none of their own."""
    return encode(200, {"quota_set": {"id": project_id, **projects.defaults(ctx.tx)}})


@ROUTES.add("PUT", "/os-quota-sets/{project_id}", f"{_QUOTAS}:update")
def set_quotas(ctx: BlockStorageContext, project_id: str) -> Response:
    """Give a project limits of its own."""
    wanted = ctx.json(_SET)["quota_set"]
    ctx.require(f"{_QUOTAS}:update")
    known = projects.defaults(ctx.tx)
    limits = {name: limit for name, limit in wanted.items() if name not in ("tenant_id", "id")}
    unknown = ", ".join(name for name in limits if name not in known)
    if unknown:
        raise InvalidInput(f"Bad key(s) in quota set: {unknown}")
    projects.set_limits(
        ctx.tx, project_id, {name: _limit(name, limit) for name, limit in limits.items()}
    )
    return encode(200, {"quota_set": projects.limits(ctx.tx, project_id)})


@ROUTES.asking("DELETE", "/os-quota-sets/{project_id}", f"{_QUOTAS}:delete")
def forget_quotas(ctx: BlockStorageContext, project_id: str) -> Response:
    """Give a project the limits of all again."""
    projects.forget_limits(ctx.tx, project_id)
    return Response(200)


@ROUTES.asking("GET", "/os-quota-class-sets/{name}", f"{_CLASS}:get")
def show_class(ctx: BlockStorageContext, name: str) -> Response:
    """Show the limits of a class of projects."""
    limits = projects.limits(ctx.tx, projects.of_class(name))
    return encode(200, {"quota_class_set": {"id": name, **limits}})


@ROUTES.add("PUT", "/os-quota-class-sets/{name}", f"{_CLASS}:update")
def set_class(ctx: BlockStorageContext, name: str) -> Response:
    """Change the limits of a class; those of ``default`` hold for projects without their own."""
    wanted = ctx.json(_CLASS_SET)["quota_class_set"]
    ctx.require(f"{_CLASS}:update")
    known = projects.defaults(ctx.tx)
    unknown = ", ".join(key for key in wanted if key not in known)
    if unknown:
        raise InvalidInput(f"Bad key(s) in quota class set: {unknown}")
    ident = projects.of_class(name)
    projects.set_limits(ctx.tx, ident, {key: int(limit) for key, limit in wanted.items()})
    return encode(200, {"quota_class_set": projects.limits(ctx.tx, ident)})


@ROUTES.add("GET", "/default-types", f"{_TYPES}_get_all", since=_SINCE)
def list_default_types(ctx: BlockStorageContext) -> Response:
    """List the projects that have a default type of their own."""
    _permit_default(ctx, "get_all")
    rows = projects.default_types(ctx.tx)
    return encode(
        200, {"default_types": [_default_type(row["id"], row["default_type_id"]) for row in rows]}
    )


@ROUTES.add("GET", "/default-types/{project}", f"{_TYPES}_get", since=_SINCE)
def show_default_type(ctx: BlockStorageContext, project: str) -> Response:
    """Show the default type of a project."""
    _permit_default(ctx, "get")
    found = projects.own_default_type(ctx.tx, project)
    return encode(200, {"default_type": _default_type(project, found)})


@ROUTES.add("PUT", "/default-types/{project}", f"{_TYPES}_set_or_update", since=_SINCE)
def set_default_type(ctx: BlockStorageContext, project: str) -> Response:
    """Give a project a default type."""
    name = ctx.json(_DEFAULT_TYPE)["default_type"]["volume_type"]
    _permit_default(ctx, "set_or_update")
    found = types.ROWS.named(ctx.tx, name)["id"]
    projects.set_default_type(ctx.tx, project, found)
    return encode(200, {"default_type": _default_type(project, found)})


@ROUTES.add("DELETE", "/default-types/{project}", f"{_TYPES}_unset", since=_SINCE)
def forget_default_type(ctx: BlockStorageContext, project: str) -> Response:
    """Take the default type of a project away."""
    _permit_default(ctx, "unset")
    projects.own_default_type(ctx.tx, project)
    projects.set_default_type(ctx.tx, project, None)
    return Response(204)


def _permit_default(ctx: BlockStorageContext, action: str) -> None:
    if not ctx.may(f"{_TYPES}_{action}"):
        raise Forbidden("You are not authorized to perform this operation.")


def _default_type(project: str, ident: str) -> dict[str, str]:
    return {"project_id": project, "volume_type_id": ident}


def _limit(name: str, value: Any) -> int:
    number = parse_integer(value, maximum=schemas.LARGEST)
    if number is None:
        raise BadRequest(f"{name} must be an integer")
    if number < -1:
        raise BadRequest(f"{name} must be >= -1")
    return number
