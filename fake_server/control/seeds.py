"""Seeds: load a lab into the server, and export its present one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.db.store import DuplicateError
from fake_server.seeds import loading, parsing
from fake_server.seeds.export import export
from fake_server.seeds.parsing import Entries, Seed, SeedError

if TYPE_CHECKING:
    from fake_server.common.lab import Lab
    from fake_server.control.state import ControlState
    from fake_server.db.store import Transaction

#: How often a seed is tried that conflicts with what others store.
_TURNS = 5


class Seeds:
    """The seeds of a server.

    :param state: gives transactions, and brings what is stored up to date.
    """

    def __init__(self, lab: Lab, state: ControlState) -> None:
        self._lab = lab
        self._state = state

    def load(self, seed: Seed, *, replace: bool = False) -> dict[str, int]:
        """Store the lab that a seed describes, all of it or nothing.

        :param seed: a file in YAML or JSON, or what such a file says.
        :param replace: whether nodes of the same names are removed first, with all that is theirs.
        :returns: the number of resources by kind.
        :raises SeedError: if something in it isn't valid, or exists already; says where.
        :raises OSError: for a file that can't be read.
        """
        content = parsing.read(parsing.load(seed))
        for _ in range(_TURNS):
            try:
                return self._state.transact(lambda tx: self._store(tx, content, replace=replace))
            except DuplicateError as exc:
                # Another process was faster, and may have stored the same: look again.
                clash = exc
        raise _unlike(clash)

    def load_within(self, tx: Transaction, seed: Seed) -> None:
        """Store the lab that a seed describes in an open transaction; see :meth:`load`."""
        try:
            self._store(tx, parsing.read(parsing.load(seed)))
        except DuplicateError as exc:
            raise _unlike(exc) from exc

    def export(self) -> dict[str, Any]:
        """Return a seed that would give another server what this one has, secrets included."""
        self._state.apply_due_work()
        return self._state.transact(lambda tx: export(tx, self._lab.clock))

    def _store(self, tx: Transaction, entries: Entries, *, replace: bool = False) -> dict[str, int]:
        if replace:
            loading.remove_nodes(tx, [entry.values.get("name") for entry in entries["nodes"]])
        return loading.store(tx, self._lab.clock, self._lab.settings, entries)


def _unlike(clash: DuplicateError) -> SeedError:
    """Return the error for what others store in the meantime, again and again."""
    return SeedError("some of it", f"what has to be unique isn't: {clash}")
