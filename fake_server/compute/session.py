"""The session of Nova's work: short transactions, the other services, and the client.

Other services are called between transactions, never within one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.clock import Clock
    from fake_server.common.caller import Caller
    from fake_server.compute.cloud import Cloud
    from fake_server.db.store import Store, Transaction
    from fake_server.settings import Settings

T = TypeVar("T")
#: How often a transaction is tried that meets conflicts.
_TURNS = 200


class Database:
    """The rows of Nova.

    :param store: database with the schema of :mod:`.tables`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Return what a function reads in a transaction of its own."""
        return self._run(work, write=False)

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Return what a function does in a transaction of its own."""
        return self._run(work, write=True)

    def _run(self, work: Callable[[Transaction], T], *, write: bool) -> T:
        # What was asked of other services can't be asked again, so only this is repeated.
        return self._store.run(work, write=write, turns=_TURNS)


@dataclass(frozen=True, slots=True)
class Session:
    """The database, the other services, the time and the options."""

    database: Database
    cloud: Cloud
    clock: Clock
    settings: Settings

    @property
    def host(self) -> str:
        """The name of the compute service."""
        return f"{self.settings.host}-ironic"


@dataclass(frozen=True)
class Client:
    """The client that a request comes from.

    :param caller: its user; ``None`` without authentication.
    :param reach: the project whose flavors can be used; ``None`` for all.
    """

    caller: Caller | None
    project_id: str
    user_id: str
    reach: str | None

    @property
    def owner(self) -> dict[str, str]:
        """The names that are stored in nodes."""
        return {
            "project_name": (self.caller and self.caller.project_name) or self.project_id,
            "user_name": self.caller.user_name if self.caller else self.user_id,
        }
