"""One request to the Block Storage API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from fake_server.block_storage import microversions
from fake_server.block_storage.errors import InUseByServer, InvalidInput, VolumeNotFound
from fake_server.block_storage.models import copies, volumes
from fake_server.block_storage.policies import POLICIES
from fake_server.common import json_text
from fake_server.common.context import NO_PROJECT, Context
from fake_server.common.errors import BadRequest, Forbidden, NotFound, UnsupportedMediaType
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.rest import after, encode
from fake_server.common.wsgi import Request, Response

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.common.schemas import Checker
    from fake_server.db.store import Record, Transaction


_LARGEST = 2**31 - 1
#: Columns by what lists are sorted by.
_SORT_KEYS = {
    **{name: name for name in ("id", "name", "status", "size", "created_at", "updated_at")},
    **{name: name for name in ("availability_zone", "bootable", "volume_id", "user_id")},
    "display_name": "name",
    "project_id": "project_id",
}
#: What all but administrators can narrow lists by.
FILTERS = {
    "volume": (
        *("name", "status", "metadata", "bootable", "migration_status", "availability_zone"),
        *("group_id", "size", "created_at", "updated_at", "consumes_quota"),
    ),
    "backup": ("name", "status", "volume_id"),
    "snapshot": (
        *("name", "status", "volume_id", "metadata", "availability_zone", "consumes_quota"),
    ),
    "group": ("name",),
    "group_snapshot": ("name", "status", "group_id"),
    "attachment": ("volume_id", "status", "instance_id", "attach_status"),
    "message": ("resource_uuid", "resource_type", "event_id", "request_id", "message_level"),
    "pool": ("name", "volume_type"),
    "volume_type": ("is_public", "extra_specs"),
}
_PAGING = ("limit", "marker", "offset", "sort", "sort_key", "sort_dir", "all_tenants")
_MEDIA_TYPES = ("", "application/json", "application/vnd.openstack.volume+json")


class Neighbours(NamedTuple):
    """What Cinder asks the other services, within its transaction.

    :param attachment_of: returns the id of the attachment by which a server has a volume, if it
        has: for the id of the server and that of the volume.
    :param hides_image: returns whether there is an image that a project (any, without one) doesn't
        see: for the id of the image and that of the project.
    """

    attachment_of: Callable[[Transaction, str, str], str | None]
    hides_image: Callable[[Transaction, str, str | None], bool]


class BlockStorageContext(Context):
    """The context of a request, which handlers get.

    :param project: the project in the address, if there is one.
    :param delay: returns the seconds that creating or extending takes, by the name of the volume.
    :param neighbours: the other services, as far as Cinder asks them.
    """

    policies = POLICIES
    version = "v3"

    def __init__(
        self,
        request: Request,
        minor: int,
        tx: Transaction,
        clock: Clock,
        *,
        project: str | None,
        delay: Callable[[str], float],
        neighbours: Neighbours,
    ) -> None:
        super().__init__(request, minor)
        self._neighbours = neighbours
        self.tx = tx
        self.clock = clock
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

    def volume(self, ident: str, policy: str) -> Record:
        """Return a volume that the client sees and may read; raise Forbidden if it can't do more.

        :param policy: what it does to the volume.
        """
        row = volumes.find(self.tx, ident, self.visible_project)
        if not self.may("volume:get", row):
            raise VolumeNotFound(ident)
        self.require(policy, row)
        return row

    def named_volume(self, ident: str, policy: str) -> Record:
        """Return a volume as :meth:`volume` does, where Cinder doesn't ask whether it is read."""
        row = volumes.find(self.tx, ident, self.visible_project)
        self.require(policy, row)
        return row

    def copy(self, kind: copies.Kind, ident: str, policy: str) -> Record:
        """Return a snapshot or backup that the client sees and may read; raise Forbidden if not.

        :param policy: what the client does to it.
        """
        row = self.named_copy(kind, ident, kind.reading)
        self.require(policy, row)
        return row

    def named_copy(self, kind: copies.Kind, ident: str, policy: str) -> Record:
        """Return one as :meth:`copy` does, where Cinder doesn't ask whether it is read."""
        row = copies.find(self.tx, kind, ident, self.visible_project)
        self.require(policy, row)
        return row

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

    def filters(self, resource: str) -> dict[str, str]:
        """Return what a list is narrowed by; raise BadRequest for what it can't be narrowed by."""
        known = FILTERS[resource]
        counted = ("with_count",) if self.minor >= microversions.COUNT else ()
        asked = [name for name in self.request.query if name not in (*_PAGING, *counted)]
        unknown = [name for name in asked if name not in known]
        if unknown and not self.is_admin and self.minor >= microversions.FILTERS:
            names = ",".join(unknown)
            raise BadRequest(f"Invalid filters {names} are found in query options.")
        return {name: str(self.one_of(name)) for name in asked if name in known or self.is_admin}

    def json(self, checker: Checker) -> Any:
        """Return the body; raise BadRequest unless the checker accepts it."""
        return _checked(self._decoded(), checker)

    def action(self, known: Mapping[str, Checker]) -> tuple[str, dict[str, Any]]:
        """Return the name and the details of the action that the body asks for.

        :param known: what checks bodies, by the names of the actions that there are.
        """
        body = self._decoded()
        if not isinstance(body, dict) or len(body) != 1:
            raise BadRequest("Malformed request body")
        name = next(iter(body))
        if name not in known:
            raise BadRequest(
                f"There is no such action: {name}. Verify the request body and Content-Type header "
                "and try again."
            )
        details = _checked(body, known[name])[name]
        return name, details if isinstance(details, dict) else {}

    def _decoded(self) -> Any:
        if self.request.content_type not in _MEDIA_TYPES:
            raise UnsupportedMediaType("Unsupported Content-Type")
        try:
            return json_text.parse(self.request.body)
        except ValueError:
            raise BadRequest("Malformed request body") from None

    def listed(
        self,
        rows: list[dict[str, Any]],
        kind: str,
        show_one: Callable[[dict[str, Any]], Any],
        missing: type[NotFound] = NotFound,
        *,
        linked: bool = True,
    ) -> Response:
        """Return a page of a list in the order that is asked for.

        :param missing: what is raised for a marker that isn't there.
        :param linked: whether it names the next page.
        :raises BadRequest: for a bad order, limit or offset.
        """
        query = self.request.query
        total = len(rows)
        limit, offset = self._count("limit", "limit param"), self._count("offset", "offset")
        rows = after(_sorted(rows, query), query.get("marker"), missing(query.get("marker") or ""))
        page = rows[offset or 0 :][:limit]
        body: dict[str, Any] = {kind: [show_one(row) for row in page]}
        if self.minor >= microversions.COUNT and self.flag("with_count"):
            body["count"] = total
        # Cinder names a next page where this one is full, whether or not there is more.
        if linked and page and len(page) == limit:
            address = f"{self.request.base_url}{self.request.path}"
            following = urlencode({**query, "marker": page[-1]["id"]}, doseq=True)
            body[f"{kind}_links"] = [{"rel": "next", "href": f"{address}?{following}"}]
        return encode(200, body)

    def _count(self, name: str, what: str) -> int | None:
        text = self.one_of(name)
        number = parse_integer(text, maximum=_LARGEST)
        if text is not None and number is None:
            raise BadRequest(f"{what} must be an integer")
        if number is not None and number < 0:
            least = "positive" if name == "limit" else ">= 0"
            raise BadRequest(f"{what} must be {least}")
        return number


def _checked(body: Any, checker: Checker) -> Any:
    if problem := checker.problem(body):
        raise BadRequest(problem)
    return body


def _sorted(rows: list[dict[str, Any]], query: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return rows, which are in the usual order, in the order that a query asks for."""
    text = query.get("sort")
    old = "sort_key" in query or "sort_dir" in query
    if text is not None and old:
        raise BadRequest(
            "The 'sort_key' and 'sort_dir' parameters are deprecated and cannot be used with the "
            "'sort' parameter."
        )
    if old:
        text = f"{query.get('sort_key', 'created_at')}:{query.get('sort_dir', 'desc')}"
    for part in reversed(str(text).split(",") if text else []):
        name, _, direction = part.strip().partition(":")
        if direction not in ("", "asc", "desc"):
            raise InvalidInput("Unknown sort direction, must be 'desc' or 'asc'.")
        if name not in _SORT_KEYS:
            raise InvalidInput("Invalid sort key")
        column = _SORT_KEYS[name]
        rows = sorted(rows, key=partial(_place, column), reverse=direction != "asc")
    return rows


def _place(column: str, row: Mapping[str, Any]) -> tuple[bool, Any]:
    value = row.get(column)
    return value is not None, value


Handler = Callable[..., Response]
