"""``/`` and ``/v1``: the discovery documents, and the root of all resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.allocations import AllocationsController
from fake_server.baremetal.api.handlers.chassis import ChassisController
from fake_server.baremetal.api.handlers.conductors import ConductorsController
from fake_server.baremetal.api.handlers.deploy_templates import DeployTemplatesController
from fake_server.baremetal.api.handlers.drivers import DriversController
from fake_server.baremetal.api.handlers.events import EventsController
from fake_server.baremetal.api.handlers.inspection_rules import InspectionRulesController
from fake_server.baremetal.api.handlers.nodes import NodesController
from fake_server.baremetal.api.handlers.portgroups import PortgroupsController
from fake_server.baremetal.api.handlers.ports import PortsController
from fake_server.baremetal.api.handlers.ramdisk import (
    ContinueInspectionController,
    HeartbeatController,
    LookupController,
)
from fake_server.baremetal.api.handlers.runbooks import RunbooksController
from fake_server.baremetal.api.handlers.shards import ShardsController
from fake_server.baremetal.api.handlers.spec_nodes import SpecNodesController
from fake_server.baremetal.api.handlers.volume import VolumeController
from fake_server.baremetal.api.routing import Controller, Found, Route, find
from fake_server.baremetal.errors import MALFORMED, ApiError, NotFound, RoutingError
from fake_server.common.wsgi import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fake_server.baremetal.api.context import Context

#: Resources below ``/v1`` and their first versions, in the order in which the document names them.
RESOURCES: dict[str, tuple[Callable[[], Controller], int]] = {
    "chassis": (ChassisController, 1),
    "nodes": (NodesController, 1),
    "ports": (PortsController, 1),
    "drivers": (DriversController, 1),
    "portgroups": (PortgroupsController, microversions.PORTGROUPS),
    "volume": (VolumeController, microversions.VOLUME),
    "lookup": (LookupController, microversions.LOOKUP_AND_HEARTBEAT),
    "heartbeat": (HeartbeatController, microversions.LOOKUP_AND_HEARTBEAT),
    "conductors": (ConductorsController, microversions.CONDUCTORS),
    "allocations": (AllocationsController, microversions.ALLOCATIONS),
    "events": (EventsController, microversions.EVENTS),
    "deploy_templates": (DeployTemplatesController, microversions.DEPLOY_TEMPLATES),
    "shards": (ShardsController, microversions.SHARDS),
    "runbooks": (RunbooksController, microversions.RUNBOOKS),
    "inspection_rules": (InspectionRulesController, microversions.INSPECTION_RULES),
    "continue_inspection": (ContinueInspectionController, microversions.CONTINUE_INSPECTION),
}
#: Resources that the document on node traits has otherwise.
_IN_SPEC: dict[str, Callable[[], Controller]] = {"nodes": SpecNodesController}


def find_route(ctx: Context) -> Route:
    """Return the handler for a path; raise RoutingError, 404 or 405, if there is none."""
    segments: Sequence[str] = ctx.request.path.split("/")[1:]
    if not segments or segments[0] == "":
        return RootController.handlers()["index"], RootController(), list(segments[1:])
    # The first segment may leave the version out.
    rest = list(segments[1:]) if segments[0] == "v1" else list(segments)
    if rest and rest[-1] == "":
        rest.pop()
    if not rest or rest[0] == "":
        return V1Controller.handlers()["index"], V1Controller(), rest[1:]
    found = V1Controller().lookup(ctx, *rest)
    if found is None:
        raise RoutingError(404)
    return find(*found, ctx)


def has_route(ctx: Context) -> bool:
    """Return whether the newest version has the path of a request, if for other methods only."""
    ctx.minor = microversions.MAXIMUM
    try:
        handler, _, arguments = find_route(ctx)
    except RoutingError as exc:
        return exc.code != 404
    return handler.takes(len([*ctx.routing_args, *arguments]))


def takes(ctx: Context, method: str, path: str) -> bool:
    """Return whether the newest version answers a method at a path.

    :param ctx: of any request, whose place this one takes.
    """
    ctx.request = Request({"REQUEST_METHOD": method, "PATH_INFO": path})
    ctx.minor, ctx.routing_args = microversions.MAXIMUM, []
    try:
        handler, _, arguments = find_route(ctx)
    except RoutingError:
        return False
    return handler.takes_in_path(len([*ctx.routing_args, *arguments]))


class RootController(Controller):
    """The document that lists the major versions."""

    @expose(policy=None)
    def index(self, ctx: Context, *surplus: str) -> dict[str, Any]:
        """Show the versions."""
        if surplus:
            raise NotFound("The resource could not be found.")
        version = _version(ctx)
        return {
            "name": "OpenStack Ironic API",
            "description": (
                "Ironic is an OpenStack project which enables the provision and management of "
                "baremetal machines."
            ),
            "default_version": version,
            "versions": [version],
        }


class V1Controller(Controller):
    """The document of version 1, and the resources below it."""

    @expose(policy=None, cacheable=True)
    def index(self, ctx: Context) -> dict[str, Any]:
        """Show what the requested version has."""
        if ctx.request.method not in ("GET", "HEAD"):
            raise _method_not_allowed()
        documentation = "https://docs.openstack.org//ironic/latest/contributor//webapi.html"
        document: dict[str, Any] = {
            "id": "v1",
            "links": [
                {"href": f"{ctx.base_url}/v1/", "rel": "self"},
                {"href": documentation, "rel": "describedby", "type": "text/html"},
            ],
            "media_types": {
                "base": "application/json",
                "type": "application/vnd.openstack.ironic.v1+json",
            },
        }
        for name, (_, since) in RESOURCES.items():
            if ctx.minor >= since:
                document[name] = ctx.links(name, "")
        return document | {"version": _version(ctx)}

    def lookup(self, ctx: Context, ident: str, *remainder: str) -> Found:
        """Find the controller of a resource."""
        if ident not in RESOURCES:
            return None
        documented = _IN_SPEC if ctx.session.dialect.filters_by_traits else {}
        return documented.get(ident, RESOURCES[ident][0])(), remainder


def _version(ctx: Context) -> dict[str, Any]:
    return {
        "id": "v1",
        "links": [{"href": f"{ctx.base_url}/v1/", "rel": "self"}],
        "status": "CURRENT",
        "min_version": f"{microversions.MAJOR}.{microversions.MINIMUM}",
        "version": f"{microversions.MAJOR}.{ctx.session.settings.max_minor}",
    }


def _method_not_allowed() -> ApiError:
    return ApiError(MALFORMED).with_code(405)
