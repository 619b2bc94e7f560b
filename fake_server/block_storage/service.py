"""``/volume``: answer requests to the Block Storage API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import errors, microversions
from fake_server.block_storage.context import BlockStorageContext
from fake_server.block_storage.handlers import (
    actions,
    attachments,
    backups,
    encryption,
    infrastructure,
    metadata,
    projects,
    qos,
    snapshots,
    transfers,
    types,
    volumes,
)
from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import HEADER
from fake_server.common.rest import encode
from fake_server.common.service import TransactionalService

if TYPE_CHECKING:
    from fake_server.block_storage.context import Handler, Neighbours
    from fake_server.common.errors import ServiceError
    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction

_ROUTES: GuardedRoutes[Handler] = GuardedRoutes.joined(
    volumes.ROUTES,
    actions.ROUTES,
    attachments.ROUTES,
    snapshots.ROUTES,
    backups.ROUTES,
    metadata.ROUTES,
    transfers.ROUTES,
    types.ROUTES,
    encryption.ROUTES,
    qos.ROUTES,
    projects.ROUTES,
    infrastructure.ROUTES,
)
_PARTS = "|".join(dict.fromkeys(address.split("/")[1] for address in _ROUTES.addresses()))
#: The version, a project that may be left out, and the rest.
_ADDRESS = re.compile(rf"/v3(?:/(?P<project>[^/]+))?(?P<rest>/(?:{_PARTS})(?:/.*)?)")


class BlockStorageService(TransactionalService):
    """Answers requests to the Block Storage API.

    :param neighbours: the other services, as far as Cinder asks them.
    """

    routes = _ROUTES
    address = _ADDRESS
    exact_addresses = True
    hides_addresses = True
    #: Less than any: answers to requests for no version of Cinder tell none.
    minimum = -1

    def __init__(self, lab: Lab, neighbours: Neighbours) -> None:
        super().__init__(lab)
        self._neighbours = neighbours

    def document(self, request: Request) -> Response | None:
        """Return the list of versions."""
        if request.path.rstrip("/") not in ("", "/v3"):
            return None
        status = 200 if request.path.startswith("/v3") else 300
        return encode(status, {"versions": [_version(request.base_url)]})

    def negotiate(self, request: Request) -> int:
        """Return the minor version that a request is for."""
        return microversions.negotiate(request)

    def context(self, request: Request, minor: int, tx: Transaction) -> BlockStorageContext:
        """Return what the handler of a request gets."""
        address = _ADDRESS.fullmatch(request.path)
        project = address["project"] if address else None
        caller = request.caller
        if project and caller is not None and caller.project_id != project:
            raise BadRequest("Malformed request url")
        return BlockStorageContext(
            request,
            minor,
            tx,
            self.lab.clock,
            project=project,
            delay=self.lab.fault_injection.delay_of,
            neighbours=self._neighbours,
        )

    def render(self, error: ServiceError, request: Request, minor: int) -> Response:
        """Return an error as Cinder shows it."""
        return errors.render(error)

    def headers(self, request: Request, minor: int) -> list[tuple[str, str]]:
        """Return the headers of all answers."""
        if minor < 0 or not request.has_route:
            return []
        return [(HEADER, f"volume {microversions.MAJOR}.{minor}"), ("Vary", HEADER)]


def _version(base: str) -> dict[str, Any]:
    return {
        "id": "v3.0",
        "status": "CURRENT",
        "version": f"{microversions.MAJOR}.{microversions.MAXIMUM}",
        "min_version": f"{microversions.MAJOR}.0",
        "updated": "2023-08-31T00:00:00Z",
        "links": [{"rel": "self", "href": f"{base}/v3/"}],
        "media-types": [
            {"base": "application/json", "type": "application/vnd.openstack.volume+json;version=3"}
        ],
    }
