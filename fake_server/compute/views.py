"""The representation of resources in the API."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from fake_server.compute import microversions as versions
from fake_server.compute.models import instances

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from fake_server.compute.context import Context
    from fake_server.db.store import Record

ZONE = "nova"


def flavor_summary(ctx: Context, row: Record) -> dict[str, Any]:
    """Return what a plain list shows of a flavor."""
    shown = {"id": row["id"], "name": row["name"], "links": ctx.links(f"flavors/{row['id']}")}
    if ctx.minor >= versions.FLAVOR_DESCRIPTION:
        shown["description"] = row["description"]
    return shown


def flavor(ctx: Context, row: Record) -> dict[str, Any]:
    """Return all of a flavor."""
    slim = ctx.minor >= versions.STRICT_QUERIES
    shown = {
        **flavor_summary(ctx, row),
        "ram": row["ram"],
        "disk": row["disk"],
        "swap": row["swap"] or (0 if slim else ""),
        "OS-FLV-EXT-DATA:ephemeral": row["ephemeral"],
        "vcpus": row["vcpus"],
        "os-flavor-access:is_public": row["is_public"],
    }
    if ctx.minor < versions.SLIM_FLAVORS:
        shown |= {"OS-FLV-DISABLED:disabled": False, "rxtx_factor": 1.0}
    if ctx.minor >= versions.FLAVOR_EXTRA_SPECS:
        shown["extra_specs"] = row["extra_specs"]
    return shown


def keypair(ctx: Context, row: Record, *, detailed: bool = False) -> dict[str, Any]:
    """Return a key pair."""
    shown = {name: row[name] for name in ("name", "public_key", "fingerprint")}
    if ctx.minor >= versions.KEYPAIR_TYPE:
        shown["type"] = row["type"]
    if detailed:
        shown |= {
            "user_id": row["user_id"],
            "created_at": f"{row['created_at']:%Y-%m-%dT%H:%M:%S.%f}",
            "updated_at": None,
            "deleted": False,
            "deleted_at": None,
            "id": row["number"],
        }
    return shown


def server_summary(ctx: Context, row: Record) -> dict[str, Any]:
    """Return what a plain list shows of a server."""
    return {"id": row["id"], "name": row["name"], "links": ctx.links(f"servers/{row['id']}")}


def zone(row: Record) -> str:
    """Return the availability zone that a server is in."""
    return ZONE if row["node_uuid"] else ""


def server(
    ctx: Context, row: Record, volumes: Sequence[Record], ports: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return all of a server, with its block devices that are volumes and its ports."""
    status = instances.status(row)
    shown = {
        **server_summary(ctx, row),
        "status": status,
        "tenant_id": row["project_id"],
        "user_id": row["user_id"],
        "metadata": row["metadata"],
        "hostId": _host_id(ctx, row),
        "image": _image(ctx, row),
        "flavor": _flavor_of(ctx, row["flavor"]),
        "created": timestamp(row["created_at"]),
        "updated": timestamp(row["updated_at"]),
        "addresses": _addresses(ports),
        "accessIPv4": "",
        "accessIPv6": "",
        "OS-DCF:diskConfig": "MANUAL",
        "OS-EXT-AZ:availability_zone": zone(row),
        "config_drive": "True" if row["config_drive"] else "",
        "key_name": row["key_name"],
        "OS-SRV-USG:launched_at": _moment(row["launched_at"]),
        "OS-SRV-USG:terminated_at": None,
        "OS-EXT-STS:task_state": row["task_state"],
        "OS-EXT-STS:vm_state": row["vm_state"],
        "OS-EXT-STS:power_state": row["power_state"],
        "os-extended-volumes:volumes_attached": [_attached(ctx, device) for device in volumes],
    }
    if ports:
        shown["security_groups"] = [{"name": "default"}]
    if status == "ERROR" and row["fault"]:
        shown["fault"] = row["fault"]
    if status in ("ACTIVE", "BUILD", "REBUILD"):
        shown["progress"] = 0
    if ctx.is_admin:
        shown |= _for_admins(ctx, row)
    return {**shown, **_newer(ctx, row)}


def created_server(ctx: Context, row: Record, admin_password: str) -> dict[str, Any]:
    """Return what the answer to a request for a new server shows."""
    return {
        "id": row["id"],
        "links": ctx.links(f"servers/{row['id']}"),
        "OS-DCF:diskConfig": "MANUAL",
        "security_groups": [{"name": "default"}],
        "adminPass": admin_password,
    }


def volume_attachment(ctx: Context, device: Record) -> dict[str, Any]:
    """Return a volume of a server."""
    shown = {
        "id": device["volume_id"],
        "volumeId": device["volume_id"],
        "serverId": device["server_id"],
    }
    if device["device_name"]:
        shown["device"] = device["device_name"]
    if ctx.minor >= versions.ATTACHMENT_TAG_SHOWN:
        shown["tag"] = device["tag"]
    if ctx.minor >= versions.DELETE_ON_TERMINATION:
        shown["delete_on_termination"] = device["delete_on_termination"]
    if ctx.minor >= versions.ATTACHMENT_IDS:
        del shown["id"]
        shown |= {"attachment_id": device["attachment_id"], "bdm_uuid": device["id"]}
    if ctx.minor >= versions.ATTACH_MODE:
        shown["attach_mode"] = device["attach_mode"]
    return shown


def interface(ctx: Context, port: Mapping[str, Any], tag: str | None) -> dict[str, Any]:
    """Return a port of a server."""
    shown = {
        "port_id": port["id"],
        "port_state": port["status"],
        "net_id": port["network_id"],
        "mac_addr": port["mac_address"],
        "fixed_ips": port["fixed_ips"],
    }
    if ctx.minor >= versions.ATTACHMENT_TAG_SHOWN:
        shown["tag"] = tag
    return shown


def timestamp(moment: datetime) -> str:
    """Return a moment as the API shows it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S.%f}"


def _host_id(ctx: Context, row: Record) -> str:
    if not row["node_uuid"]:
        return ""
    text = f"{row['project_id']}{ctx.session.host}"
    return hashlib.sha224(text.encode()).hexdigest()


def _image(ctx: Context, row: Record) -> Any:
    ident = row["image_ref"]
    if not ident:
        return ""
    return {"id": ident, "links": [ctx.links(f"images/{ident}")[1]]}


def _flavor_of(ctx: Context, found: Mapping[str, Any]) -> dict[str, Any]:
    if ctx.minor < versions.EMBEDDED_FLAVOR:
        return {"id": found["id"], "links": [ctx.links(f"flavors/{found['id']}")[1]]}
    return {
        "original_name": found["name"],
        "vcpus": found["vcpus"],
        "ram": found["ram"],
        "disk": found["disk"],
        "ephemeral": found["ephemeral"],
        "swap": found["swap"],
        "extra_specs": found["extra_specs"],
    }


def _addresses(ports: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for port in ports:
        listed = found.setdefault(port["network_name"], [])
        for fixed in port["fixed_ips"]:
            address = str(fixed.get("ip_address"))
            listed.append(
                {
                    "addr": address,
                    "version": 6 if ":" in address else 4,
                    "OS-EXT-IPS:type": "fixed",
                    "OS-EXT-IPS-MAC:mac_addr": port["mac_address"],
                }
            )
    return found


def _attached(ctx: Context, device: Record) -> dict[str, Any]:
    shown = {"id": device["volume_id"]}
    if ctx.minor >= versions.EXTENDED_ATTRIBUTES:
        shown["delete_on_termination"] = device["delete_on_termination"]
    return shown


def _for_admins(ctx: Context, row: Record) -> dict[str, Any]:
    host = ctx.session.host if row["node_uuid"] else None
    prefix = "OS-EXT-SRV-ATTR:"
    shown = {
        f"{prefix}host": host,
        f"{prefix}hypervisor_hostname": row["node_uuid"],
        f"{prefix}instance_name": f"instance-{row['number']:08x}",
    }
    if ctx.minor >= versions.EXTENDED_ATTRIBUTES:
        shown |= {
            f"{prefix}hostname": row["hostname"],
            f"{prefix}kernel_id": "",
            f"{prefix}ramdisk_id": "",
            f"{prefix}launch_index": row["launch_index"],
            f"{prefix}reservation_id": row["reservation_id"],
            f"{prefix}root_device_name": "/dev/sda",
            f"{prefix}user_data": row["user_data"],
        }
    if ctx.minor >= versions.HOST_STATUS:
        shown["host_status"] = "UP" if host else ""
    return shown


def _newer(ctx: Context, row: Record) -> dict[str, Any]:
    """Return what newer versions have added for everybody."""
    fields: tuple[tuple[int, str, Any], ...] = (
        (versions.LOCKED, "locked", False),
        (versions.DESCRIPTION, "description", row["description"]),
        (versions.TAGS, "tags", row["tags"]),
        (versions.TRUSTED_CERTIFICATES, "trusted_image_certificates", None),
        (versions.SERVER_GROUPS_SHOWN, "server_groups", []),
        (versions.LOCKED_REASON, "locked_reason", None),
        (versions.HOSTNAME, "OS-EXT-SRV-ATTR:hostname", row["hostname"]),
        (versions.PINNED_ZONE, "pinned_availability_zone", row["zone"]),
        (versions.SCHEDULER_HINTS, "scheduler_hints", row["scheduler_hints"]),
    )
    return {name: value for minor, name, value in fields if ctx.minor >= minor}
