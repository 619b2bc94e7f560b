"""One request to the Block Storage API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.common.context import Context
from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import decode
from fake_server.common.wsgi import Request, Response

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Transaction


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


Handler = Callable[..., Response]
