"""One request to the Image API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.common import context, json_text
from fake_server.common.errors import BadRequest, Forbidden, NotFound
from fake_server.common.wsgi import Request, Response
from fake_server.image.errors import UnsupportedKind
from fake_server.image.models import images

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.common.schemas import Checker
    from fake_server.db.store import Record, Transaction


class ImageContext(context.Context):
    """The context of a request, which handlers get."""

    def __init__(self, request: Request, tx: Transaction, clock: Clock) -> None:
        super().__init__(request)
        self.tx = tx
        self.clock = clock

    @property
    def is_member(self) -> bool:
        """Whether the client may change the resources of its project."""
        return self.is_admin or self.caller is None or self.caller.has("member")

    def permit(self, action: str, *, admin: bool = False) -> None:
        """Raise Forbidden for clients that may only read or, if so asked, aren't administrators."""
        if not (self.is_admin if admin else self.is_member):
            raise Forbidden(f"You are not authorized to complete {action} action.")

    def image(self, ident: str) -> Record:
        """Return an image that the client sees; raise NotFound for others."""
        return images.find(self.tx, ident, self.visible_project)

    def owned(self, ident: str, action: str, problem: str = "No image found with ID {}") -> Record:
        """Return an image that the client may change; raise NotFound or Forbidden for others."""
        row = self.found(ident, problem)
        if self.visible_project not in (None, row["owner"]):
            raise Forbidden(f"You are not authorized to complete {action} action.")
        self.permit(action)
        return row

    def found(self, ident: str, problem: str) -> Record:
        """Return an image that the client sees; raise NotFound, with the problem, for others."""
        try:
            return self.image(ident)
        except NotFound:
            raise NotFound(problem.format(ident)) from None

    def json(self) -> dict[str, Any]:
        """Return the body; raise BadRequest if it is no JSON object."""
        try:
            body = json_text.parse(self.request.body)
        except ValueError:
            raise BadRequest("Malformed JSON in request body.") from None
        if not isinstance(body, dict):
            raise BadRequest("Request body must be a JSON object.")
        return body

    def data(self) -> bytes:
        """Return the body as it is; raise UnsupportedKind for text and the like."""
        kind = self.request.content_type
        if kind != "application/octet-stream":
            raise UnsupportedKind(kind, f"Invalid content type {kind}")
        return self.request.body


def check(checker: Checker, schema: str, body: Any) -> None:
    """Raise BadRequest unless a value follows a schema."""
    error = checker.best(body)
    if error is not None:
        raise BadRequest(f"Provided object does not match schema '{schema}': {error.message}")


Handler = Callable[..., Response]
