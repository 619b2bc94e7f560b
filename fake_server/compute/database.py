"""Short transactions: Nova asks other services between them, never within one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.db.store import Store, Transaction

T = TypeVar("T")
#: How often a transaction is tried that others get in the way of.
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
