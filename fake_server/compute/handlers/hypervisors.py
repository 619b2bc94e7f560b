"""``/os-hypervisors``: nodes as Nova sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.nova import NOVA
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.formats import is_uuid
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import ABSENT, Since, at
from fake_server.common.rest import encode
from fake_server.compute import driver
from fake_server.compute import microversions as versions
from fake_server.compute.errors import UnsupportedError
from fake_server.compute.models import instances, services
from fake_server.compute.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
#: States of nodes that Nova knows even without a server.
_KNOWN = frozenset({"available", driver.ACTIVE, "cleaning", "clean wait", "deploying"})
_SHORT = ("id", "hypervisor_hostname", "state", "status", "servers")
#: The memory of each node that Nova keeps for the host, in MiB.
_RESERVED = 512
#: What statistics add up.
_SUMS = (
    *("vcpus", "vcpus_used", "memory_mb", "memory_mb_used", "local_gb", "local_gb_used"),
    *("free_ram_mb", "free_disk_gb", "disk_available_least", "current_workload", "running_vms"),
)


@ROUTES.asking("GET", "/os-hypervisors", "os-hypervisors:list")
def list_hypervisors(ctx: Context) -> Response:
    """List nodes by name."""
    rows, links = _listed(ctx)
    return encode(200, {"hypervisors": [_short(row) for row in rows], **links})


@ROUTES.asking("GET", "/os-hypervisors/detail", "os-hypervisors:list-detail")
def list_details(ctx: Context) -> Response:
    """List nodes in detail."""
    rows, links = _listed(ctx)
    return encode(200, {"hypervisors": [_detailed(ctx, row) for row in rows], **links})


@ROUTES.asking(
    "GET",
    "/os-hypervisors/statistics",
    "os-hypervisors:statistics",
    until=versions.HYPERVISORS_SLIM,
)
def show_statistics(ctx: Context) -> Response:
    """Show what all nodes have together."""
    rows = known(ctx)
    sums = {name: sum(row[name] for row in rows) for name in _SUMS}
    return encode(200, {"hypervisor_statistics": {"count": len(rows), **sums}})


@ROUTES.asking("GET", "/os-hypervisors/{ident}", "os-hypervisors:show")
def show(ctx: Context, ident: str) -> Response:
    """Show a node."""
    row = _found(ctx, ident)
    if ctx.minor >= versions.SERVICE_UUIDS and ctx.flag("with_servers"):
        row = _with_servers(ctx, [row])[0]
    return encode(200, {"hypervisor": _detailed(ctx, row)})


@ROUTES.asking(
    "GET",
    "/os-hypervisors/{ident}/uptime",
    "os-hypervisors:uptime",
    until=versions.HYPERVISORS_SLIM,
)
def show_uptime(ctx: Context, ident: str) -> Response:
    """Refuse to tell the uptime of a node, which Nova's driver for Ironic doesn't know."""
    _found(ctx, ident)
    raise UnsupportedError


@ROUTES.asking(
    "GET", "/os-hypervisors/{pattern}/search", "os-hypervisors:search", until=versions.SERVICE_UUIDS
)
def search(ctx: Context, pattern: str) -> Response:
    """List the nodes whose name has a text in it."""
    return encode(200, {"hypervisors": [_short(row) for row in _named(ctx, pattern)]})


@ROUTES.asking(
    "GET",
    "/os-hypervisors/{pattern}/servers",
    "os-hypervisors:servers",
    until=versions.SERVICE_UUIDS,
)
def list_servers(ctx: Context, pattern: str) -> Response:
    """List the nodes whose name has a text in it, with their servers."""
    rows = _with_servers(ctx, _named(ctx, pattern))
    return encode(200, {"hypervisors": [_short(row) for row in rows]})


def known(ctx: Context) -> list[dict[str, Any]]:
    """Return all that there is of the nodes that Nova knows, whatever the version.

    These are those that are available or have a server.
    """
    rows = driver.get_node_list(ctx.session)
    compute = services.compute(ctx.session)
    built = {one["node_uuid"]: one for one in instances.get_all(ctx.session, None)}
    nodes = [row for row in rows if row["instance_uuid"] or row["provision_state"] in _KNOWN]
    return [
        _hypervisor(ctx, number, row, compute, built.get(row["uuid"]))
        for number, row in enumerate(nodes, 1)
    ]


def _used(server: Record) -> tuple[int, int, int]:
    """Return the processors, the memory and the disk that a server uses."""
    flavor = server["flavor"]
    disk = flavor["disk"] if server["image_ref"] else 0
    return flavor["vcpus"], flavor["ram"], disk + flavor["ephemeral"]


def _listed(ctx: Context) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    pattern = ctx.one_of("hypervisor_hostname_pattern")
    links: dict[str, Any] = {}
    if pattern is not None and ctx.minor >= versions.SERVICE_UUIDS:
        if ctx.one_of("limit") is not None or ctx.one_of("marker") is not None:
            raise BadRequest(
                "Paging over hypervisors with the hypervisor_hostname_pattern query parameter is "
                "not supported."
            )
        rows = _named(ctx, pattern)
    else:
        rows = known(ctx)
        if ctx.minor >= versions.HYPERVISOR_PAGES:
            rows, links = NOVA.page(ctx, rows, "hypervisors")
    if ctx.minor >= versions.SERVICE_UUIDS and ctx.flag("with_servers"):
        rows = _with_servers(ctx, rows)
    return rows, links


def _named(ctx: Context, pattern: str) -> list[dict[str, Any]]:
    rows = [row for row in known(ctx) if pattern in row["hypervisor_hostname"]]
    if not rows:
        raise NotFound(f"No hypervisor matching '{pattern}' could be found.")
    return rows


def _found(ctx: Context, ident: str) -> dict[str, Any]:
    if ctx.minor >= versions.SERVICE_UUIDS and not is_uuid(ident):
        raise BadRequest(f"Invalid uuid {ident}")
    for row in known(ctx):
        if str(row["id"]) == ident:
            return row
    raise NotFound(f"Hypervisor with ID '{ident}' could not be found.")


def _with_servers(ctx: Context, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return nodes with the servers of their host, which is the same for all of them."""
    found = [
        {"name": f"instance-{row['number']:08x}", "uuid": row["id"]}
        for row in instances.get_all(ctx.session, None)
        if row["node_uuid"]
    ]
    if not found and ctx.minor < versions.STRICT_QUERIES:
        return rows
    return [{**row, "servers": found} for row in rows]


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in _SHORT if name in row}


def _detailed(ctx: Context, row: dict[str, Any]) -> dict[str, Any]:
    old = {
        name: Since(versions.HYPERVISORS_SLIM, ABSENT, before=row[name])
        for name in (*_SUMS, "cpu_info")
    }
    return at(ctx.minor, {**row, **old, "uptime": Since(versions.HYPERVISORS_SLIM, None)})


def _hypervisor(
    ctx: Context, number: int, row: dict[str, Any], compute: Record, server: Record | None
) -> dict[str, Any]:
    cpus, memory, disk = _used(server) if server else (0, 0, 0)
    memory += _RESERVED
    service = {
        "id": Since(versions.SERVICE_UUIDS, services.uuid(services.COMPUTE), before=1),
        "host": ctx.session.host,
        "disabled_reason": compute["disabled_reason"],
    }
    shown: dict[str, Any] = {
        "id": Since(versions.SERVICE_UUIDS, row["uuid"], before=number),
        "hypervisor_hostname": row["uuid"],
        "state": "down" if compute["forced_down"] else "up",
        "status": "disabled" if compute["disabled"] else "enabled",
        "host_ip": "127.0.0.1",
        "hypervisor_type": "ironic",
        "hypervisor_version": 1,
        "service": at(ctx.minor, service),
        # Nodes have their resource class alone.
        **dict.fromkeys(("vcpus", "memory_mb", "local_gb", "disk_available_least"), 0),
        "vcpus_used": cpus,
        "memory_mb_used": memory,
        "free_ram_mb": -memory,
        "local_gb_used": disk,
        "free_disk_gb": -disk,
        "running_vms": int(bool(row["instance_uuid"])),
        "current_workload": 0,
        "cpu_info": Since(versions.CPU_INFO_OBJECT, {}, before=""),
    }
    return at(ctx.minor, shown)
