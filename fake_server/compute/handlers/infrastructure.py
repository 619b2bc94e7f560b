"""Services, hypervisors, availability zones, migrations and events of other services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.common.errors import Forbidden, NotFound
from fake_server.common.microversions import Since, at
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import Routes, encode
from fake_server.compute import driver, microversions
from fake_server.compute.errors import InstanceNotFound
from fake_server.compute.models import instances
from fake_server.compute.schemas import infrastructure as schemas

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context, Handler

ROUTES: Routes[Handler] = Routes()
_SERVICES = (
    ("nova-compute", None),
    ("nova-scheduler", "internal"),
    ("nova-conductor", "internal"),
)
#: Events that say what they are about.
_TAGGED_EVENTS = ("volume-extended", "volume-reimaged", "accelerator-request-bound")
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
    shown = [{"zoneName": ctx.zone, "zoneState": {"available": True}, "hosts": None}]
    return encode(200, {"availabilityZoneInfo": shown})


@ROUTES.add("GET", "/os-availability-zone/detail")
def list_zone_details(ctx: Context) -> Response:
    """List the availability zones with their hosts and the services there."""
    ctx.require_admin("os-availability-zone:detail")
    zones: dict[str, dict[str, Any]] = {}
    for number in range(len(_SERVICES)):
        service = _service(ctx, number)
        state = {"active": True, "available": True, "updated_at": service["updated_at"]}
        hosts = zones.setdefault(service["zone"], {})
        hosts.setdefault(service["host"], {})[service["binary"]] = state
    shown = [
        {"zoneName": name, "zoneState": {"available": True}, "hosts": hosts}
        for name, hosts in sorted(zones.items())
    ]
    return encode(200, {"availabilityZoneInfo": shown})


@ROUTES.add("GET", "/os-migrations")
def list_migrations(ctx: Context) -> Response:
    """List no migrations: servers stay on their nodes."""
    ctx.require_admin("os-migrations:index")
    return encode(200, {"migrations": []})


@ROUTES.add("POST", "/os-server-external-events")
def create_events(ctx: Context) -> Response:
    """Take events of other services, which Nova here doesn't wait for."""
    if ctx.caller is not None and not ctx.caller.has("service"):
        raise Forbidden.by_policy("os_compute_api:os-server-external-events:create")
    events = ctx.json(schemas.create_events(ctx.minor))["events"]
    shown = [_event(ctx, event) for event in events]
    status = 200 if all(event["code"] == 200 for event in shown) else 207
    return encode(status, {"events": shown})


def _event(ctx: Context, event: dict[str, Any]) -> dict[str, Any]:
    """Return an event with what becomes of it."""
    try:
        row = instances.get(ctx.session, event["server_uuid"])
    except InstanceNotFound:
        return {**event, "status": "failed", "code": 404}
    if event["name"] in _TAGGED_EVENTS and not event.get("tag"):
        return {**event, "status": "failed", "code": 400}
    if row["node_uuid"] is None:
        return {**event, "status": "failed", "code": 422}
    return {**event, "status": "completed", "code": 200}


def _service(ctx: Context, number: int) -> dict[str, Any]:
    binary, zone = _SERVICES[number]
    shown = {
        "id": Since(microversions.SERVICE_UUIDS, _uuid(binary), before=number + 1),
        "binary": binary,
        "host": ctx.session.host if binary == "nova-compute" else ctx.session.settings.host,
        "zone": zone or ctx.zone,
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
