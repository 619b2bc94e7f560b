"""``/os-volumes`` and ``/os-snapshots``, which older versions pass on to Cinder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions as versions
from fake_server.compute.cloud import passed_on
from fake_server.compute.schemas import proxies as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/os-volumes")
@ROUTES.add("GET", "/os-volumes/detail")
def list_volumes(ctx: Context) -> Response:
    """List the volumes of a project."""
    rows = _paged(ctx, _ask(ctx, "GET", "/volumes/detail")["volumes"])
    return encode(200, {"volumes": [_volume(row) for row in rows]})


@ROUTES.add("POST", "/os-volumes")
def create_volume(ctx: Context) -> Response:
    """Create a volume."""
    ctx.until(versions.NO_NETWORK_PROXIES)
    wanted = ctx.json(schemas.CREATE_VOLUME)["volume"]
    values = _in_words_of_cinder(wanted)
    row = _ask(ctx, "POST", "/volumes", {"volume": {**values, "size": int(wanted["size"])}})
    location = f"{ctx.request.base_url}{ctx.request.path}/{row['volume']['id']}"
    shown = _volume({"attachments": [], **row["volume"]})
    return encode(200, {"volume": shown}, ("Location", location))


@ROUTES.add("GET", "/os-volumes/{ident}")
def show_volume(ctx: Context, ident: str) -> Response:
    """Show a volume."""
    row = _ask(ctx, "GET", f"/volumes/{ident}", missing=f"Volume {ident} could not be found.")
    return encode(200, {"volume": _volume(row["volume"])})


@ROUTES.add("DELETE", "/os-volumes/{ident}")
def delete_volume(ctx: Context, ident: str) -> Response:
    """Remove a volume."""
    _ask(ctx, "DELETE", f"/volumes/{ident}", missing=f"Volume {ident} could not be found.")
    return Response(202)


@ROUTES.add("GET", "/os-snapshots")
@ROUTES.add("GET", "/os-snapshots/detail")
def list_snapshots(ctx: Context) -> Response:
    """List the snapshots of a project."""
    rows = _paged(ctx, _ask(ctx, "GET", "/snapshots/detail")["snapshots"])
    return encode(200, {"snapshots": [_snapshot(row) for row in rows]})


@ROUTES.add("POST", "/os-snapshots")
def create_snapshot(ctx: Context) -> Response:
    """Create a snapshot of a volume."""
    ctx.until(versions.NO_NETWORK_PROXIES)
    wanted = ctx.json(schemas.CREATE_SNAPSHOT)["snapshot"]
    values = _in_words_of_cinder(wanted)
    values["force"] = bool(parse_boolean(wanted.get("force", False)))
    row = _ask(ctx, "POST", "/snapshots", {"snapshot": values})
    return encode(200, {"snapshot": _snapshot(row["snapshot"])})


@ROUTES.add("GET", "/os-snapshots/{ident}")
def show_snapshot(ctx: Context, ident: str) -> Response:
    """Show a snapshot."""
    problem = f"Snapshot {ident} could not be found."
    row = _ask(ctx, "GET", f"/snapshots/{ident}", missing=problem)
    return encode(200, {"snapshot": _snapshot(row["snapshot"])})


@ROUTES.add("DELETE", "/os-snapshots/{ident}")
def delete_snapshot(ctx: Context, ident: str) -> Response:
    """Remove a snapshot."""
    _ask(ctx, "DELETE", f"/snapshots/{ident}", missing=f"Snapshot {ident} could not be found.")
    return Response(202)


def _ask(ctx: Context, method: str, path: str, body: Any = None, missing: str | None = None) -> Any:
    """Pass a client's request on to Cinder, in versions that do so."""
    ctx.until(versions.NO_NETWORK_PROXIES)
    with passed_on(missing):
        return ctx.session.cloud.volume(method, path, body, caller=ctx.caller)


def _paged(ctx: Context, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return rows[ctx.number("offset") or 0 :][: ctx.number("limit")]


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
