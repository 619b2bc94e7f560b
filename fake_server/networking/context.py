"""One request to the Networking API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.common.context import Context
from fake_server.common.errors import NotFound
from fake_server.common.wsgi import Request, Response
from fake_server.networking import policies
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, qos, rbac
from fake_server.networking.policies import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession


class NetworkingContext(Context):
    """The context of a request, which handlers get.

    :param session: what models work with.
    """

    def __init__(self, request: Request, session: NetworkingSession) -> None:
        super().__init__(request)
        self.session = session
        self._parents: dict[str, Record] = {}

    def subject(self, kind: str, item: Mapping[str, Any]) -> Subject | None:
        """Return what policies decide about; ``None`` without authentication."""
        if self.caller is None:
            return None
        return Subject(self.caller, item, self._parent(kind, item))

    def seen(self, kind: str, rows: Sequence[Record]) -> list[Record]:
        """Return items as the client's project sees them: shared with it or not."""
        if self.caller is None or KINDS[kind].shares_as is None:
            return list(rows)
        project = self.caller.project_id
        found = rbac.seen_by(self.session, project, rows)
        return [qos.seen_by(project, one) for one in found] if kind == "policies" else found

    def allows(self, action: str, kind: str, item: Mapping[str, Any]) -> bool:
        """Return whether the client may do something with an item.

        :param action: such as ``get``.
        """
        return policies.allows(KINDS[kind].policy(action), self.subject(kind, item))

    def enforce(
        self,
        action: str,
        kind: str,
        item: Mapping[str, Any],
        given: Mapping[str, Any] | None = None,
        part: str = "*",
    ) -> None:
        """Raise Forbidden if the client may not do something with an item.

        :param given: the attributes that it sets.
        :param part: what of the item it is about.
        """
        policy = KINDS[kind].policy(action, part)
        policies.enforce(policy, self.subject(kind, item), given or {})

    def visible(self, kind: str, ident: str) -> Record:
        """Return an item; raise NotFound if the client sees none of this id."""
        (item,) = self.seen(kind, [items.need(self.session, kind, ident)])
        if not self.allows("get", kind, item):
            # Some find everything, and only then learn that they may not see it.
            of_nobody = "project_id" not in item
            is_service = self.caller is not None and self.caller.has("service")
            found = of_nobody or self.is_admin or is_service
            raise NotFound if found else KINDS[kind].missing(ident)
        return item

    def _parent(self, kind: str, item: Mapping[str, Any]) -> Mapping[str, Any]:
        parent = KINDS[KINDS[kind].parent]
        if kind == parent.collection:
            return item
        ident = item.get(f"{parent.singular}_id")
        if ident is None:
            return {}
        if ident not in self._parents:
            found = items.find(self.session, parent.collection, ident)
            self._parents[ident] = self.seen(parent.collection, [found])[0] if found else {}
        return self._parents[ident]


Handler = Callable[..., Response]
