"""One request to the Block Storage API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from fake_server.block_storage import microversions
from fake_server.block_storage.errors import InUseByServer
from fake_server.block_storage.models import projects
from fake_server.block_storage.policies import POLICIES
from fake_server.common.context import NO_PROJECT, ResourceContext
from fake_server.common.dialects.cinder import CINDER
from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.parsing import parse_boolean
from fake_server.common.wsgi import Request, Response

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.clock import Clock
    from fake_server.common.resources.part import Listed
    from fake_server.db.store import Record, Transaction

_PAGING = ("limit", "marker", "offset", "sort", "sort_key", "sort_dir", "all_tenants")


class Neighbours(NamedTuple):
    """What Cinder asks the other services, within its transaction.

    :param attachment_of: returns the id of the attachment by which a server has a volume, if it
        has: for the id of the server and that of the volume.
    :param hides_image: returns whether there is an image that a project (any, without one) doesn't
        see: for the id of the image and that of the project.
    """

    attachment_of: Callable[[Transaction, str, str], str | None]
    hides_image: Callable[[Transaction, str, str | None], bool]


class BlockStorageContext(ResourceContext):
    """The context of a request, which handlers get.

    :param kinds: the kinds of resources by their names.
    :param project: the project in the address, if there is one.
    :param delay: returns the seconds that creating or extending takes, by the name of the volume.
    :param neighbours: the other services, as far as Cinder asks them.
    """

    policies = POLICIES
    dialect = CINDER
    version = "v3"

    def __init__(
        self,
        request: Request,
        minor: int,
        tx: Transaction,
        clock: Clock,
        *,
        kinds: Mapping[str, Listed],
        project: str | None,
        delay: Callable[[str], float],
        neighbours: Neighbours,
    ) -> None:
        super().__init__(request, minor, tx, clock)
        self.kinds = kinds
        self._neighbours = neighbours
        self.delay = delay
        self._project = project

    def links(self, path: str) -> list[dict[str, str]]:
        """Return the links of something, with the project where the request names it."""
        return super().links(f"{self._project}/{path}" if self._project else path)

    @property
    def project_id(self) -> str:
        """The project that new volumes belong to."""
        if self.caller is None and self._project:
            return self._project
        return super().project_id

    @property
    def visible_project(self) -> str | None:
        """The project whose resources the client can name; ``None`` for all.

        :raises Forbidden: as :meth:`check_project` does.
        """
        self.check_project()
        return super().visible_project

    def check_project(self) -> None:
        """Raise Forbidden for others than administrators who have no project."""
        if not self.is_admin and self.project_id == NO_PROJECT:
            raise Forbidden("Not authorized.")

    @property
    def is_of_service(self) -> bool:
        """Whether a service passes the request on, and proves it with a token of its own."""
        return self.caller is not None and "service" in self.caller.service_roles

    def check_unused(self, attachment: Record) -> None:
        """Raise InUseByServer for what a server of Nova uses, unless a service asks."""
        server = attachment["instance_uuid"]
        if self.is_of_service or not server or not attachment["connection_info"]:
            return
        volume = attachment["volume_id"]
        if self._neighbours.attachment_of(self.tx, server, volume) == attachment["id"]:
            raise InUseByServer(server)

    def check_image(self, ident: str) -> None:
        """Raise BadRequest for an image that the client doesn't see."""
        if self.caller and self._neighbours.hides_image(self.tx, ident, self.visible_project):
            raise BadRequest("Invalid image identifier or unable to access requested image.")

    def flag(self, name: str) -> bool:
        """Return a boolean of the query, by default false; raise BadRequest for anything else."""
        text = self.request.query.get(name, "false")
        value = parse_boolean(text)
        if value is None:
            raise BadRequest(f"Value '{text}' for '{name}' is not a boolean.")
        return value

    def listed_project(self) -> str | None:
        """Return the project whose volumes a list shows; ``None`` for all."""
        if not self.is_admin:
            return self.visible_project
        if self.flag("all_tenants") or self.caller is None:
            return self.one_of("project_id")
        return self.project_id

    def filters(self, known: Collection[str]) -> dict[str, str]:
        """Return what a list is narrowed by; raise BadRequest for what it can't be narrowed by.

        :param known: what all but administrators can narrow it by.
        """
        counted = ("with_count",) if self.minor >= microversions.COUNT else ()
        asked = [name for name in self.request.query if name not in (*_PAGING, *counted)]
        unknown = [name for name in asked if name not in known]
        if unknown and not self.is_admin and self.minor >= microversions.FILTERS:
            names = ",".join(unknown)
            raise BadRequest(f"Invalid filters {names} are found in query options.")
        return {name: str(self.one_of(name)) for name in asked if name in known or self.is_admin}

    def check_quota(self, name: str) -> None:
        """Raise OverLimit if the project has as many of something as it may have."""
        if self.caller is not None:
            projects.check_room(self.tx, self.project_id, kind=name)


Handler = Callable[..., Response]
