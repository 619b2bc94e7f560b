"""``/os-volumes`` and ``/os-snapshots``, which older versions pass on to Cinder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions as versions
from fake_server.compute.policies import POLICIES
from fake_server.compute.proxies import pass_on, permit
from fake_server.compute.schemas import proxies as schemas

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.compute.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.add("GET", "/os-volumes", "os-volumes:list")
@ROUTES.add("GET", "/os-volumes/detail", "os-volumes:detail")
def list_volumes(ctx: Context) -> Response:
    """List the volumes of a project."""
    permit(ctx, f"os-volumes:{_kind_of_list(ctx)}")
    return _listed(ctx, "volumes", _volume)


@ROUTES.add("POST", "/os-volumes", "os-volumes:create")
def create_volume(ctx: Context) -> Response:
    """Create a volume."""
    ctx.until(versions.NO_NETWORK_PROXIES)
    wanted = ctx.json(schemas.CREATE_VOLUME)["volume"]
    permit(ctx, "os-volumes:create")
    row = _ask(ctx, "POST", "/volumes", {"volume": _in_words_of_cinder(wanted)})
    location = f"{ctx.request.base_url}{ctx.request.path}/{row['volume']['id']}"
    shown = _volume({"attachments": [], **row["volume"]})
    return encode(200, {"volume": shown}, ("Location", location))


@ROUTES.add("GET", "/os-volumes/{ident}", "os-volumes:show")
def show_volume(ctx: Context, ident: str) -> Response:
    """Show a volume."""
    permit(ctx, "os-volumes:show")
    found = _one(ctx, "GET", "volume", ident)
    return encode(200, {"volume": _volume(found["volume"])})


@ROUTES.add("DELETE", "/os-volumes/{ident}", "os-volumes:delete")
def delete_volume(ctx: Context, ident: str) -> Response:
    """Remove a volume."""
    permit(ctx, "os-volumes:delete")
    _one(ctx, "DELETE", "volume", ident)
    return Response(202)


@ROUTES.add("GET", "/os-snapshots", "os-volumes:snapshots:list")
@ROUTES.add("GET", "/os-snapshots/detail", "os-volumes:snapshots:detail")
def list_snapshots(ctx: Context) -> Response:
    """List the snapshots of a project."""
    permit(ctx, f"os-volumes:snapshots:{_kind_of_list(ctx)}")
    return _listed(ctx, "snapshots", _snapshot)


@ROUTES.add("POST", "/os-snapshots", "os-volumes:snapshots:create")
def create_snapshot(ctx: Context) -> Response:
    """Create a snapshot of a volume."""
    ctx.until(versions.NO_NETWORK_PROXIES)
    wanted = ctx.json(schemas.CREATE_SNAPSHOT)["snapshot"]
    permit(ctx, "os-volumes:snapshots:create")
    values = _in_words_of_cinder(wanted)
    values["force"] = bool(parse_boolean(wanted.get("force", False)))
    row = _ask(ctx, "POST", "/snapshots", {"snapshot": values})
    return encode(200, {"snapshot": _snapshot(row["snapshot"])})


@ROUTES.add("GET", "/os-snapshots/{ident}", "os-volumes:snapshots:show")
def show_snapshot(ctx: Context, ident: str) -> Response:
    """Show a snapshot."""
    permit(ctx, "os-volumes:snapshots:show")
    found = _one(ctx, "GET", "snapshot", ident)
    return encode(200, {"snapshot": _snapshot(found["snapshot"])})


@ROUTES.add("DELETE", "/os-snapshots/{ident}", "os-volumes:snapshots:delete")
def delete_snapshot(ctx: Context, ident: str) -> Response:
    """Remove a snapshot."""
    permit(ctx, "os-volumes:snapshots:delete")
    _one(ctx, "DELETE", "snapshot", ident)
    return Response(202)


def _kind_of_list(ctx: Context) -> str:
    return "detail" if ctx.request.path.endswith("/detail") else "list"


def _ask(ctx: Context, method: str, path: str, body: Any = None, **options: Any) -> Any:
    return pass_on(ctx, ctx.session.cloud.volume, method, path, body, **options)


def _one(ctx: Context, method: str, kind: str, ident: str) -> Any:
    """Ask for one volume or snapshot by its id."""
    path = f"/{kind}s/{quote(ident, safe='')}"
    return _ask(ctx, method, path, missing=f"{kind.capitalize()} {ident} could not be found.")


def _listed(ctx: Context, kind: str, show: Callable[[dict[str, Any]], dict[str, Any]]) -> Response:
    rows = _ask(ctx, "GET", f"/{kind}/detail")[kind]
    page = rows[ctx.number("offset") or 0 :][: ctx.number("limit")]
    return encode(200, {kind: [show(row) for row in page]})


def _in_words_of_cinder(wanted: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix("display_"): value for name, value in wanted.items()}


def _volume(row: dict[str, Any]) -> dict[str, Any]:
    attached = [
        {
            "id": row["id"],
            "volumeId": row["id"],
            "serverId": one["server_id"],
            **({"device": one["device"]} if one["device"] else {}),
        }
        for one in row["attachments"]
    ]
    return {
        "id": row["id"],
        "status": row["status"],
        "size": row["size"],
        "availabilityZone": row["availability_zone"],
        "createdAt": row["created_at"],
        "attachments": attached[:1] or [{}],
        "displayName": row["name"],
        "displayDescription": row["description"],
        "volumeType": row["volume_type"],
        "snapshotId": row["snapshot_id"],
        "metadata": row["metadata"],
    }


def _snapshot(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row["id"],
        "volumeId": row["volume_id"],
        "status": row["status"],
        "size": row["size"],
        "createdAt": row["created_at"],
        "displayName": row["name"],
        "displayDescription": row["description"],
    }
