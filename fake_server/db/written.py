"""Which tables were written since all rows were those of a snapshot."""

from __future__ import annotations

from dataclasses import dataclass, field

#: The number of no snapshot, but of a database without rows.
EMPTY = 0


@dataclass
class Written:
    """What transactions have written, one after the other, in a database of one process.

    :param snapshot: the number of the snapshot whose rows all tables had last.
    :param tables: the names of those written since then.
    """

    snapshot: int | None = None
    tables: set[str] = field(default_factory=set)

    def since(self, snapshot: int) -> set[str] | None:
        """Return the names of the tables written since a snapshot; ``None`` if that is unknown."""
        return self.tables if snapshot == self.snapshot else None

    def follow(self, later: Written) -> None:
        """Take over what a transaction has done, once it is committed."""
        if later.snapshot is None:
            self.tables |= later.tables
        else:
            self.snapshot, self.tables = later.snapshot, later.tables
