"""``/os-services``, ``/os-hosts`` and ``/os-availability-zone``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.formats import is_uuid
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import Since, at
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.compute import microversions
from fake_server.compute.errors import UnsupportedError
from fake_server.compute.handlers import hypervisors
from fake_server.compute.models import instances, services
from fake_server.compute.models.services import COMPUTE
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import infrastructure as schemas

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_INTERNAL = "internal"


@ROUTES.asking("GET", "/os-services", "os-services:list")
def list_services(ctx: Context) -> Response:
    """List the services of Nova."""
    wanted = {name: ctx.one_of(name) for name in ("host", "binary")}
    shown = [
        service
        for service in (_shown(ctx, row) for row in services.get_all(ctx.session))
        if all(value in (None, service[name]) for name, value in wanted.items())
    ]
    return encode(200, {"services": shown})


@ROUTES.asking("PUT", "/os-services/{ident}", "os-services:update")
def update(ctx: Context, ident: str) -> Response:
    """Enable or disable the compute service, or say that it is down.

    :param ident: its UUID; before :data:`~.microversions.SERVICE_UUIDS`, what is to be done.
    """
    if ctx.minor < microversions.SERVICE_UUIDS:
        return _act(ctx, ident)
    if not is_uuid(ident):
        raise BadRequest(f"Invalid uuid {ident}")
    wanted = ctx.json(schemas.UPDATE_SERVICE)
    binary = next((one for one in services.BINARIES if services.uuid(one) == ident), None)
    if binary is None:
        raise NotFound(f"Service {ident} could not be found.")
    _check_binary(binary)
    status, reason = wanted.get("status"), wanted.get("disabled_reason")
    changes: dict[str, Any] = {}
    if status is not None:
        if status == "enabled" and reason:
            raise BadRequest("Specifying 'disabled_reason' with status 'enabled' is invalid.")
        changes = {"disabled": status == "disabled", "disabled_reason": reason}
    if "forced_down" in wanted:
        changes["forced_down"] = bool(parse_boolean(wanted["forced_down"]))
    if not changes:
        raise BadRequest(
            "No updates were requested. Fields 'status' or 'forced_down' should be specified."
        )
    return encode(200, {"service": _shown(ctx, services.update(ctx.session, changes))})


@ROUTES.asking("GET", "/os-availability-zone", "os-availability-zone:list")
def list_zones(ctx: Context) -> Response:
    """List the availability zones."""
    shown = [{"zoneName": ctx.zone, "zoneState": {"available": True}, "hosts": None}]
    return encode(200, {"availabilityZoneInfo": shown})


@ROUTES.asking("GET", "/os-availability-zone/detail", "os-availability-zone:detail")
def list_zone_details(ctx: Context) -> Response:
    """List the availability zones with their hosts and the services there."""
    zones: dict[str, dict[str, Any]] = {}
    for row in services.get_all(ctx.session):
        service = _shown(ctx, row)
        state = {
            "active": not row["disabled"],
            "available": not row["forced_down"],
            "updated_at": service["updated_at"],
        }
        hosts = zones.setdefault(service["zone"], {})
        hosts.setdefault(service["host"], {})[service["binary"]] = state
    shown = [
        {"zoneName": name, "zoneState": {"available": True}, "hosts": hosts}
        for name, hosts in sorted(zones.items())
    ]
    return encode(200, {"availabilityZoneInfo": shown})


@ROUTES.asking("GET", "/os-hosts", "os-hosts:list", until=microversions.NO_HOSTS)
def list_hosts(ctx: Context) -> Response:
    """List the hosts of services."""
    wanted = ctx.one_of("zone")
    hosts = [
        {
            "host_name": _host(ctx, row),
            "service": row["binary"].removeprefix("nova-"),
            "zone": _zone(ctx, row),
        }
        for row in services.get_all(ctx.session)
        if not row["disabled"]
    ]
    return encode(200, {"hosts": [one for one in hosts if wanted in (None, "", one["zone"])]})


@ROUTES.asking("GET", "/os-hosts/{host}", "os-hosts:show", until=microversions.NO_HOSTS)
def show_host(ctx: Context, host: str) -> Response:
    """Show the resources of the first node of a host, and those that servers have there."""
    _check_host(ctx, host)
    nodes = hypervisors.known(ctx)
    if not nodes:
        raise NotFound(f"Compute host {host} could not be found.")
    node = nodes[0]
    names = ("vcpus", "memory_mb", "local_gb")
    rows = {
        "(total)": [node[name] for name in names],
        "(used_now)": [node[f"{name}_used"] for name in names],
        "(used_max)": [0, 0, 0],
    }
    for server in instances.get_all(ctx.session, None):
        if server["node_uuid"]:
            flavor = server["flavor"]
            used = (flavor["vcpus"], flavor["ram"], flavor["disk"] + flavor["ephemeral"])
            for project in ("(used_max)", server["project_id"]):
                having = rows.get(project, [0, 0, 0])
                rows[project] = [one + other for one, other in zip(having, used, strict=True)]
    shown = [
        {
            "resource": {
                "host": host,
                "project": project,
                **dict(zip(("cpu", "memory_mb", "disk_gb"), amounts, strict=True)),
            }
        }
        for project, amounts in rows.items()
    ]
    return encode(200, {"host": shown})


@ROUTES.add("PUT", "/os-hosts/{host}", "os-hosts:update", until=microversions.NO_HOSTS)
def update_host(ctx: Context, host: str) -> Response:
    """Refuse what Nova's driver for Ironic can't do with a host."""
    ctx.json(schemas.UPDATE_HOST)
    ctx.require("os-hosts:update")
    return refuse_host(ctx, host)


@ROUTES.asking("GET", "/os-hosts/{host}/startup", "os-hosts:start", until=microversions.NO_HOSTS)
@ROUTES.asking(
    "GET", "/os-hosts/{host}/shutdown", "os-hosts:shutdown", until=microversions.NO_HOSTS
)
@ROUTES.asking("GET", "/os-hosts/{host}/reboot", "os-hosts:reboot", until=microversions.NO_HOSTS)
def refuse_host(ctx: Context, host: str) -> NoReturn:
    """Refuse what Nova's driver for Ironic can't do with a host."""
    _check_host(ctx, host)
    raise UnsupportedError


def _act(ctx: Context, action: str) -> Response:
    """Do what older versions name in the path."""
    wanted = ctx.json(schemas.OLD_SERVICE_ACTION)
    shown = {name: wanted[name] for name in ("host", "binary")}
    changes: dict[str, Any]
    if action == "force-down" and ctx.minor >= microversions.FORCED_DOWN:
        if "forced_down" not in wanted:
            raise BadRequest("Missing forced_down field")
        changes = {"forced_down": bool(parse_boolean(wanted["forced_down"]))}
        shown |= changes
    elif action in ("enable", "disable", "disable-log-reason"):
        disabled = action != "enable"
        shown["status"] = "disabled" if disabled else "enabled"
        if action == "disable-log-reason":
            if "disabled_reason" not in wanted:
                raise BadRequest("Missing disabled reason field")
            shown["disabled_reason"] = wanted["disabled_reason"]
        changes = {"disabled": disabled, "disabled_reason": shown.get("disabled_reason")}
    else:
        raise NotFound("Unknown action")
    _check_binary(wanted["binary"])
    if wanted["host"] != ctx.session.host:
        raise NotFound(f"Host '{wanted['host']}' is not mapped to any cell")
    services.update(ctx.session, changes)
    return encode(200, {"service": shown})


def _check_binary(binary: str) -> None:
    if binary != COMPUTE:
        raise BadRequest(
            f"Updating a {binary} service is not supported. Only nova-compute services can be "
            "updated."
        )


def _check_host(ctx: Context, host: str) -> None:
    if host != ctx.session.host:
        raise NotFound(f"Compute host {host} could not be found.")


def _shown(ctx: Context, row: Record) -> dict[str, Any]:
    binary = row["binary"]
    number = services.BINARIES.index(binary) + 1
    shown = {
        "id": Since(microversions.SERVICE_UUIDS, services.uuid(binary), before=number),
        "binary": binary,
        "host": _host(ctx, row),
        "zone": _zone(ctx, row),
        "status": "disabled" if row["disabled"] else "enabled",
        "state": "down" if row["forced_down"] else "up",
        "updated_at": f"{ctx.session.clock.now():%Y-%m-%dT%H:%M:%S.%f}",
        "disabled_reason": row["disabled_reason"],
        "forced_down": Since(microversions.FORCED_DOWN, row["forced_down"]),
    }
    return at(ctx.minor, shown)


def _host(ctx: Context, row: Record) -> str:
    return ctx.session.host if row["binary"] == COMPUTE else ctx.session.settings.host


def _zone(ctx: Context, row: Record) -> str:
    return ctx.zone if row["binary"] == COMPUTE else _INTERNAL
