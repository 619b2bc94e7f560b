"""One request to the Networking API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.common import context
from fake_server.common.errors import NotFound
from fake_server.common.wsgi import Request, Response
from fake_server.networking import policies
from fake_server.networking.errors import missing
from fake_server.networking.models import items
from fake_server.networking.policies import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.networking.models.items import Session


class Context(context.Context):
    """The context of a request, which handlers get.

    :param session: what models work with.
    """

    def __init__(self, request: Request, session: Session) -> None:
        super().__init__(request)
        self.session = session
        self._parents: dict[str, Record] = {}

    def subject(self, kind: str, item: Mapping[str, Any]) -> Subject | None:
        """Return what policies decide about; ``None`` without authentication."""
        if self.caller is None:
            return None
        return Subject(self.caller, item, self._parent(kind, item))

    def allows(self, action: str, kind: str, item: Mapping[str, Any]) -> bool:
        """Return whether the client may do something with an item.

        :param action: such as ``get_port``.
        """
        return policies.allows(action, self.subject(kind, item))

    def enforce(
        self,
        action: str,
        kind: str,
        item: Mapping[str, Any],
        given: Mapping[str, Any] | None = None,
    ) -> None:
        """Raise Forbidden if the client may not do something with an item.

        :param given: the attributes that it sets.
        """
        policies.enforce(action, self.subject(kind, item), given or {})

    def visible(self, kind: str, ident: str) -> Record:
        """Return an item; raise NotFound if the client sees none of this id."""
        item = items.need(self.session, kind, ident)
        if not self.allows(f"get_{kind.removesuffix('s')}", kind, item):
            # Some find everything, and only then learn that they may not see it.
            of_nobody = "project_id" not in item
            is_service = self.caller is not None and self.caller.has("service")
            found = of_nobody or self.is_admin or is_service
            raise NotFound if found else missing(kind, ident)
        return item

    def _parent(self, kind: str, item: Mapping[str, Any]) -> Mapping[str, Any]:
        if kind == "networks":
            return item
        of_group = kind == "security_group_rules"
        ident = item.get("security_group_id" if of_group else "network_id")
        if ident is None:
            return {}
        if ident not in self._parents:
            parents = "security_groups" if of_group else "networks"
            self._parents[ident] = items.find(self.session, parents, ident) or {}
        return self._parents[ident]


Handler = Callable[..., Response]
