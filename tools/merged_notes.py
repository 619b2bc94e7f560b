"""Release notes that a merge commit adds, which reno refuses: it sees one for each parent."""

from __future__ import annotations

from typing import Any

from reno import scanner


class _Aggregator(scanner._ChangeAggregator):
    """Takes a note that a merge adds, compared with several parents, as the one that it is."""

    def aggregate_changes(self, walk_entry: Any, changes: list[Any]) -> list[Any]:
        """Return the changes of notes in a commit."""
        seen, once = set(), []
        for change in changes:
            # Of a merge, a change is a list with one for each parent.
            parents = change if isinstance(change, list) else [change]
            path = parents[0].new and parents[0].new.path
            is_added = path and all(each.type == "add" for each in parents)
            if is_added and path in seen:
                continue
            seen.add(path)
            once.append(parents[:1] if is_added else change)
        return list(super().aggregate_changes(walk_entry, once))


def accept() -> None:
    """Have reno accept such notes in this process."""
    scanner._ChangeAggregator = _Aggregator
