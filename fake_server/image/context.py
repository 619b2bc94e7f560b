"""One request to the Image API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.common.context import ResourceContext
from fake_server.common.dialects.glance import GLANCE
from fake_server.common.errors import Forbidden, NotFound
from fake_server.common.wsgi import Request, Response
from fake_server.image.errors import UnsupportedKind
from fake_server.image.models import images
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.clock import Clock
    from fake_server.common.errors import ServiceError
    from fake_server.db.store import Record, Transaction


class ImageContext(ResourceContext):
    """The context of a request, which handlers get."""

    policies = POLICIES
    dialect = GLANCE

    def __init__(
        self, request: Request, tx: Transaction, clock: Clock, stores: Sequence[str]
    ) -> None:
        super().__init__(request, 0, tx, clock)
        #: The names of the stores, the default first; none where there is one without a name.
        self.stores = stores

    @property
    def import_methods(self) -> tuple[str, ...]:
        """How images can be imported."""
        return (*images.METHODS, *([images.COPY_IMAGE] if self.stores else []))

    def refusal(self, policy: str) -> ServiceError:
        """Return the error for what a policy forbids."""
        return Forbidden(f"You are not authorized to complete {policy} action.")

    def target(self, row: Record) -> dict[str, Any]:
        """Return an image that the client sees, as policies know it."""
        owner = row["owner"]
        is_member = row["visibility"] == images.SHARED and owner != self.project_id
        return {
            "project_id": owner,
            "owner": owner,
            "visibility": row["visibility"],
            "member_id": self.project_id if is_member else None,
        }

    def image(self, ident: str) -> Record:
        """Return an image that the client sees; raise NotFound for others."""
        row = images.find(self.tx, ident, self.visible_project)
        self.require_of(row, "get_image")
        return row

    def owned(self, ident: str, policy: str, problem: str = "No image found with ID {}") -> Record:
        """Return an image that the client may do something to.

        :raises NotFound: for one that it doesn't see, with the problem.
        :raises Forbidden: if the policy forbids it.
        """
        row = self.found(ident, problem)
        self.require_of(row, policy)
        return row

    def require_of(self, row: Record, policy: str) -> None:
        """Raise Forbidden if a policy forbids something with an image.

        :raises NotFound: if it forbids to read it, or another one does.
        """
        self._require(policy, "get_image", self.target(row))

    def require_definition(self, policy: str, namespace: Record | None) -> None:
        """Raise Forbidden if a policy forbids something with metadata definitions.

        :param namespace: the one that they are in; ``None`` where it is about all or about none.
        :raises NotFound: if it forbids to read the namespace, or another policy does.
        """
        target: dict[str, Any] = {"project_id": self.own["project_id"]}
        if namespace is not None:
            names = {"project_id": "owner", "visibility": "visibility"}
            target = {name: namespace[column] for name, column in names.items()}
        self._require(policy, "get_metadef_namespace", target)

    def _require(self, policy: str, reading: str, target: dict[str, Any]) -> None:
        if self.may(policy, target):
            return
        if policy == reading or not self.may(reading, target):
            raise NotFound
        raise self.refusal(policy)

    def found(self, ident: str, problem: str) -> Record:
        """Return an image that the client sees; raise NotFound, with the problem, for others."""
        try:
            return images.find(self.tx, ident, self.visible_project)
        except NotFound:
            raise NotFound(problem.format(ident)) from None

    def data(self) -> bytes:
        """Return the body as it is; raise UnsupportedKind for text and the like."""
        kind = self.request.content_type
        if kind != "application/octet-stream":
            raise UnsupportedKind(kind, f"Invalid content type {kind}")
        return self.request.body


Handler = Callable[..., Response]
