"""Snapshots of the whole state of a server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.control import snapshot_tables
from fake_server.control.tables import snapshots
from fake_server.db.queries import Query
from fake_server.db.store import ConflictError, DuplicateError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.control.state import ControlState
    from fake_server.db.store import Store, Transaction

_HIGHEST = Query(sa.select(sa.func.max(snapshots.c.number).label("number")))
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,63}")


class Snapshots:
    """Snapshots of a store, kept in the store itself: all processes that use it share them.

    :param store: the store; :meth:`reset` restores its state after the first use.
    :param fill: fills the store when it is used for the first time.
    """

    def __init__(
        self, store: Store, state: ControlState, fill: Callable[[Transaction], None]
    ) -> None:
        self._metadata = store.metadata
        self._state = state
        #: Whether the store was used for the first time.
        self.is_new = state.transact(lambda tx: self._take_first(tx, fill))

    def take(self, ident: str | None = None) -> str:
        """Take a snapshot of the present state; return its id.

        :param ident: its id, instead of a number; an existing snapshot with this id is replaced.
        :raises ValueError: for an invalid id.
        """
        if ident is not None and not (isinstance(ident, str) and _NAME.fullmatch(ident)):
            raise ValueError(
                f"Invalid snapshot name {ident!r}: use up to 64 letters, digits, '.', '_' and '-', "
                "beginning with a letter."
            )
        return self._state.transact(lambda tx: self._replace(tx, ident))

    def idents(self) -> list[str]:
        """Return the ids of all snapshots."""
        return list(self._state.transact(_numbers, write=False))

    def restore(self, ident: str) -> None:
        """Restore a snapshot.

        :raises KeyError: if there is none of this id.
        """
        self._state.transact(lambda tx: self._put_back(tx, _numbers(tx)[ident]))

    def forget(self, ident: str) -> None:
        """Remove a snapshot.

        :raises KeyError: if there is none of this id.
        """
        self._state.transact(lambda tx: self._forget(tx, _numbers(tx)[ident]))

    def reset(self) -> None:
        """Restore the state that the server started with."""
        self._state.transact(lambda tx: self._put_back(tx, _first(tx)))

    def _take_first(self, tx: Transaction, fill: Callable[[Transaction], None]) -> bool:
        if tx.rows(snapshots, "number", is_first=True):
            return False
        self._take(tx, is_first=True, fill=fill)
        return True

    def _replace(self, tx: Transaction, name: str | None) -> str:
        if name is not None and name in _numbers(tx):
            self._forget(tx, _numbers(tx)[name])
        number = self._take(tx, is_first=False, name=name)
        return name or str(number)

    def _take(
        self,
        tx: Transaction,
        *,
        is_first: bool,
        name: str | None = None,
        fill: Callable[[Transaction], None] | None = None,
    ) -> int:
        highest = tx.ask(_HIGHEST)[0]["number"] or 0
        try:
            tx.insert(snapshots, {"number": highest + 1, "name": name, "is_first": is_first})
        except DuplicateError as exc:
            raise ConflictError(str(exc)) from exc
        # Now that no other process can do so as well.
        if fill is not None:
            fill(tx)
        snapshot_tables.take(tx, self._metadata, highest + 1)
        return int(highest + 1)

    def _put_back(self, tx: Transaction, number: int) -> None:
        snapshot_tables.put_back(tx, self._metadata, number)

    def _forget(self, tx: Transaction, number: int) -> None:
        tx.remove(snapshots, number=number)
        snapshot_tables.forget(tx, self._metadata, number)


def _first(tx: Transaction) -> int:
    return int(tx.rows(snapshots, "number", is_first=True)[0]["number"])


def _numbers(tx: Transaction) -> dict[str, int]:
    """Return the numbers of snapshots by id."""
    kept = tx.rows(snapshots, "number", is_first=False)
    return {row["name"] or str(row["number"]): row["number"] for row in kept}
