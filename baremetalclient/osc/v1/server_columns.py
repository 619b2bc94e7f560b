"""The columns and fields of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

COLUMNS = ("id", "name", "status", "node_uuid", "flavor", "volumes")
LONG_COLUMNS = (*COLUMNS, "image", "networks", "power_state", "created_at")

VOLUME_COLUMNS = (
    *("volume_id", "device", "attach_mode", "delete_on_termination", "tag", "attachment_id"),
)

_PREFIX = "OS-EXT-SRV-ATTR:"
_POWER_STATES = {1: "power on", 4: "power off"}


def summary(server: Mapping[str, Any]) -> dict[str, Any]:
    """Return all columns of a server."""
    flavor, image = server.get("flavor") or {}, server.get("image") or {}
    volumes = server.get("os-extended-volumes:volumes_attached") or []
    return {
        "id": server.get("id"),
        "name": server.get("name"),
        "status": server.get("status"),
        "node_uuid": server.get(f"{_PREFIX}hypervisor_hostname"),
        "flavor": flavor.get("original_name") or flavor.get("id"),
        "volumes": [volume.get("id") for volume in volumes],
        "image": image.get("id"),
        "networks": server.get("addresses"),
        "power_state": _POWER_STATES.get(server.get("OS-EXT-STS:power_state", 0)),
        "created_at": server.get("created"),
    }


def details(server: Mapping[str, Any], attachments: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the fields of a server to show.

    :param attachments: its volumes, as listed by Nova.
    """
    shown = summary(server)
    shown["volumes"] = [attachment(one) for one in attachments]
    fault = server.get("fault") or {}
    return {
        **shown,
        "task_state": server.get("OS-EXT-STS:task_state"),
        "key_name": server.get("key_name"),
        "config_drive": bool(server.get("config_drive")),
        "availability_zone": server.get("OS-EXT-AZ:availability_zone") or None,
        "metadata": server.get("metadata"),
        "project_id": server.get("tenant_id"),
        "user_id": server.get("user_id"),
        "launched_at": server.get("OS-SRV-USG:launched_at"),
        "updated_at": server.get("updated"),
        "fault": fault.get("message"),
    }


def attachment(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a volume of a server."""
    return {name: found.get(name) for name in VOLUME_COLUMNS} | {"volume_id": found.get("volumeId")}
