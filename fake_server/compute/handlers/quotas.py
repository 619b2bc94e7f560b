"""How much projects may have, and have: quotas, limits and usage."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import at
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions
from fake_server.compute.models import instances, quotas
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import infrastructure as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_QUOTAS = "/os-quota-sets/{project_id}"
_CLASS = "/os-quota-class-sets/{name}"
_MOMENTS = ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d %H:%M:%S.%f")
#: What quotas of a class lacked before :data:`~.microversions.WHOLE_QUOTA_CLASSES`.
_GROUP_QUOTAS = ("server_groups", "server_group_members")
#: Limits, the quota that each shows, and the version that dropped it.
_NEVER = microversions.MAXIMUM + 1
_LIMITS = {
    "maxServerMeta": ("metadata_items", _NEVER),
    "maxPersonality": ("injected_files", microversions.NO_PERSONALITY),
    "maxPersonalitySize": ("injected_file_content_bytes", microversions.NO_PERSONALITY),
    "maxImageMeta": ("metadata_items", microversions.NO_IMAGE_METADATA),
    "maxTotalInstances": ("instances", _NEVER),
    "maxTotalRAMSize": ("ram", _NEVER),
    "maxTotalCores": ("cores", _NEVER),
    "maxTotalKeypairs": ("key_pairs", _NEVER),
    "maxTotalFloatingIps": ("floating_ips", microversions.NO_NETWORK_PROXIES),
    "maxSecurityGroups": ("security_groups", microversions.NO_NETWORK_PROXIES),
    "maxSecurityGroupRules": ("security_group_rules", microversions.NO_NETWORK_PROXIES),
    "maxServerGroups": ("server_groups", _NEVER),
    "maxServerGroupMembers": ("server_group_members", _NEVER),
}
_USED = {
    "totalInstancesUsed": "instances",
    "totalCoresUsed": "cores",
    "totalRAMUsed": "ram",
    "totalServerGroupsUsed": "server_groups",
}


@ROUTES.asking("GET", _QUOTAS, "os-quota-sets:show")
def show(ctx: Context, project_id: str) -> Response:
    """Show the quotas of a project."""
    ctx.only("user_id")
    return _answer(ctx, {"id": project_id}, quotas.of_project(ctx.session, project_id))


@ROUTES.asking("GET", "/os-quota-sets/{project_id}/defaults", "os-quota-sets:defaults")
def show_defaults(ctx: Context, project_id: str) -> Response:
    """Show the quotas that projects have without others."""
    limits = quotas.of_class(ctx.session, quotas.DEFAULT_CLASS)
    return _answer(ctx, {"id": project_id}, limits)


@ROUTES.asking("GET", "/os-quota-sets/{project_id}/detail", "os-quota-sets:detail")
def show_details(ctx: Context, project_id: str) -> Response:
    """Show the quotas of a project, and how much of them is used."""
    ctx.only("user_id")
    used = quotas.used(ctx.session, project_id)
    details = {
        name: {"limit": limit, "in_use": used.get(name, 0), "reserved": 0}
        for name, limit in quotas.of_project(ctx.session, project_id).items()
    }
    return _answer(ctx, {"id": project_id}, details)


@ROUTES.asking("PUT", _QUOTAS, "os-quota-sets:update")
def update(ctx: Context, project_id: str) -> Response:
    """Set quotas of a project."""
    ctx.only("user_id")
    wanted = ctx.json(schemas.UPDATE_QUOTAS)["quota_set"]
    forced = parse_boolean(wanted.pop("force", False))
    limits = {name: int(value) for name, value in wanted.items()}
    used = quotas.used(ctx.session, project_id)
    for name, limit in limits.items():
        if not forced and 0 <= limit < used.get(name, 0):
            raise BadRequest(
                f"Quota limit {limit} for {name} must be greater than or equal to already used "
                f"and reserved {used[name]}."
            )
    quotas.set_project(ctx.session, project_id, limits)
    return _answer(ctx, {}, quotas.of_project(ctx.session, project_id))


@ROUTES.asking("DELETE", _QUOTAS, "os-quota-sets:delete")
def reset(ctx: Context, project_id: str) -> Response:
    """Give a project the default quotas again."""
    ctx.only("user_id")
    quotas.reset_project(ctx.session, project_id)
    return Response(202)


@ROUTES.asking("GET", _CLASS, "os-quota-class-sets:show")
def show_class(ctx: Context, name: str) -> Response:
    """Show the quotas of a class, of which only ``default`` counts."""
    return _class_answer(ctx, {"id": name}, name)


@ROUTES.add("PUT", _CLASS, "os-quota-class-sets:update")
def update_class(ctx: Context, name: str) -> Response:
    """Set quotas of a class."""
    wanted = ctx.json(schemas.UPDATE_CLASS)["quota_class_set"]
    ctx.require("os-quota-class-sets:update")
    limits = {resource: int(value) for resource, value in wanted.items()}
    quotas.set_class(ctx.session, name, limits)
    return _class_answer(ctx, {}, name)


@ROUTES.add("GET", "/limits", "limits")
def show_limits(ctx: Context) -> Response:
    """Show the limits and the usage of a project."""
    ctx.only("tenant_id")
    ctx.require("limits")
    asked = ctx.one_of("tenant_id")
    if asked is not None:
        ctx.require("limits:other_project")
    ctx.require_project()
    project_id = asked or ctx.project_id
    limits, used = (of(ctx.session, project_id) for of in (quotas.of_project, quotas.used))
    absolute = {
        **{name: limits[quota] for name, (quota, last) in _LIMITS.items() if ctx.minor < last},
        **{name: used[resource] for name, resource in _USED.items()},
    }
    if ctx.minor < microversions.NO_NETWORK_PROXIES:
        absolute |= {"totalFloatingIpsUsed": 0, "totalSecurityGroupsUsed": 0}
    return encode(200, {"limits": {"rate": [], "absolute": absolute}})


@ROUTES.asking("GET", "/os-simple-tenant-usage", "os-simple-tenant-usage:list")
def list_usage(ctx: Context) -> Response:
    """Show what each project's servers have used in a period."""
    detailed = ctx.one_of("detailed") == "1"
    found: dict[str, list[Record]] = {}
    for row in instances.get_all(ctx.session, None):
        found.setdefault(row["project_id"], []).append(row)
    usages = [_usage(ctx, rows) for rows in found.values()]
    if not detailed:
        for usage in usages:
            usage.pop("server_usages", None)
    return encode(200, {"tenant_usages": [usage for usage in usages if usage]})


@ROUTES.asking("GET", "/os-simple-tenant-usage/{project_id}", "os-simple-tenant-usage:show")
def show_usage(ctx: Context, project_id: str) -> Response:
    """Show what a project's servers have used in a period."""
    usage = _usage(ctx, instances.get_all(ctx.session, project_id))
    return encode(200, {"tenant_usage": usage})


def _answer(ctx: Context, head: dict[str, str], values: dict[str, Any]) -> Response:
    names = at(ctx.minor, schemas.QUOTAS)
    return encode(200, {"quota_set": {**head, **{name: values[name] for name in names}}})


def _class_answer(ctx: Context, head: dict[str, str], name: str) -> Response:
    names = list(at(ctx.minor, schemas.CLASS_QUOTAS))
    if ctx.minor < microversions.WHOLE_QUOTA_CLASSES:
        names = [resource for resource in names if resource not in _GROUP_QUOTAS]
    limits = quotas.of_class(ctx.session, name)
    shown = {resource: limits[resource] for resource in names}
    return encode(200, {"quota_class_set": {**head, **shown}})


def _usage(ctx: Context, rows: list[Record]) -> dict[str, Any]:
    """Return what servers of one project have used, if any of them has run."""
    now = ctx.session.clock.now()
    start, stop = _moment(ctx, "start", now), _moment(ctx, "end", now)
    if start > stop:
        raise BadRequest("Invalid start time. The start time cannot occur after the end time.")
    stop = min(stop, now)
    servers = [
        _server_usage(row, start, stop, now)
        for row in rows
        if row["launched_at"] is not None and row["launched_at"] <= stop
    ]
    if not servers:
        return {}
    totals = {
        f"total_{name}_usage": sum(server[name] * server["hours"] for server in servers)
        for name in ("local_gb", "vcpus", "memory_mb")
    }
    return {
        "tenant_id": rows[0]["project_id"],
        **totals,
        "total_hours": sum(server["hours"] for server in servers),
        "start": f"{start:%Y-%m-%dT%H:%M:%S.%f}",
        "stop": f"{stop:%Y-%m-%dT%H:%M:%S.%f}",
        "server_usages": servers,
    }


def _server_usage(row: Record, start: datetime, stop: datetime, now: datetime) -> dict[str, Any]:
    flavor, launched = row["flavor"], row["launched_at"]
    return {
        "instance_id": row["id"],
        "name": row["name"],
        "tenant_id": row["project_id"],
        "flavor": flavor["name"],
        "vcpus": flavor["vcpus"],
        "memory_mb": flavor["ram"],
        "local_gb": flavor["disk"] + flavor["ephemeral"],
        "state": row["vm_state"],
        "hours": (stop - max(launched, start)).total_seconds() / 3600,
        "started_at": f"{launched:%Y-%m-%dT%H:%M:%S.%f}",
        "ended_at": None,
        "uptime": int((now - launched).total_seconds()),
    }


def _moment(ctx: Context, name: str, default: datetime) -> datetime:
    text = ctx.one_of(name)
    if not text:
        return default
    for form in _MOMENTS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    raise BadRequest("Invalid datetime string: Datetime is in invalid format")
