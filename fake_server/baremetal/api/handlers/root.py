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
from fake_server.baremetal.api.routing import Controller, Route, find
from fake_server.baremetal.errors import MALFORMED, ApiError, NotFound, RoutingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fake_server.baremetal.api.context import Context

#: Resources below ``/v1``.
_RESOURCES: dict[str, Callable[[], Controller]] = {
    "nodes": NodesController,
    "ports": PortsController,
    "portgroups": PortgroupsController,
    "chassis": ChassisController,
    "drivers": DriversController,
    "conductors": ConductorsController,
    "volume": VolumeController,
    "allocations": AllocationsController,
    "deploy_templates": DeployTemplatesController,
    "runbooks": RunbooksController,
    "inspection_rules": InspectionRulesController,
    "shards": ShardsController,
    "events": EventsController,
    "lookup": LookupController,
    "heartbeat": HeartbeatController,
    "continue_inspection": ContinueInspectionController,
}
#: Resources below ``/v1`` that the document on node traits has otherwise.
_IN_SPEC: dict[str, Callable[[], Controller]] = {"nodes": SpecNodesController}
#: Resources in the order in which the document names them, with their first version.
_DOCUMENTED = {
    "chassis": 1,
    "nodes": 1,
    "ports": 1,
    "drivers": 1,
    "portgroups": microversions.PORTGROUPS,
    "volume": microversions.VOLUME,
    "lookup": microversions.LOOKUP_AND_HEARTBEAT,
    "heartbeat": microversions.LOOKUP_AND_HEARTBEAT,
    "conductors": microversions.CONDUCTORS,
    "allocations": microversions.ALLOCATIONS,
    "events": microversions.EVENTS,
    "deploy_templates": microversions.DEPLOY_TEMPLATES,
    "shards": microversions.SHARDS,
    "runbooks": microversions.RUNBOOKS,
    "inspection_rules": microversions.INSPECTION_RULES,
    "continue_inspection": microversions.CONTINUE_INSPECTION,
}


def find_route(ctx: Context) -> Route:
    """Return the handler for a path; raise RoutingError, 404 or 405, if there is none."""
    segments: Sequence[str] = ctx.request.path.split("/")[1:]
    if not segments or segments[0] == "":
        return RootController.index, RootController(), list(segments[1:])
    # The first segment may leave the version out.
    rest = list(segments[1:]) if segments[0] == "v1" else list(segments)
    if rest and rest[-1] == "":
        rest.pop()
    if not rest or rest[0] == "":
        return V1Controller.index, V1Controller(), rest[1:]
    found = V1Controller().lookup(ctx, *rest)
    if found is None:
        raise RoutingError(404)
    return find(*found, ctx)


class RootController(Controller):
    """The document that lists the major versions."""

    @expose()
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

    @expose(cacheable=True)
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
        for name, since in _DOCUMENTED.items():
            if ctx.minor >= since:
                document[name] = ctx.links(name, "")
        return document | {"version": _version(ctx)}

    def lookup(
        self, ctx: Context, ident: str, *remainder: str
    ) -> tuple[Controller, Sequence[str]] | None:
        """Find the controller of a resource."""
        documented = _IN_SPEC if ctx.session.dialect.filters_by_traits else {}
        resource = documented.get(ident) or _RESOURCES.get(ident)
        return (resource(), remainder) if resource else None


def _version(ctx: Context) -> dict[str, Any]:
    return {
        "id": "v1",
        "links": [{"href": f"{ctx.base_url}/v1/", "rel": "self"}],
        "status": "CURRENT",
        "min_version": f"{microversions.MAJOR}.{microversions.MINIMUM}",
        "version": f"{microversions.MAJOR}.{ctx.session.settings.max_minor}",
    }


def _method_not_allowed() -> ApiError:
    error = ApiError(MALFORMED)
    error.code = 405
    return error
