"""One request to the Block Storage API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.block_storage.errors import BadRequest, Forbidden, NotFound
from fake_server.common.rest import BadBodyError, decode
from fake_server.common.wsgi import Request, Response

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Transaction
    from fake_server.identity.caller import Caller

#: Whose volumes they are where nobody has to tell who he is.
NOBODY = "admin"


class Call:
    """What a handler works with.

    :param base: the address of the service, without ``/v3``.
    :param minor: the minor version that the request is for.
    :param project: the project in the address, if there is one.
    :param delay: seconds that creating and extending take.
    """

    def __init__(
        self,
        request: Request,
        tx: Transaction,
        clock: Clock,
        *,
        base: str,
        minor: int,
        project: str | None,
        delay: float,
    ) -> None:
        self.request = request
        self.tx = tx
        self.clock = clock
        self.base = base
        self.minor = minor
        self.delay = delay
        self._project = project

    @property
    def caller(self) -> Caller | None:
        """Who sends the request; ``None`` where nobody is asked."""
        return self.request.caller

    @property
    def is_admin(self) -> bool:
        """Whether the client may look after everybody's volumes."""
        return self.caller is None or self.caller.has("admin") or self.caller.has("service")

    @property
    def project_id(self) -> str:
        """The project that new volumes belong to."""
        if self.caller is None:
            return self._project or NOBODY
        return self.caller.project_id or NOBODY

    @property
    def user_id(self) -> str:
        """The user that new volumes are from."""
        return self.caller.user_id if self.caller else NOBODY

    @property
    def reach(self) -> str | None:
        """The project whose volumes can be named; ``None`` for all."""
        return None if self.is_admin else self.project_id

    def listed_project(self) -> str | None:
        """Return the project whose volumes a list shows; ``None`` for all."""
        wants_all = self.request.query.get("all_tenants") in ("1", "True", "true")
        if self.caller is None or (wants_all and self.is_admin):
            return None
        return self.project_id

    def require_admin(self, action: str) -> None:
        """Refuse who may not do something.

        :raises Forbidden: naming the action.
        """
        if not self.is_admin:
            raise Forbidden(action)

    def require_writer(self, action: str) -> None:
        """Refuse who may only read.

        :raises Forbidden: naming the action.
        """
        if not self.is_admin and self.caller and not self.caller.has("member"):
            raise Forbidden(action)

    def since(self, minor: int) -> None:
        """Refuse an address that the version doesn't know.

        :raises NotFound: before that version.
        """
        if self.minor < minor:
            raise NotFound("The resource could not be found.")

    def body(self, key: str) -> dict[str, Any]:
        """Return the object that the body holds under a key.

        :raises BadRequest: if there is none.
        """
        try:
            value = decode(self.request).get(key)
        except BadBodyError as exc:
            raise BadRequest(str(exc)) from None
        if not isinstance(value, dict):
            raise BadRequest(f"Missing required element '{key}' in request body.")
        return value

    def text(
        self, values: dict[str, Any], name: str, *, required: bool = False, longest: int = 255
    ) -> str | None:
        """Return text of an object.

        :raises BadRequest: for anything else.
        """
        value = values.get(name)
        if value is None and not required:
            return None
        if not isinstance(value, str) or len(value) > longest:
            raise BadRequest(
                f"Invalid input for field/attribute {name}: it has to be text of at most {longest} "
                "characters."
            )
        return value

    def link(self, path: str) -> list[dict[str, str]]:
        """Return the links of something."""
        return [
            {"rel": "self", "href": f"{self.base}/v3/{path}"},
            {"rel": "bookmark", "href": f"{self.base}/{path}"},
        ]


Handler = Callable[..., Response]
