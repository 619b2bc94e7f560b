"""Services, zones and pools of the one storage that there is, and lists that are always empty."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions
from fake_server.block_storage.models import volumes
from fake_server.block_storage.policies import POLICIES
from fake_server.block_storage.resources.volumes import POOL
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.common.wsgi import Response

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_HOST, _, _ = POOL.partition("#")
#: The processes of Cinder, and where each of them runs.
_SERVICES = {"cinder-scheduler": "fake", "cinder-volume": _HOST, "cinder-backup": "fake"}
#: What administrators could let lists be narrowed by that are always empty.
_OTHER_FILTERS = {
    "group": ("name",),
    "group_snapshot": ("name", "status", "group_id"),
    "message": ("resource_uuid", "resource_type", "event_id", "request_id", "message_level"),
    "pool": ("name", "volume_type"),
}
_ABILITIES = {
    "volume_backend_name": "storage",
    "vendor_name": "Fake",
    "driver_version": "1.0",
    "storage_protocol": "iSCSI",
}


@ROUTES.asking("GET", "/os-services", "volume_extension:services:index")
def list_services(ctx: BlockStorageContext) -> Response:
    """List the processes of Cinder."""
    query = ctx.request.query
    rows: list[dict[str, Any]] = []
    for binary, host in _SERVICES.items():
        if query.get("binary", binary) != binary or query.get("host", host) != host:
            continue
        row: dict[str, Any] = {
            "binary": binary,
            "host": host,
            "zone": volumes.ZONE,
            "status": "enabled",
            "state": "up",
            # When they last said that they are up, which they do every minute.
            "updated_at": ctx.dialect.moment(ctx.clock.now().replace(second=0, microsecond=0)),
            "disabled_reason": None,
        }
        if binary == "cinder-volume":
            row |= {"replication_status": "disabled", "active_backend_id": None, "frozen": False}
            if ctx.minor >= microversions.BACKEND_STATE:
                row["backend_state"] = "up"
        if ctx.minor >= microversions.CLUSTERS:
            row["cluster"] = None
        rows.append(row)
    return encode(200, {"services": rows})


@ROUTES.public("GET", "/os-availability-zone")
def list_zones(ctx: BlockStorageContext) -> Response:
    """List the availability zones, of which there is one."""
    zone = {"zoneName": volumes.ZONE, "zoneState": {"available": True}}
    return encode(200, {"availabilityZoneInfo": [zone]})


@ROUTES.asking("GET", "/os-hosts", "volume_extension:hosts")
def list_hosts(ctx: BlockStorageContext) -> Response:
    """List the hosts of Cinder."""
    moment = ctx.dialect.moment(ctx.clock.now())
    rows = [
        {
            "service-status": "available",
            "service": binary,
            "zone": volumes.ZONE,
            "service-state": "enabled",
            "host_name": host,
            "last-update": moment,
        }
        for binary, host in _SERVICES.items()
    ]
    return encode(200, {"hosts": rows})


@ROUTES.asking("GET", "/os-hosts/{host}", "volume_extension:hosts")
def show_host(ctx: BlockStorageContext, host: str) -> Response:
    """Show how much a host has."""
    if host not in _SERVICES.values():
        raise NotFound(f"Service cinder-volume could not be found on host {host}.")
    rows = volumes.ROWS.fetch(ctx.tx)
    total = {
        "volume_count": str(len(rows)),
        "total_volume_gb": str(sum(row["size"] for row in rows)),
        "total_snapshot_gb": "0",
        "project": "(total)",
        "snapshot_count": "0",
        "host": host,
    }
    return encode(200, {"host": [{"resource": total}]})


@ROUTES.asking("GET", "/scheduler-stats/get_pools", "scheduler_extension:scheduler_stats:get_pools")
def list_pools(ctx: BlockStorageContext) -> Response:
    """List the pools of the storage, of which there is one."""
    pool: dict[str, Any] = {"name": POOL}
    if parse_boolean(ctx.request.query.get("detail")):
        pool["capabilities"] = {
            **_ABILITIES,
            "pool_name": "pool",
            "total_capacity_gb": "infinite",
            "free_capacity_gb": "infinite",
            "allocated_capacity_gb": 0,
            "reserved_percentage": 0,
            "multiattach": True,
            "QoS_support": True,
            "timestamp": ctx.dialect.moment(ctx.clock.now()),
        }
    return encode(200, {"pools": [pool]})


@ROUTES.asking("GET", "/capabilities/{host}", "volume_extension:capabilities")
def show_capabilities(ctx: BlockStorageContext, host: str) -> Response:
    """Show what the storage can do."""
    if host != _HOST:
        raise NotFound(f"Can't find service: {host}")
    body: dict[str, Any] = {
        **_ABILITIES,
        "namespace": f"OS::Storage::Capabilities::{host}",
        "pool_name": "pool",
        "display_name": None,
        "description": None,
        "visibility": "public",
        "replication_targets": [],
        "properties": {},
    }
    return encode(200, body)


@ROUTES.public("GET", "/resource_filters", microversions.RESOURCE_FILTERS)
def list_filters(ctx: BlockStorageContext) -> Response:
    """List what lists can be narrowed by."""
    wanted = ctx.request.query.get("resource")
    known = {kind: owner.filters for kind, owner in ctx.kinds.items() if owner.filters}
    rows = [
        {"resource": resource, "filters": filters}
        for resource, filters in {**known, **_OTHER_FILTERS}.items()
        if wanted in (None, resource)
    ]
    return encode(200, {"resource_filters": rows})


def _list_nothing(ctx: BlockStorageContext, kind: str) -> Response:
    ctx.check_project()
    return encode(200, {kind: []})


def _refuse(ctx: BlockStorageContext, kind: str) -> Response:
    ctx.check_project()
    name = kind.replace("_", " ")
    raise BadRequest(f"There are no {name} here: each volume and each snapshot stands alone.")


@ROUTES.public("GET DELETE", "/messages/{ident}", microversions.MESSAGES)
def find_no_message(ctx: BlockStorageContext, ident: str) -> Response:
    """Find no message."""
    raise NotFound(f"Message {ident} could not be found.")


#: What there is none of: the version that added it, and the policies of listing and creating it.
_NOTHING: dict[str, tuple[int, str | None, str | None]] = {
    "groups": (microversions.GROUPS, "group:get_all", "group:create"),
    "group_snapshots": (
        microversions.GROUP_SNAPSHOTS,
        "group:get_all_group_snapshots",
        "group:create_group_snapshot",
    ),
    "consistencygroups": (0, "group:get_all", "group:create"),
    "cgsnapshots": (0, "group:get_all_group_snapshots", "group:create_group_snapshot"),
    "group_types": (microversions.GROUP_TYPES, None, "group:group_types:create"),
    "messages": (microversions.MESSAGES, "message:get_all", None),
    "clusters": (microversions.CLUSTERS, "clusters:get_all", None),
    "extensions": (0, None, None),
}
for _kind, (_since, _listing, _creation) in _NOTHING.items():
    _list, _path = partial(_list_nothing, kind=_kind), f"/{_kind}"
    if _listing is None:
        ROUTES.public("GET", _path, _since)(_list)
    else:
        ROUTES.asking("GET", _path, _listing, _since)(_list)
        if _creation is not None:
            ROUTES.asking("GET", f"{_path}/detail", _listing, _since)(_list)
    if _creation is not None:
        ROUTES.asking("POST", _path, _creation, _since)(partial(_refuse, kind=_kind))
