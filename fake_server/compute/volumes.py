"""Volumes of servers: reserve, connect, use and release them, as in Cinder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.common.errors import BadRequest, NotFound
from fake_server.compute import microversions, nodes
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import InvalidVolume
from fake_server.compute.models import devices

if TYPE_CHECKING:
    from fake_server.common.caller import Caller
    from fake_server.compute.session import Session
    from fake_server.db.store import Record


def find(session: Session, caller: Caller | None, ident: str) -> dict[str, Any]:
    """Return a volume that the client may see; raise NotFound if there is none."""
    try:
        path = f"/volumes/{quote(ident, safe='')}"
        return dict(session.cloud.storage("GET", path, caller=caller)["volume"])
    except Refused as exc:
        if exc.status == 404:
            raise NotFound(f"Volume {ident} could not be found.") from exc
        raise InvalidVolume(str(exc)) from exc


def check_version(volume: dict[str, Any], minor: int) -> None:
    """Raise BadRequest for a multiattach volume in a version that doesn't support them."""
    if volume["multiattach"] and minor < microversions.MULTIATTACH:
        raise BadRequest(
            "Multiattach volumes are only supported starting with compute API version "
            f"2.{microversions.MULTIATTACH}."
        )


def check_free(session: Session, server: Record, volume: dict[str, Any]) -> None:
    """Raise InvalidVolume if the server has a volume, or another one has it for itself."""
    having = session.database.read(lambda tx: devices.with_volume(tx, volume["id"]))
    if any(device["server_id"] == server["id"] for device in having):
        raise InvalidVolume(f"volume {volume['id']} already attached to instance {server['id']}")
    if having and not volume["multiattach"]:
        others = ", ".join(device["server_id"] for device in having)
        raise InvalidVolume(f"volume {volume['id']} is already attached to instances: {others}")


def reserve(session: Session, caller: Caller | None, server_id: str, volume_id: str) -> str:
    """Reserve a client's volume for a server; return the attachment's id or raise InvalidVolume."""
    wanted = {"volume_uuid": volume_id, "instance_uuid": server_id}
    try:
        answer = session.cloud.storage(
            "POST", "/attachments", {"attachment": wanted}, caller=caller
        )
    except Refused as exc:
        raise InvalidVolume(str(exc).removeprefix("Invalid volume: ")) from exc
    return str(answer["attachment"]["id"])


def connect(session: Session, server: Record, node: nodes.Node, device: Record) -> None:
    """Connect a reserved volume to the node of its server; raise Refused if Cinder refuses."""
    connector = {
        **nodes.connector_of(session, server, node),
        "mode": device["attach_mode"] or devices.READ_WRITE,
        "mountpoint": device["device_name"],
    }
    path = f"/attachments/{device['attachment_id']}"
    session.cloud.storage("PUT", path, {"attachment": {"connector": connector}})


def complete(session: Session, attachment_id: str) -> None:
    """Mark an attachment as used, unless it was deleted meanwhile."""
    try:
        session.cloud.storage("POST", f"/attachments/{attachment_id}/action", {"os-complete": {}})
    except Refused as exc:
        if exc.status != 404:
            raise


def delete_attachment(session: Session, attachment_id: str | None) -> None:
    """Remove an attachment, if it is still there."""
    if attachment_id is None:
        return
    try:
        session.cloud.storage("DELETE", f"/attachments/{attachment_id}")
    except Refused as exc:
        if exc.status != 404:
            raise


def create(
    session: Session, caller: Caller | None, device: dict[str, Any], name: str
) -> dict[str, Any]:
    """Create the volume that a block device asks for; raise InvalidVolume if Cinder refuses."""
    wanted = {"size": device["volume_size"], "name": name}
    if device.get("image_id"):
        wanted["imageRef"] = device["image_id"]
    if device.get("volume_type"):
        wanted["volume_type"] = device["volume_type"]
    try:
        answer = session.cloud.storage("POST", "/volumes", {"volume": wanted}, caller=caller)
    except Refused as exc:
        raise InvalidVolume(str(exc)) from exc
    return dict(answer["volume"])


def remove(session: Session, volume_id: str) -> None:
    """Delete a volume that was to go with its server; one that can't be deleted stays."""
    try:
        session.cloud.storage("DELETE", f"/volumes/{volume_id}")
    except Refused as exc:
        if exc.status not in (400, 404):
            raise
