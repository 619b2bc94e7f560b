"""A table on a terminal that is drawn again and again in the same place."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from baremetalclient._http.text import printable
from baremetalclient.osc.tables import colour
from baremetalclient.osc.text_width import cut, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP = "  "
_RESET = "\x1b[0m"
_CLEAR_TO_END = "\x1b[J"


def is_possible(stream: TextIO) -> bool:
    """Return whether a stream is a terminal on which the cursor can be moved."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class LiveTable:
    """A table with a line below it, as high and wide as the terminal at most.

    :param stream: the terminal.
    :param names: the names of the columns; states are coloured by them.
    """

    def __init__(self, stream: TextIO, names: Sequence[str]) -> None:
        self._stream = stream
        self._names = names
        self._colours = not os.environ.get("NO_COLOR")
        self._height = 0

    def draw(self, rows: Sequence[Sequence[str]], last_line: str) -> None:
        """Replace the table.

        :param rows: the cells of each row; those that do not fit on the terminal are counted.
        :param last_line: the line below it.
        """
        columns, lines = os.get_terminal_size(self._stream.fileno())
        # A line as wide as the terminal would end on the next one, and the last line stays free.
        width, height = (columns or 80) - 1, max((lines or 24) - 4, 1)
        shown = [[printable(cell) for cell in row] for row in rows[:height]]
        headings = [name.replace("_", " ").capitalize() for name in self._names]
        widths = [max(map(text_width, column)) for column in zip(headings, *shown, strict=True)]
        text = [self._line(row, widths, width) for row in [headings, *shown]]
        if len(rows) > len(shown):
            text.append(cut(f"... and {len(rows) - len(shown)} more", width))
        text.append(cut(printable(last_line), width))
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
