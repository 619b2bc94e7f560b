"""What is attached to servers: volumes and ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.common.errors import BadRequest, Conflict, NotFound, ServiceError
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import driver, microversions, neutron, views, volumes
from fake_server.compute.cloud import Refused, refused_as
from fake_server.compute.errors import BuildAbortException, PortInUse
from fake_server.compute.handlers import servers
from fake_server.compute.models import block_devices, instances
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import devices as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_VOLUMES = "/servers/{server_id}/os-volume_attachments"
_VOLUME = "/servers/{server_id}/os-volume_attachments/{volume_id}"
_INTERFACES = "/servers/{server_id}/os-interface"
_INTERFACE = "/servers/{server_id}/os-interface/{port_id}"


class _AttachFailed(ServiceError):
    """A port couldn't be attached or detached."""


@ROUTES.add("GET", _VOLUMES, "os-volumes-attachments:index")
def list_volumes(ctx: Context, server_id: str) -> Response:
    """List the volumes of a server."""
    ctx.only("limit", "offset")
    ident = servers.found(ctx, server_id, "os-volumes-attachments:index")["id"]
    rows = block_devices.volumes_of(ctx.session, [ident])[ident]
    first = ctx.number("offset") or 0
    limit = ctx.number("limit")
    rows = rows[first:] if limit is None else rows[first : first + limit]
    return encode(
        200, {"volumeAttachments": [views.volume_attachment(ctx, device) for device in rows]}
    )


@ROUTES.add("POST", _VOLUMES, "os-volumes-attachments:create")
def attach_volume(ctx: Context, server_id: str) -> Response:
    """Attach a volume to a server."""
    wanted = ctx.json(schemas.ATTACH_VOLUME)["volumeAttachment"]
    row = servers.changeable(ctx, server_id, "os-volumes-attachments:create")
    instances.check_state(row, "attach_volume", instances.ACTIVE, instances.STOPPED)
    values = {
        "volume_id": wanted["volumeId"],
        "device_name": wanted.get("device"),
        "tag": wanted.get("tag"),
        "delete_on_termination": bool(parse_boolean(wanted.get("delete_on_termination"))),
        "attach_mode": wanted.get("attach_mode", block_devices.READ_WRITE),
    }
    device = volumes.attach_volume(ctx, row, values)
    ctx.record_action(row, "attach_volume")
    if ctx.minor >= microversions.ATTACH_WITHOUT_ANSWER:
        return Response(202)
    return encode(200, {"volumeAttachment": views.new_volume_attachment(ctx, device)})


@ROUTES.add("GET", _VOLUME, "os-volumes-attachments:show")
def show_volume(ctx: Context, server_id: str, volume_id: str) -> Response:
    """Show a volume of a server."""
    row = servers.found(ctx, server_id, "os-volumes-attachments:show")
    device = volumes.get_attached(ctx.session, row, volume_id)
    return encode(200, {"volumeAttachment": views.volume_attachment(ctx, device)})


@ROUTES.add("PUT", _VOLUME, "os-volumes-attachments:swap", "os-volumes-attachments:update")
def change_volume(ctx: Context, server_id: str, volume_id: str) -> Response:
    """Replace a volume by another, or change ``delete_on_termination``."""
    wanted = ctx.json(schemas.CHANGE_ATTACHMENT)["volumeAttachment"]
    swaps = wanted["volumeId"] != volume_id
    swap = swaps or ctx.minor < microversions.CHANGE_ATTACHMENT
    row = servers.found(ctx, server_id, f"os-volumes-attachments:{'swap' if swap else 'update'}")
    device = block_devices.get(ctx.session, row["id"], volume_id)
    if device is None:
        raise NotFound(f"No volume Block Device Mapping with id {volume_id}.")
    _check_unchanged(device, wanted)
    if "delete_on_termination" in wanted:
        deleted = bool(parse_boolean(wanted["delete_on_termination"]))
        block_devices.update(ctx.session, device["id"], delete_on_termination=deleted)
    if swaps:
        volumes.swap_volume(ctx, row, volume_id, wanted["volumeId"])
        ctx.record_action(row, "swap_volume")
    return Response(202)


@ROUTES.add("DELETE", _VOLUME, "os-volumes-attachments:delete")
def detach_volume(ctx: Context, server_id: str, volume_id: str) -> Response:
    """Detach a volume from a server."""
    row = servers.changeable(ctx, server_id, "os-volumes-attachments:delete")
    volumes.get(ctx, volume_id)
    volumes.detach_volume(ctx.session, row, volume_id)
    ctx.record_action(row, "detach_volume")
    return Response(202)


@ROUTES.add("GET", _INTERFACES, "os-attach-interfaces:list")
def list_interfaces(ctx: Context, server_id: str) -> Response:
    """List the ports of a server."""
    shown = _interfaces(ctx, servers.found(ctx, server_id, "os-attach-interfaces:list"))
    return encode(200, {"interfaceAttachments": shown})


@ROUTES.add("POST", _INTERFACES, "os-attach-interfaces:create")
def attach_interface(ctx: Context, server_id: str) -> Response:
    """Attach a port to a server."""
    wanted = ctx.json(schemas.ATTACH_INTERFACE).get("interfaceAttachment", {})
    row = servers.changeable(ctx, server_id, "os-attach-interfaces:create")
    network, port, fixed = (wanted.get(name) for name in ("net_id", "port_id", "fixed_ips"))
    if network and port:
        raise BadRequest("Must not input both network_id and port_id")
    if fixed and not network:
        raise BadRequest("Must input network_id when request IP address")
    instances.check_state(row, "attach_interface", instances.ACTIVE, instances.STOPPED)
    item = {"uuid": network, "port": port}
    if fixed:
        item["fixed_ip"] = fixed[0]["ip_address"]
    with ctx.recorded_action(row, "attach_interface"):
        if wanted.get("tag"):
            raise BadRequest(
                "Tagged network interface attachment is not supported for this server instance."
            )
        attached = _attach(ctx, row, [item] if network or port else None)
    return show_interface(ctx, server_id, attached)


@ROUTES.add("GET", _INTERFACE, "os-attach-interfaces:show")
def show_interface(ctx: Context, server_id: str, port_id: str) -> Response:
    """Show a port of a server."""
    row = servers.found(ctx, server_id, "os-attach-interfaces:show")
    for shown in _interfaces(ctx, row):
        if shown["port_id"] == port_id:
            return encode(200, {"interfaceAttachment": shown})
    path = f"/ports/{quote(port_id, safe='')}"
    if ctx.session.cloud.network("GET", path, ignored=(404,)) is None:
        raise NotFound(f"Port id {port_id} could not be found.")
    raise NotFound(f"Instance {row['id']} does not have a port with id {port_id}")


@ROUTES.add("DELETE", _INTERFACE, "os-attach-interfaces:delete")
def detach_interface(ctx: Context, server_id: str, port_id: str) -> Response:
    """Detach a port from a server."""
    row = servers.changeable(ctx, server_id, "os-attach-interfaces:delete")
    instances.check_state(row, "detach_interface", instances.ACTIVE, instances.STOPPED)
    ports = block_devices.ports_of(ctx.session, row["id"])
    if port_id not in ports:
        # Nova takes it, and finds out afterwards.
        problem = f"Port id {port_id} could not be found."
        ctx.record_action(row, "detach_interface", problem=problem)
        return Response(202)
    problem = f"Failed to detach network adapter device from {row['id']}: "
    with ctx.recorded_action(row, "detach_interface"), refused_as(_AttachFailed, problem):
        driver.unplug_vifs(ctx.session, row["node_uuid"], [port_id])
    neutron.deallocate_port(ctx.session, ports[port_id])
    return Response(202)


def _attach(ctx: Context, row: Record, asked: list[dict[str, Any]] | None) -> str:
    """Attach a port to a server, and return its id."""
    requested = neutron.validate_networks(ctx, asked)
    if not requested:
        raise BadRequest("There is no network that an interface could be in.")
    try:
        allocated = neutron.allocate_port(ctx.session, row, requested[0])
    except PortInUse as exc:
        raise Conflict(str(exc)) from exc
    except BuildAbortException as exc:
        raise BadRequest(str(exc)) from exc
    try:
        driver.plug_vifs(ctx.session, row["node_uuid"], [allocated["port_id"]])
    except Refused as exc:
        neutron.deallocate_port(ctx.session, allocated)
        raise _AttachFailed(
            f"Failed to attach network adapter device to {row['id']}: {exc}"
        ) from exc
    return str(allocated["port_id"])


def _interfaces(ctx: Context, row: Record) -> list[dict[str, Any]]:
    """Return the ports of a server as they are shown."""
    ident = row["id"]
    known = block_devices.ports_of(ctx.session, ident)
    tags = {port_id: port["tag"] for port_id, port in known.items()}
    found = neutron.get_network_info(ctx.session, [ident])[ident]
    return [views.interface(ctx, port, tags.get(port["id"])) for port in found]


def _check_unchanged(device: Record, wanted: dict[str, Any]) -> None:
    kept = {
        "id": device["volume_id"],
        "serverId": device["server_id"],
        "device": device["device_name"],
        "tag": device["tag"],
    }
    for name, value in kept.items():
        if name in wanted and wanted[name] != value:
            raise BadRequest(f"The {name} property is not mutable")
