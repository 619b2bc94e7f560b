"""Services, hypervisors, availability zones and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.common.errors import NotFound
from fake_server.common.microversions import Since, at
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import Routes, encode
from fake_server.compute import driver, microversions, views
from fake_server.compute.models import instances

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context, Handler

ROUTES: Routes[Handler] = Routes()
_SERVICES = (
    ("nova-compute", views.ZONE),
    ("nova-scheduler", "internal"),
    ("nova-conductor", "internal"),
)
_UNLIMITED = -1
#: Limits, and the version that dropped each.
_LIMITS = {
    "maxImageMeta": microversions.NO_IMAGE_METADATA,
    "maxPersonality": microversions.NO_PERSONALITY,
    "maxPersonalitySize": microversions.NO_PERSONALITY,
    "maxSecurityGroups": microversions.NO_NETWORK_PROXIES,
    "maxSecurityGroupRules": microversions.NO_NETWORK_PROXIES,
    "maxTotalFloatingIps": microversions.NO_NETWORK_PROXIES,
    **dict.fromkeys(
        (
            "maxServerMeta",
            "maxServerGroups",
            "maxServerGroupMembers",
            "maxTotalCores",
            "maxTotalInstances",
            "maxTotalKeypairs",
            "maxTotalRAMSize",
        ),
        microversions.MAXIMUM + 1,
    ),
}
#: States of nodes that Nova knows even without a server.
_KNOWN = frozenset({"available", driver.ACTIVE, "cleaning", "clean wait", "deploying"})


@ROUTES.add("GET", "/os-services")
def list_services(ctx: Context) -> Response:
    """List the services of Nova."""
    ctx.require_admin("os-services:list")
    wanted = {name: ctx.one_of(name) for name in ("host", "binary")}
    found = [_service(ctx, number) for number in range(len(_SERVICES))]
    shown = [
        service
        for service in found
        if all(value in (None, service[name]) for name, value in wanted.items())
    ]
    return encode(200, {"services": shown})


@ROUTES.add("GET", "/os-hypervisors")
def list_hypervisors(ctx: Context) -> Response:
    """List nodes as Nova sees them, by name."""
    ctx.require_admin("os-hypervisors:list")
    keys = ("id", "hypervisor_hostname", "state", "status")
    shown = [{key: one[key] for key in keys} for one in _hypervisors(ctx)]
    return encode(200, {"hypervisors": shown})


@ROUTES.add("GET", "/os-hypervisors/detail")
def list_details(ctx: Context) -> Response:
    """List nodes as Nova sees them, in detail."""
    ctx.require_admin("os-hypervisors:list-detail")
    return encode(200, {"hypervisors": _hypervisors(ctx)})


@ROUTES.add("GET", "/os-hypervisors/{ident}")
def show_hypervisor(ctx: Context, ident: str) -> Response:
    """Show a node as Nova sees it."""
    ctx.require_admin("os-hypervisors:show")
    for one in _hypervisors(ctx):
        if str(one["id"]) == ident:
            return encode(200, {"hypervisor": one})
    raise NotFound(f"Compute host {ident} could not be found.")


@ROUTES.add("GET", "/os-availability-zone")
def list_zones(ctx: Context) -> Response:
    """List the availability zones."""
    shown = [{"zoneName": views.ZONE, "zoneState": {"available": True}, "hosts": None}]
    return encode(200, {"availabilityZoneInfo": shown})


@ROUTES.add("GET", "/limits")
def show_limits(ctx: Context) -> Response:
    """Show the limits and the usage of a project."""
    rows = instances.get_all(ctx.session, ctx.project_id)
    absolute = {
        **{name: _UNLIMITED for name, last in _LIMITS.items() if ctx.minor < last},
        "totalInstancesUsed": len(rows),
        "totalCoresUsed": sum(row["flavor"]["vcpus"] for row in rows),
        "totalRAMUsed": sum(row["flavor"]["ram"] for row in rows),
        "totalServerGroupsUsed": 0,
    }
    if ctx.minor < microversions.NO_NETWORK_PROXIES:
        absolute |= {"totalFloatingIpsUsed": 0, "totalSecurityGroupsUsed": 0}
    return encode(200, {"limits": {"rate": [], "absolute": absolute}})


def _service(ctx: Context, number: int) -> dict[str, Any]:
    binary, zone = _SERVICES[number]
    shown = {
        "id": Since(microversions.SERVICE_UUIDS, _uuid(binary), before=number + 1),
        "binary": binary,
        "host": ctx.session.host if binary == "nova-compute" else ctx.session.settings.host,
        "zone": zone,
        "status": "enabled",
        "state": "up",
        "updated_at": f"{ctx.session.clock.now():%Y-%m-%dT%H:%M:%S.%f}",
        "disabled_reason": None,
        "forced_down": Since(microversions.FORCED_DOWN, False),
    }
    return at(ctx.minor, shown)


def _hypervisors(ctx: Context) -> list[dict[str, Any]]:
    """Return the nodes that Nova knows: those that are available or have a server."""
    rows = driver.get_node_list(ctx.session)
    known = [row for row in rows if row["instance_uuid"] or row["provision_state"] in _KNOWN]
    wanted = ctx.one_of("hypervisor_hostname_pattern") or ""
    return [
        _hypervisor(ctx, number, row)
        for number, row in enumerate(known, 1)
        if wanted in row["uuid"]
    ]


def _hypervisor(ctx: Context, number: int, row: dict[str, Any]) -> dict[str, Any]:
    used = bool(row["instance_uuid"])
    service = {
        "id": Since(microversions.SERVICE_UUIDS, _uuid("nova-compute"), before=1),
        "host": ctx.session.host,
        "disabled_reason": None,
    }
    shown: dict[str, Any] = {
        "id": Since(microversions.SERVICE_UUIDS, row["uuid"], before=number),
        "hypervisor_hostname": row["uuid"],
        "state": "up",
        "status": "enabled",
        "host_ip": "127.0.0.1",
        "hypervisor_type": "ironic",
        "hypervisor_version": 1,
        "service": at(ctx.minor, service),
        "uptime": Since(microversions.HYPERVISORS_SLIM, None),
    }
    if ctx.minor < microversions.HYPERVISORS_SLIM:
        properties = row["properties"] or {}
        memory, disk, cpus = (
            parse_integer(properties.get(name)) or 0 for name in ("memory_mb", "local_gb", "cpus")
        )
        shown |= {
            "vcpus": cpus,
            "vcpus_used": cpus if used else 0,
            "memory_mb": memory,
            "memory_mb_used": memory if used else 0,
            "free_ram_mb": 0 if used else memory,
            "local_gb": disk,
            "local_gb_used": disk if used else 0,
            "free_disk_gb": 0 if used else disk,
            "disk_available_least": 0 if used else disk,
            "running_vms": int(used),
            "current_workload": 0,
            "cpu_info": Since(microversions.CPU_INFO_OBJECT, {}, before=""),
        }
    return at(ctx.minor, shown)


def _uuid(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"fake:compute-service:{name}"))
