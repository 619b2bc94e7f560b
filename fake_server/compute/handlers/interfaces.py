"""``/servers/{id}/os-interface``: ports of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotFound, ServiceError
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.compute import lifecycle, networks, nodes, views
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import BuildError
from fake_server.compute.handlers import servers
from fake_server.compute.models import devices
from fake_server.compute.models import servers as models
from fake_server.compute.schemas import devices as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
_ALL = "/servers/{server_id}/os-interface"
_ONE = "/servers/{server_id}/os-interface/{port_id}"


class _AttachFailed(ServiceError):
    """A port couldn't be attached."""


@ROUTES.add("GET", _ALL)
def list_interfaces(ctx: Context, server_id: str) -> Response:
    """List the ports of a server."""
    row = servers.found(ctx, server_id)
    tags = _tags(ctx, row)
    found = networks.ports_of(ctx.session, [row["id"]])[row["id"]]
    shown = [views.interface(ctx, port, tags.get(port["id"])) for port in found]
    return encode(200, {"interfaceAttachments": shown})


@ROUTES.add("POST", _ALL)
def attach(ctx: Context, server_id: str) -> Response:
    """Attach a port to a server."""
    ctx.require_member("os-attach-interfaces:create")
    row = servers.found(ctx, server_id)
    body = ctx.json(schemas.attach_interface(ctx.minor))
    wanted = body.get("interfaceAttachment", {})
    network, port, fixed = (wanted.get(name) for name in ("net_id", "port_id", "fixed_ips"))
    if network and port:
        raise BadRequest("Must not input both network_id and port_id")
    if fixed and not network:
        raise BadRequest("Must input network_id when request IP address")
    lifecycle.check(row, "attach_interface", models.ACTIVE, models.STOPPED)
    item = {"uuid": network, "port": port, "tag": wanted.get("tag")}
    if fixed:
        item["fixed_ip"] = fixed[0]["ip_address"]
    asked = [item] if network or port else None
    requested = networks.requested(ctx.session, ctx.client, asked)
    if not requested:
        raise BadRequest("There is no network that an interface could be in.")
    try:
        port_id = networks.make(ctx.session, row, requested[0])
    except BuildError as exc:
        raise BadRequest(str(exc)) from exc
    try:
        nodes.plug(ctx.session, row["node_uuid"], [port_id])
    except Refused as exc:
        _deallocate(ctx, row, port_id)
        raise _AttachFailed(
            f"Failed to attach network adapter device to {row['id']}: {exc}"
        ) from exc
    return show(ctx, server_id, port_id)


@ROUTES.add("GET", _ONE)
def show(ctx: Context, server_id: str, port_id: str) -> Response:
    """Show a port of a server."""
    row = servers.found(ctx, server_id)
    tags = _tags(ctx, row)
    for port in networks.ports_of(ctx.session, [row["id"]])[row["id"]]:
        if port["id"] == port_id:
            shown = views.interface(ctx, port, tags.get(port_id))
            return encode(200, {"interfaceAttachment": shown})
    raise NotFound(f"Instance {row['id']} does not have a port with id {port_id}")


@ROUTES.add("DELETE", _ONE)
def detach(ctx: Context, server_id: str, port_id: str) -> Response:
    """Detach a port from a server."""
    ctx.require_member("os-attach-interfaces:delete")
    row = servers.found(ctx, server_id)
    lifecycle.check(row, "detach_interface", models.ACTIVE, models.STOPPED)
    if port_id not in _tags(ctx, row):
        raise NotFound(f"Port id {port_id} could not be found.")
    try:
        nodes.unplug(ctx.session, row["node_uuid"], [port_id])
    except Refused as exc:
        raise _AttachFailed(
            f"Failed to detach network adapter device from {row['id']}: {exc}"
        ) from exc
    _deallocate(ctx, row, port_id)
    return Response(202)


def _tags(ctx: Context, row: Record) -> dict[str, str | None]:
    """Return the tags of a server's ports by their ids."""
    rows = ctx.session.database.read(lambda tx: devices.ports_of(tx, row["id"]))
    return {port["port_id"]: port["tag"] for port in rows}


def _deallocate(ctx: Context, row: Record, port_id: str) -> None:
    rows = ctx.session.database.read(lambda tx: devices.ports_of(tx, row["id"]))
    for port in rows:
        if port["port_id"] == port_id:
            networks.deallocate_port(ctx.session, row["id"], port)
