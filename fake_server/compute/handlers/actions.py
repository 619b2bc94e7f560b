"""``os-instance-actions``: what was asked for of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.nova import NOVA
from fake_server.common.errors import NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import Since, at
from fake_server.common.rest import encode
from fake_server.compute import microversions as versions
from fake_server.compute import views
from fake_server.compute.errors import InstanceNotFound
from fake_server.compute.handlers import servers
from fake_server.compute.models import actions
from fake_server.compute.policies import POLICIES

if TYPE_CHECKING:
    from datetime import datetime

    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_ACTIONS = "/servers/{ident}/os-instance-actions"
#: The event of Nova by action.
_EVENTS = {
    "create": "compute__do_build_and_run_instance",
    "delete": "compute_terminate_instance",
    "start": "compute_start_instance",
    "stop": "compute_stop_instance",
    "reboot": "compute_reboot_instance",
    "rebuild": "compute_rebuild_instance",
    "rescue": "compute_rescue_instance",
    "unrescue": "compute_unrescue_instance",
    "trigger_crash_dump": "compute_trigger_crash_dump",
    "attach_volume": "compute_attach_volume",
    "detach_volume": "compute_detach_volume",
    "swap_volume": "compute_swap_volume",
    "attach_interface": "compute_attach_interface",
    "detach_interface": "compute_detach_interface",
    "lock": "api_lock",
    "unlock": "api_unlock",
}


@ROUTES.add("GET", _ACTIONS, "os-instance-actions:list")
def list_actions(ctx: Context, ident: str) -> Response:
    """List what was asked for of a server, the latest first."""
    rows = _found(ctx, ident, "os-instance-actions:list")
    if ctx.minor < versions.ACTION_PAGES:
        return encode(200, {"instanceActions": [_shown(ctx, row) for row in rows]})
    since, before = ctx.moment("changes-since"), ctx.moment("changes-before")
    rows = [
        row
        for row in rows
        if (since is None or _updated(row) >= since) and (before is None or _updated(row) <= before)
    ]
    rows, links = NOVA.page(ctx, rows, "actions", key="request_id")
    body = {"instanceActions": [_shown(ctx, row) for row in rows]}
    if links:
        body["links"] = links["actions_links"]
    return encode(200, body)


@ROUTES.add("GET", "/servers/{ident}/os-instance-actions/{request_id}", "os-instance-actions:show")
def show(ctx: Context, ident: str, request_id: str) -> Response:
    """Show what was asked for of a server, with what Nova did."""
    for row in _found(ctx, ident, "os-instance-actions:show"):
        if row["request_id"] == request_id:
            shown = _shown(ctx, row)
            if ctx.minor >= versions.ACTION_EVENTS or ctx.may("os-instance-actions:events"):
                shown["events"] = [_event(ctx, row)]
            return encode(200, {"instanceAction": shown})
    raise NotFound(f"Action {request_id} not found")


def _found(ctx: Context, ident: str, policy: str) -> list[Record]:
    """Return the actions of a server, which may be gone in newer versions."""
    try:
        return actions.get_all(ctx.session, servers.found(ctx, ident, policy)["id"])
    except InstanceNotFound:
        rows = actions.get_all(ctx.session, ident)
        # The first one created it, for a project.
        seen = bool(rows) and ctx.visible_project in (None, rows[-1]["project_id"])
        if not seen or ctx.minor < versions.ACTIONS_OF_DELETED:
            raise
        ctx.require(policy, rows[-1])
        return rows


def _shown(ctx: Context, row: Record) -> dict[str, Any]:
    shown = {
        "action": row["action"],
        "instance_uuid": row["server_id"],
        "request_id": row["request_id"],
        "user_id": row["user_id"],
        "project_id": row["project_id"],
        "start_time": views.moment(row["start_time"]),
        "message": None if row["problem"] is None else "Error",
        "updated_at": Since(versions.ACTION_PAGES, views.moment(_updated(row))),
    }
    return at(ctx.minor, shown)


def _event(ctx: Context, row: Record) -> dict[str, Any]:
    host, result = ctx.session.host, None
    if row["finish_time"] is not None:
        result = "Success" if row["problem"] is None else "Error"
    shown = {
        "event": _EVENTS[row["action"]],
        "start_time": views.moment(row["start_time"]),
        "finish_time": views.moment(row["finish_time"]),
        "result": result,
        "hostId": Since(versions.ACTION_HOSTS, views.host_id(ctx, row["project_id"])),
    }
    if ctx.may("os-instance-actions:events"):
        shown |= {
            "traceback": row["problem"],
            "host": Since(versions.ACTION_HOSTS, host),
            "details": Since(versions.ACTION_DETAILS, row["problem"]),
        }
    return at(ctx.minor, shown)


def _updated(row: Record) -> datetime:
    moment: datetime = row["finish_time"] or row["start_time"]
    return moment
