"""The live view: a table of resources on a terminal, drawn again and again in the same place."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, TextIO

from baremetalclient._http.text import printable
from baremetalclient.osc.tables import colour, cut, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baremetalclient.osc.command import Command

_GAP = "  "
_RESET = "\x1b[0m"
_CLEAR_TO_END = "\x1b[J"


def is_possible(stream: TextIO) -> bool:
    """Return whether a stream is a terminal on which the cursor can be moved."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def live_view(command: Command, names: Sequence[str], *, on: bool = True) -> LiveView | None:
    """Return a table on stderr for the progress of a command, None where lines are better.

    :param command: the command.
    :param names: the names of the columns, see :class:`LiveView`.
    :param on: whether the command wants one.
    """
    stderr = command.app.stderr
    shown = on and command.app.options.verbose_level == 1 and is_possible(stderr)
    return LiveView(stderr, names) if shown else None


class LiveView:
    """A table of resources in the order of their names, with the number of those in each state.

    It is as high and wide as the terminal at most.

    :param stream: the terminal.
    :param names: the names of the columns: first the name, then the state; states are coloured by
        the names.
    """

    def __init__(self, stream: TextIO, names: Sequence[str]) -> None:
        self._stream = stream
        self._names = names
        self._colours = not os.environ.get("NO_COLOR")
        self._height = 0
        self._rows: dict[str, tuple[str, ...]] = {}
        self._changed: dict[str, None] = {}

    def put(self, key: str, cells: tuple[str, ...]) -> None:
        """Set the row of a resource.

        :param key: what identifies the resource.
        :param cells: the cells.
        """
        if key in self._rows and self._rows[key] != cells:
            self._changed.pop(key, None)
            self._changed[key] = None
        self._rows[key] = cells

    def remove(self, key: str) -> None:
        """Remove the row of a resource."""
        self._rows.pop(key, None)
        self._changed.pop(key, None)

    def draw(self, note: str = "") -> None:
        """Draw the table.

        :param note: the end of the line below it, after the numbers.
        """
        counts = Counter(cells[1] for cells in self._rows.values())
        numbers = ", ".join(f"{number} {state}" for state, number in counts.most_common())
        columns, lines = os.get_terminal_size(self._stream.fileno())
        # A line as wide as the terminal would end on the next one, and the last line stays free.
        width, height = (columns or 80) - 1, max((lines or 24) - 4, 1)
        # On a low terminal, what has changed last is shown.
        by_name = sorted(self._rows, key=self._rows.__getitem__)
        first = list(dict.fromkeys([*reversed(self._changed), *by_name]))[:height]
        shown = [
            [printable(cell) for cell in row] for row in sorted(self._rows[key] for key in first)
        ]
        headings = [name.replace("_", " ").capitalize() for name in self._names]
        widths = [max(map(text_width, column)) for column in zip(headings, *shown, strict=True)]
        text = [self._line(row, widths, width) for row in [headings, *shown]]
        if len(self._rows) > len(shown):
            text.append(cut(f"... and {len(self._rows) - len(shown)} more", width))
        text.append(cut(printable(numbers + note), width))
        back = f"\x1b[{self._height}F" if self._height else ""
        self._stream.write(back + _CLEAR_TO_END + "\n".join(text) + "\n")
        self._stream.flush()
        self._height = len(text)

    def _line(self, cells: Sequence[str], widths: Sequence[int], limit: int) -> str:
        parts = []
        for name, cell, width in zip(self._names, cells, widths, strict=True):
            text = cut(" ".join(cell.split()), max(limit, 0))
            padded = text + " " * min(width - text_width(text), max(limit - text_width(text), 0))
            code = colour(name, cell) if self._colours else ""
            parts.append(f"{code}{padded}{_RESET}" if code else padded)
            limit -= text_width(padded) + len(_GAP)
        return _GAP.join(parts).rstrip()
