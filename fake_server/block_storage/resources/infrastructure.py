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


@ROUTES.add("GET", "/os-services", "volume_extension:services:index")
def list_services(ctx: BlockStorageContext) -> Response:
    """List the processes of Cinder."""
    ctx.require("volume_extension:services:index")
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


@ROUTES.add("GET", "/os-hosts", "volume_extension:hosts")
def list_hosts(ctx: BlockStorageContext) -> Response:
    """List the hosts of Cinder."""
    ctx.require("volume_extension:hosts")
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


@ROUTES.add("GET", "/os-hosts/{host}", "volume_extension:hosts")
def show_host(ctx: BlockStorageContext, host: str) -> Response:
    """Show how much a host has."""
    ctx.require("volume_extension:hosts")
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


@ROUTES.add("GET", "/scheduler-stats/get_pools", "scheduler_extension:scheduler_stats:get_pools")
def list_pools(ctx: BlockStorageContext) -> Response:
    """List the pools of the storage, of which there is one."""
    ctx.require("scheduler_extension:scheduler_stats:get_pools")
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


@ROUTES.add("GET", "/capabilities/{host}", "volume_extension:capabilities")
def show_capabilities(ctx: BlockStorageContext, host: str) -> Response:
    """Show what the storage can do."""
    ctx.require("volume_extension:capabilities")
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


@ROUTES.public("GET", "/resource_filters")
def list_filters(ctx: BlockStorageContext) -> Response:
    """List what lists can be narrowed by."""
    ctx.since(microversions.RESOURCE_FILTERS)
    wanted = ctx.request.query.get("resource")
    known = {kind: owner.filters for kind, owner in ctx.kinds.items() if owner.filters}
    rows = [
        {"resource": resource, "filters": filters}
        for resource, filters in {**known, **_OTHER_FILTERS}.items()
        if wanted in (None, resource)
    ]
    return encode(200, {"resource_filters": rows})


def _find_nothing(ctx: BlockStorageContext, ident: str) -> Response:
    ctx.since(microversions.MESSAGES)
    raise NotFound(f"Message {ident} could not be found.")


def _list_nothing(ctx: BlockStorageContext, kind: str, since: int, policy: str | None) -> Response:
    ctx.since(since)
    if policy:
        ctx.require(policy)
    ctx.check_project()
    return encode(200, {kind: []})


def _refuse(ctx: BlockStorageContext, kind: str, since: int, policy: str) -> Response:
    ctx.since(since)
    ctx.require(policy)
    ctx.check_project()
    name = kind.replace("_", " ")
    raise BadRequest(f"There are no {name} here: each volume and each snapshot stands alone.")


_GROUPS = ("group:get_all", "group:create")
_GROUP_SNAPSHOTS = ("group:get_all_group_snapshots", "group:create_group_snapshot")
for _kind, _minor, (_listing, _creation) in (
    ("groups", microversions.GROUPS, _GROUPS),
    ("group_snapshots", microversions.GROUP_SNAPSHOTS, _GROUP_SNAPSHOTS),
    ("consistencygroups", 0, _GROUPS),
    ("cgsnapshots", 0, _GROUP_SNAPSHOTS),
):
    for _path in (f"/{_kind}", f"/{_kind}/detail"):
        ROUTES.add("GET", _path, _listing)(
            partial(_list_nothing, kind=_kind, since=_minor, policy=_listing)
        )
    ROUTES.add("POST", f"/{_kind}", _creation)(
        partial(_refuse, kind=_kind, since=_minor, policy=_creation)
    )
ROUTES.add("POST", "/group_types", "group:group_types:create")(
    partial(
        _refuse,
        kind="group_types",
        since=microversions.GROUP_TYPES,
        policy="group:group_types:create",
    )
)
for _kind, _minor, _policy in (
    ("messages", microversions.MESSAGES, "message:get_all"),
    ("clusters", microversions.CLUSTERS, "clusters:get_all"),
):
    ROUTES.add("GET", f"/{_kind}", _policy)(
        partial(_list_nothing, kind=_kind, since=_minor, policy=_policy)
    )
for _kind, _minor in (("group_types", microversions.GROUP_TYPES), ("extensions", 0)):
    ROUTES.public("GET", f"/{_kind}")(partial(_list_nothing, kind=_kind, since=_minor, policy=None))
ROUTES.public("GET DELETE", "/messages/{ident}")(_find_nothing)
