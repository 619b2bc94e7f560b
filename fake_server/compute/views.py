"""The representation of resources in the API."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from fake_server.common.microversions import ABSENT, Since, at
from fake_server.compute import microversions as versions
from fake_server.compute.models import instances

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from fake_server.compute.context import Context
    from fake_server.db.store import Record


#: What the answer to a change doesn't show before :data:`~.microversions.STRICT_QUERIES`.
_EXTENDED = (
    *("OS-EXT-", "OS-SRV-USG", "os-extended-volumes", "config_drive", "host_status"),
    *("key_name", "security_groups"),
)


def server_summary(ctx: Context, row: Record) -> dict[str, Any]:
    """Return what a plain list shows of a server."""
    return {"id": row["id"], "name": row["name"], "links": ctx.links(f"servers/{row['id']}")}


def zone(ctx: Context, row: Record) -> str:
    """Return the availability zone that a server is in."""
    return ctx.zone if row["node_uuid"] else row["zone"] or ""


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
        "hostId": host_id(ctx, row["project_id"]) if row["node_uuid"] else "",
        "image": _image(ctx, row),
        "flavor": _flavor_of(ctx, row["flavor"]),
        "created": timestamp(row["created_at"]),
        "updated": timestamp(row["updated_at"]),
        "addresses": _addresses(ports),
        "accessIPv4": row["access_ip_v4"] or "",
        "accessIPv6": row["access_ip_v6"] or "",
        "OS-DCF:diskConfig": row["disk_config"],
        "OS-EXT-AZ:availability_zone": zone(ctx, row),
        "config_drive": "True" if row["config_drive"] else "",
        "key_name": row["key_name"],
        "OS-SRV-USG:launched_at": moment(row["launched_at"]),
        "OS-SRV-USG:terminated_at": None,
        "OS-EXT-STS:task_state": row["task_state"],
        "OS-EXT-STS:vm_state": row["vm_state"],
        "OS-EXT-STS:power_state": row["power_state"],
        "os-extended-volumes:volumes_attached": [_attached(ctx, device) for device in volumes],
    }
    groups = [name for port in ports for name in port["security_group_names"]]
    if groups:
        shown["security_groups"] = [{"name": name} for name in groups]
    if status == "ERROR" and row["fault"]:
        hidden = () if ctx.may("os-extended-server-attributes", row) else ("details",)
        shown["fault"] = {name: row["fault"][name] for name in row["fault"] if name not in hidden}
    if status in ("ACTIVE", "BUILD", "REBUILD"):
        shown["progress"] = 0
    if ctx.may("os-extended-server-attributes", row):
        shown |= _for_admins(ctx, row)
    # Newer versions show to everybody what older ones show to administrators.
    return at(ctx.minor, shown) | at(ctx.minor, _newer(row))


def changed_server(ctx: Context, shown: dict[str, Any]) -> dict[str, Any]:
    """Return what the answer to a request that changes a server shows of all of it."""
    if ctx.minor >= versions.STRICT_QUERIES:
        return shown
    kept = {name: shown[name] for name in shown if not name.startswith(_EXTENDED)}
    return {**kept, "addresses": short_addresses(shown["addresses"])}


def rebuilt_server(ctx: Context, shown: dict[str, Any], row: Record) -> dict[str, Any]:
    """Return what the answer to a request to rebuild a server shows of all of it."""
    found = {
        **changed_server(ctx, shown),
        "addresses": short_addresses(shown["addresses"]),
        "key_name": Since(versions.REBUILD_KEY, shown["key_name"]),
        "user_data": Since(versions.NO_PERSONALITY, row["user_data"]),
    }
    found.pop("OS-EXT-SRV-ATTR:user_data", None)
    return at(ctx.minor, found)


def short_addresses(addresses: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return addresses without what a server shows of them beside."""
    return {
        name: [{key: item[key] for key in ("version", "addr")} for item in items]
        for name, items in addresses.items()
    }


def created_server(
    ctx: Context, row: Record, admin_password: str, groups: Sequence[str]
) -> dict[str, Any]:
    """Return what the answer to a request for a new server shows.

    :param groups: the names of the security groups that it asks for.
    """
    return {
        "id": row["id"],
        "links": ctx.links(f"servers/{row['id']}"),
        "OS-DCF:diskConfig": row["disk_config"],
        "security_groups": [{"name": name} for name in groups or ["default"]],
        "adminPass": admin_password,
    }


def new_volume_attachment(ctx: Context, device: Record) -> dict[str, Any]:
    """Return what the answer to a request to attach a volume shows."""
    shown = {
        "id": device["volume_id"],
        "volumeId": device["volume_id"],
        "serverId": device["server_id"],
        "device": device["device_name"] or ABSENT,
        "tag": Since(versions.ATTACHMENT_TAG_SHOWN, device["tag"]),
        "delete_on_termination": Since(
            versions.DELETE_ON_TERMINATION, device["delete_on_termination"]
        ),
    }
    return at(ctx.minor, shown)


def volume_attachment(ctx: Context, device: Record) -> dict[str, Any]:
    """Return a volume of a server."""
    shown = {
        **new_volume_attachment(ctx, device),
        "id": Since(versions.ATTACHMENT_IDS, ABSENT, before=device["volume_id"]),
        "attachment_id": Since(versions.ATTACHMENT_IDS, device["attachment_id"]),
        "bdm_uuid": Since(versions.ATTACHMENT_IDS, device["id"]),
        "attach_mode": Since(versions.ATTACH_MODE, device["attach_mode"]),
    }
    return at(ctx.minor, shown)


def interface(ctx: Context, port: Mapping[str, Any], tag: str | None) -> dict[str, Any]:
    """Return a port of a server."""
    shown = {
        "port_id": port["id"],
        "port_state": port["status"],
        "net_id": port["network_id"],
        "mac_addr": port["mac_address"],
        "fixed_ips": port["fixed_ips"],
        "tag": Since(versions.ATTACHMENT_TAG_SHOWN, tag),
    }
    return at(ctx.minor, shown)


def timestamp(moment: datetime) -> str:
    """Return a moment as the API shows it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def moment(value: datetime | None) -> str | None:
    """Return a moment as the parts of the API show it that show fractions of seconds."""
    return None if value is None else f"{value:%Y-%m-%dT%H:%M:%S.%f}"


def host_id(ctx: Context, project_id: str) -> str:
    """Return what a project is told of the compute service."""
    text = f"{project_id}{ctx.session.host}"
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
        fixed = [("fixed", str(one.get("ip_address"))) for one in port["fixed_ips"]]
        floating = [("floating", address) for address in port["floating_addresses"]]
        listed += [
            {
                "addr": address,
                "version": 6 if ":" in address else 4,
                "OS-EXT-IPS:type": kind,
                "OS-EXT-IPS-MAC:mac_addr": port["mac_address"],
            }
            for kind, address in (*fixed, *floating)
        ]
    return found


def _attached(ctx: Context, device: Record) -> dict[str, Any]:
    deleted = Since(versions.EXTENDED_ATTRIBUTES, device["delete_on_termination"])
    return at(ctx.minor, {"id": device["volume_id"], "delete_on_termination": deleted})


def _for_admins(ctx: Context, row: Record) -> dict[str, Any]:
    host = ctx.session.host if row["node_uuid"] else None
    extended = {
        "hostname": row["hostname"],
        "kernel_id": "",
        "ramdisk_id": "",
        "launch_index": row["launch_index"],
        "reservation_id": row["reservation_id"],
        "root_device_name": "/dev/sda",
        "user_data": row["user_data"],
    }
    shown = {
        "host": host,
        "hypervisor_hostname": row["node_uuid"],
        "instance_name": f"instance-{row['number']:08x}",
        **{name: Since(versions.EXTENDED_ATTRIBUTES, extended[name]) for name in extended},
    }
    return {
        **{f"OS-EXT-SRV-ATTR:{name}": value for name, value in shown.items()},
        "host_status": Since(versions.HOST_STATUS, "UP" if host else ""),
    }


def _newer(row: Record) -> dict[str, Any]:
    """Return what newer versions have added for everybody."""
    return {
        "locked": Since(versions.LOCKED, row["locked_by"] is not None),
        "description": Since(versions.DESCRIPTION, row["description"]),
        "tags": Since(versions.TAGS, row["tags"]),
        "trusted_image_certificates": Since(versions.TRUSTED_CERTIFICATES, None),
        "server_groups": Since(versions.SERVER_GROUPS_SHOWN, _groups(row)),
        "locked_reason": Since(versions.LOCKED_REASON, row["locked_reason"]),
        "OS-EXT-SRV-ATTR:hostname": Since(versions.HOSTNAME, row["hostname"]),
        "pinned_availability_zone": Since(versions.PINNED_ZONE, row["zone"]),
        "scheduler_hints": Since(versions.SCHEDULER_HINTS, _hints(row)),
    }


def _hints(row: Record) -> dict[str, list[Any]]:
    hints = row["scheduler_hints"]
    return {name: value if isinstance(value, list) else [value] for name, value in hints.items()}


def _groups(row: Record) -> list[str]:
    group = row["scheduler_hints"].get("group")
    return [] if group is None else [group]
