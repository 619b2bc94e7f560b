"""``/volume``: answer requests to the Block Storage API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.block_storage.context import BlockStorageContext
from fake_server.block_storage.resources import infrastructure, projects
from fake_server.block_storage.resources.attachments import Attachments
from fake_server.block_storage.resources.backups import Backups
from fake_server.block_storage.resources.qos import QosSpecs
from fake_server.block_storage.resources.snapshots import Snapshots
from fake_server.block_storage.resources.transfers import Transfers
from fake_server.block_storage.resources.types import VolumeTypes
from fake_server.block_storage.resources.volumes import Volumes
from fake_server.common.dialects.cinder import CINDER
from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.service import TransactionalService

if TYPE_CHECKING:
    from fake_server.block_storage.context import Handler, Neighbours
    from fake_server.block_storage.resources.cinder_resource import CinderResource
    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction

#: The kinds of resources.
KINDS: tuple[CinderResource, ...] = (
    Volumes(),
    Attachments(),
    Snapshots(),
    Backups(),
    Transfers(),
    VolumeTypes(),
    QosSpecs(),
)
_BY_NAME = {kind.name: kind for kind in KINDS}
_ROUTES: GuardedRoutes[Handler] = GuardedRoutes.joined(
    *(kind.routes() for kind in KINDS), projects.ROUTES, infrastructure.ROUTES
)
_PARTS = "|".join(dict.fromkeys(address.split("/")[1] for address in _ROUTES.addresses()))
#: The version, a project that may be left out, and the rest.
_ADDRESS = re.compile(rf"/v3(?:/(?P<project>[^/]+))?(?P<rest>/(?:{_PARTS})(?:/.*)?)")


class BlockStorageService(TransactionalService):
    """Answers requests to the Block Storage API.

    :param neighbours: the other services, as far as Cinder asks them.
    """

    dialect = CINDER
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
            kinds=_BY_NAME,
            project=project,
            delay=self.lab.fault_injection.delay_of,
            neighbours=self._neighbours,
        )


def _version(base: str) -> dict[str, Any]:
    return {
        "id": "v3.0",
        "status": "CURRENT",
        "version": f"{CINDER.major}.{CINDER.maximum}",
        "min_version": f"{CINDER.major}.0",
        "updated": "2023-08-31T00:00:00Z",
        "links": [{"rel": "self", "href": f"{base}/v3/"}],
        "media-types": [
            {"base": "application/json", "type": "application/vnd.openstack.volume+json;version=3"}
        ],
    }
