"""What belongs to a resource and has addresses below its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.db.store import Record


class Owner(Protocol):
    """A kind of resources, as what belongs to one needs it."""

    dialect: ClassVar[Any]

    def found(self, ctx: Any, ident: str, policy: str | None, *, unread: bool = False) -> Record:
        """Return one that the client sees; raise an error if it may not do what it asks for."""

    def store(self, ctx: Any, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change columns of one and return it."""


class Listed(Owner, Protocol):
    """A kind of resources, as what tells of the lists of all kinds needs it."""

    filters: ClassVar[tuple[str, ...]]


class Part(ABC):
    """What belongs to a resource and has addresses below its own."""

    @abstractmethod
    def add_to(self, routes: GuardedRoutes[Any], owner: Owner, address: str) -> None:
        """Add what answers requests for it.

        :param owner: what it belongs to.
        :param address: that of one, with the placeholder ``ident``.
        """
