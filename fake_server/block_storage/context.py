"""One request to the Block Storage API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fake_server.common.context import Context
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.rest import after, decode, encode
from fake_server.common.wsgi import Request, Response

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Transaction


_LARGEST = 2**31 - 1
#: Columns by what lists are sorted by.
_SORT_KEYS = {
    **{name: name for name in ("id", "name", "status", "size", "created_at", "updated_at")},
    **{name: name for name in ("availability_zone", "bootable", "volume_id", "user_id")},
    "display_name": "name",
    "project_id": "project_id",
}


class BlockStorageContext(Context):
    """The context of a request, which handlers get.

    :param project: the project in the address, if there is one.
    :param delay: seconds that creating and extending take.
    """

    admin_roles = ("admin", "service")
    version = "v3"

    def __init__(
        self,
        request: Request,
        minor: int,
        tx: Transaction,
        clock: Clock,
        *,
        project: str | None,
        delay: float,
    ) -> None:
        super().__init__(request, minor)
        self.tx = tx
        self.clock = clock
        self.delay = delay
        self._project = project

    @property
    def project_id(self) -> str:
        """The project that new volumes belong to."""
        if self.caller is None and self._project:
            return self._project
        return super().project_id

    def listed_project(self) -> str | None:
        """Return the project whose volumes a list shows; ``None`` for all."""
        wants_all = parse_boolean(self.request.query.get("all_tenants"))
        if self.caller is None or (wants_all and self.is_admin):
            return None
        return self.project_id

    def body(self, key: str) -> dict[str, Any]:
        """Return the object that the body holds under a key; raise BadRequest if there is none."""
        value = decode(self.request).get(key)
        if not isinstance(value, dict):
            raise BadRequest(f"Missing required element '{key}' in request body.")
        return value

    def listed(
        self,
        rows: list[dict[str, Any]],
        kind: str,
        show_one: Callable[[dict[str, Any]], Any],
        missing: type[NotFound] = NotFound,
    ) -> Response:
        """Return a page of a list in the order that is asked for.

        :param missing: what is raised for a marker that isn't there.
        :raises BadRequest: for a bad order, limit or offset.
        """
        query = self.request.query
        rows = after(_sorted(rows, query), query.get("marker"), missing(query.get("marker") or ""))
        limit, offset = self._count("limit"), self._count("offset")
        rows = rows[offset or 0 :]
        page = rows if limit is None else rows[:limit]
        body: dict[str, Any] = {kind: [show_one(row) for row in page]}
        # Cinder names a next page where this one is full, whether or not there is more.
        if limit and len(page) == limit:
            following = {**query, "marker": page[-1]["id"]}
            following.pop("offset", None)
            address = f"{self.request.base_url}{self.request.path}"
            href = f"{address}?{urlencode(following, doseq=True)}"
            body[f"{kind}_links"] = [{"rel": "next", "href": href}]
        return encode(200, body)

    def _count(self, name: str) -> int | None:
        value = self.request.query.get(name)
        if value is None:
            return None
        number = parse_integer(value, maximum=_LARGEST, strict=True)
        if number is None:
            raise BadRequest(f"{name} param must be an integer")
        return number

    def metadata(self, values: Any) -> dict[str, str]:
        """Return texts by name, none by default; raise BadRequest for anything else."""
        if values is None:
            return {}
        texts = isinstance(values, dict) and all(isinstance(one, str) for one in values.values())
        if not texts or any(not 0 < len(name) <= 255 for name in values):
            raise BadRequest(
                "Invalid input for field/attribute metadata: it has to be texts by name."
            )
        return dict(values)

    def text(
        self, values: dict[str, Any], name: str, *, required: bool = False, longest: int = 255
    ) -> str | None:
        """Return text of an object; raise BadRequest for anything else."""
        value = values.get(name)
        if value is None and not required:
            return None
        if not isinstance(value, str) or len(value) > longest:
            raise BadRequest(
                f"Invalid input for field/attribute {name}: it has to be text of at most {longest} "
                "characters."
            )
        return value


def _sorted(rows: list[dict[str, Any]], query: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return rows, which are in the usual order, in the order that a query asks for."""
    text = query.get("sort")
    if text is None and "sort_key" in query:
        text = f"{query['sort_key']}:{query.get('sort_dir', 'desc')}"
    for part in reversed(str(text).split(",") if text else []):
        name, _, direction = part.strip().partition(":")
        if name not in _SORT_KEYS or direction not in ("", "asc", "desc"):
            raise BadRequest(f"Invalid input received: Invalid sort key or direction: {part}.")
        column = _SORT_KEYS[name]
        rows = sorted(rows, key=partial(_place, column), reverse=direction != "asc")
    return rows


def _place(column: str, row: Mapping[str, Any]) -> tuple[bool, Any]:
    value = row.get(column)
    return value is not None, value


Handler = Callable[..., Response]
