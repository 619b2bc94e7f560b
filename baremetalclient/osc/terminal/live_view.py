"""The live view: a table of resources on a terminal, drawn again and again in the same place."""

from __future__ import annotations

import os
import textwrap
import time
from collections import Counter
from typing import TYPE_CHECKING, TextIO, TypeAlias

from baremetalclient._http.escapes import printable
from baremetalclient.osc.terminal.progress import without_names
from baremetalclient.osc.terminal.tables import colour, cut, severity, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baremetalclient.osc.terminal.printer import Printer

_INTERVAL = 0.2
"""The minimum seconds between two drawings."""
_GAP = "  "
_RESET = "\x1b[0m"
_CLEAR_LINE = "\x1b[K"
_MOST_NUMBERS = 3
"""The maximum lines for the numbers of resources in each state."""
_KINDS = ("failed", "busy", "quiet")
"""The severities of states, in the order in which they are shown."""

Cells: TypeAlias = "tuple[str, ...]"


def is_possible(stream: TextIO) -> bool:
    """Return whether a stream is a terminal on which the cursor can be moved."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def live_view(command: Printer, names: Sequence[str], *, on: bool = True) -> LiveView | None:
    """Return a table on stderr for the progress of a command, None where lines are better.

    :param names: the names of the columns, see :class:`LiveView`.
    :param on: whether the command wants one.
    """
    stderr = command.app.stderr
    shown = on and command.app.options.verbose_level == 1 and is_possible(stderr)
    return LiveView(stderr, names) if shown else None


class LiveView:
    """A table of resources, failed ones first, then busy ones, each in the order of their names.

    Below it are the numbers of those in each state. It is as high and wide as the terminal at most:
    where all do not fit, those in a state have one line, first the quiet ones, then the busy ones.

    :param names: the names of the columns: first the name, then the state, then remarks; states are
        coloured by the names.
    """

    def __init__(self, stream: TextIO, names: Sequence[str]) -> None:
        self._stream = stream
        self._names = names
        self._colours = not os.environ.get("NO_COLOR")
        self._height = 0
        self._drawn = time.monotonic()
        #: Whether a row has been set since the last drawing.
        self.is_stale = False
        self._rows: dict[str, Cells] = {}

    def put(self, key: str, cells: Cells) -> None:
        """Set the row of a resource.

        :param key: what identifies the resource.
        :param cells: the cells. A remark that begins with ``target`` tells that it is busy.
        """
        self._rows[key] = cells
        self.is_stale = True

    def remove(self, key: str) -> None:
        """Remove the row of a resource."""
        self._rows.pop(key, None)

    def draw_sometimes(self, note: str = "") -> None:
        """Draw the table unless that was done a moment ago."""
        if time.monotonic() >= self._drawn + _INTERVAL:
            self.draw(note)

    def draw(self, note: str = "") -> None:
        """Draw the table, once there is a row.

        :param note: what comes below it after the numbers.
        """
        self._drawn, self.is_stale = time.monotonic(), False
        if not self._rows and not self._height:
            return
        columns, lines = os.get_terminal_size(self._stream.fileno())
        # A line as wide as the terminal would end on the next one, and the last line stays free.
        width = (columns or 80) - 1
        numbers = textwrap.wrap(printable(self._numbers() + note), width)[:_MOST_NUMBERS]
        height = max((lines or 24) - 3 - len(numbers), 1)
        rows = self._fitting(height)
        shown = [[printable(cell) for cell in cells] for _, cells in rows[:height]]
        headings = [name.replace("_", " ").capitalize() for name in self._names]
        widths = [max(map(text_width, column)) for column in zip(headings, *shown, strict=True)]
        text = [self._line(row, widths, width) for row in [headings, *shown]]
        if hidden := sum(number for number, _ in rows[height:]):
            text.append(cut(f"... and {hidden} more", width))
        self._write([*text, *numbers])

    def erase(self) -> None:
        """Erase the table."""
        self._write([])

    def _fitting(self, height: int) -> list[tuple[int, Cells]]:
        """Return the rows, each with the number of resources that it is about.

        :param height: the number of rows that fit.
        """
        kinds: dict[str, list[tuple[Cells, str]]] = {kind: [] for kind in _KINDS}
        for cells, key in sorted((cells, key) for key, cells in self._rows.items()):
            kinds[_kind(cells)].append((cells, key))
        found: list[tuple[int, Cells]] = []
        for whole in (3, 2, 1, 0):
            found = [(1, cells) for kind in _KINDS[:whole] for cells, _ in kinds[kind]]
            for kind in _KINDS[whole:]:
                found += _alike(kinds[kind], same_remarks=kind == "failed")
            if len(found) <= height:
                break
        return found

    def _numbers(self) -> str:
        counts = Counter(cells[1] for cells in self._rows.values()).most_common()
        counts.sort(key=lambda pair: _KINDS.index(_kind(("", pair[0]))))
        return ", ".join(f"{number} {state}" for state, number in counts)

    def _write(self, text: list[str]) -> None:
        """Write lines over those of the last time.

        Each line is erased by itself: terminals such as tmux keep a copy of a screen that is
        erased as a whole.
        """
        back = f"\x1b[{self._height}F" if self._height else ""
        left = max(self._height - len(text), 0)
        lines = "".join(f"{line}{_CLEAR_LINE}\n" for line in [*text, *[""] * left])
        self._stream.write(back + lines + (f"\x1b[{left}F" if left else ""))
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


def _kind(cells: Cells) -> str:
    state = cells[1]
    if state == "refused":
        return "failed"
    busy = state == "requested" or any(cell.startswith("target ") for cell in cells[2:])
    return "busy" if busy and severity(state) == "quiet" else severity(state)


def _alike(rows: Sequence[tuple[Cells, str]], *, same_remarks: bool) -> list[tuple[int, Cells]]:
    """Return one row for all that are in the same state, with the number of these.

    :param rows: their cells and keys.
    :param same_remarks: whether they need the same remarks, too, but for their names in these.
    """
    groups: dict[tuple[str, ...], list[Cells]] = {}
    for cells, key in rows:
        remarks = [without_names(cell, "…", (key, cells[0])) for cell in cells[2:]]
        groups.setdefault((cells[1], *(remarks if same_remarks else ())), []).append(cells)
    found = []
    for (_, *remarks), group in groups.items():
        first = group[0]
        if len(group) > 1:
            columns = list(zip(*group, strict=True))[2:]
            others = [column[0] if len(set(column)) == 1 else "" for column in columns]
            first = (f"{first[0]} +{len(group) - 1}", first[1], *(remarks or others))
        found.append((len(group), first))
    return found
