"""Tables that fit the width of a terminal, with colours for states."""

from __future__ import annotations

import os
import re
import textwrap
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TextIO

from baremetalclient._resource.arguments import UUID

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_UUID = re.compile(rf"([\[({{\"']*{UUID})")
"""A UUID with the brackets and quotes before it."""
_PART = re.compile(r"[^\s_./,-]*[_./,-]|[^\s_./,-]+|\s")
"""A part of a text other than a UUID; texts are folded between parts."""
_WORD = re.compile(r"\S+|\s")
_SHORTEST = 8
"""The length to which UUIDs are shortened at most."""
_MAX_UNBROKEN = 12
"""The length up to which words are never broken."""

_RED, _GREEN, _YELLOW = "\x1b[31m", "\x1b[32m", "\x1b[33m"
_RESET = "\x1b[0m"
_STATES = {"power_state", "provision_state", "state", "status"}


def text_width(text: str) -> int:
    """Return the number of columns that a text takes; control characters take none."""
    if text.isascii():
        return len(text)
    # Most output does without this module, whose import takes as long as a small request.
    from wcwidth import wcwidth

    return sum(max(wcwidth(character), 0) for character in text)


def cut(text: str, columns: int) -> str:
    """Return the beginning of a text that fits a number of columns."""
    text = text[: 2 * columns]
    while text_width(text) > columns:
        text = text[:-1]
    return text


class _Layout(NamedTuple):
    widths: list[int]
    padding: int
    whole_uuids: bool = True


def list_table(
    names: Sequence[str],
    rows: Sequence[Sequence[Any]],
    width: int,
    *,
    colours: bool,
    whole_uuids: bool = True,
    droppable: Collection[int] | None = None,
) -> str:
    """Return a table with a row for each item, or a table for each item if it is not wide enough.

    :param colours: whether states are coloured.
    :param whole_uuids: whether UUIDs stay in one piece on a terminal that is narrower.
    :param droppable: the numbers of the columns without values, which may be left out so that each
        row fits in a line; the table says so. None if all columns are to be printed as they are.
        Where leaving them out is not enough, UUIDs are shortened to what is unique.
    """
    texts = [[str(cell).expandtabs() for cell in row] for row in rows]
    layout, note = None, ""
    if droppable is not None:
        layout = _one_line(names, texts, width)
    if droppable is not None and layout is None:
        note = _left_out([names[number] for number in droppable], width)
        kept = [number for number in range(len(names)) if number not in droppable]
        names = [names[number] for number in kept]
        rows = [[row[number] for number in kept] for row in rows]
        texts = [[row[number] for number in kept] for row in texts]
        layout = _one_line(names, texts, width)
        if layout is None:
            shortened = list(zip(*map(_shortened, zip(*texts, strict=True)), strict=True))
            layout = _one_line(names, shortened, width)
            texts = texts if layout is None else list(map(list, shortened))
    layout = layout or _layout(names, texts, width)
    if layout is None:
        tables = (
            one_table(names, row, width, colours=colours, whole_uuids=whole_uuids) for row in rows
        )
        return "".join([*tables, note])
    codes = [
        [colour(name, cell) if colours else "" for name, cell in zip(names, row, strict=True)]
        for row in rows
    ]
    right = [isinstance(cell, int | float) and not isinstance(cell, bool) for cell in rows[0]]
    return _rendered(names, texts, codes, right, layout) + note


def _left_out(names: Sequence[str], width: int) -> str:
    """Return what tells that columns are left out, empty if there are none."""
    if not names:
        return ""
    told = f"Empty, and left out: {', '.join(names)}. '-c COLUMN' shows a column."
    return textwrap.fill(told, max(width - 1, 1), break_on_hyphens=False) + "\n"


def one_table(
    names: Sequence[str],
    values: Sequence[Any],
    width: int,
    *,
    colours: bool,
    whole_uuids: bool = True,
) -> str:
    """Return a table with a row for each field.

    :param colours: whether states are coloured.
    :param whole_uuids: whether UUIDs stay in one piece on a terminal that is narrower.
    """
    headings = ("Field", "Value")
    pairs = list(zip(names, values, strict=True))
    texts = [[name, str(value).expandtabs()] for name, value in pairs]
    layout = _layout(headings, texts, width)
    if layout is None:
        room = max(width - 3, 2)
        wide = min(_MAX_UNBROKEN, room // 2)
        wanted = [_MAX_UNBROKEN, _MAX_UNBROKEN] if whole_uuids else [wide, room - wide]
        layout = _Layout(wanted, 0, whole_uuids)
    codes = [["", colour(name, value) if colours else ""] for name, value in pairs]
    return _rendered(headings, texts, codes, [False, False], layout)


def _one_line(names: Sequence[str], texts: Sequence[Sequence[str]], width: int) -> _Layout | None:
    """Return the widths of columns in which no cell is folded; headings may be."""
    cells = [
        max(text_width(line) for text in column for line in text.split("\n"))
        for column in zip(*texts, strict=True)
    ]
    for of_heading, padding in ((text_width, 1), (_longest_part, 1), (_longest_part, 0)):
        widths = [max(of_heading(name), cell) for name, cell in zip(names, cells, strict=True)]
        if sum(widths) <= width - 1 - len(names) * (1 + 2 * padding):
            return _Layout(widths, padding)
    return None


def _shortened(column: Sequence[str]) -> list[str]:
    """Return a column with its UUIDs shortened to what is unique among them."""
    uuids = {text for text in column if _UUID.fullmatch(text)}
    length = _SHORTEST
    while len({text[:length] for text in uuids}) < len(uuids):
        length += 1
    return [f"{text[:length]}…" if text in uuids else text for text in column]


def _layout(names: Sequence[str], texts: Sequence[Sequence[str]], width: int) -> _Layout | None:
    """Return the widths of the columns; None if UUIDs or words would have to be broken.

    If folding is not enough, the table does without padding, then headings are broken, then long
    words.
    """
    columns = list(zip(*texts, strict=True))
    headings = [_longest_part(name) for name in names]
    words = [max(map(_longest_part, column)) for column in columns]
    both = [max(pair) for pair in zip(headings, words, strict=True)]
    broken = [
        max(min(longest, _MAX_UNBROKEN), max(map(_longest_uuid, column)))
        for longest, column in zip(words, columns, strict=True)
    ]
    whole = [
        max(text_width(line) for text in (name, *column) for line in text.split("\n"))
        for name, column in zip(names, columns, strict=True)
    ]
    for wanted, minima, padding in (
        (whole, both, 1),
        (whole, both, 0),
        (both, words, 0),
        (both, broken, 0),
    ):
        available = width - 1 - len(names) * (1 + 2 * padding)
        if sum(minima) <= available:
            return _Layout(_shrunk(wanted, minima, available), padding)
    return None


def _shrunk(wanted: Sequence[int], minima: Sequence[int], available: int) -> list[int]:
    """Return widths that fit: the widest columns are shrunk first, none below its minimum."""
    widths = list(map(max, wanted, minima))
    places = range(len(widths) - 1, -1, -1)
    while sum(widths) > available:
        shrinkable = [place for place in places if widths[place] > minima[place]]
        widths[max(shrinkable, key=widths.__getitem__)] -= 1
    return widths


def _rendered(
    names: Sequence[str],
    texts: Sequence[Sequence[str]],
    codes: Sequence[Sequence[str]],
    right: Sequence[bool],
    layout: _Layout,
) -> str:
    border = "+".join(["", *("-" * (width + 2 * layout.padding) for width in layout.widths), ""])
    plain = [""] * len(names)
    lines = [border, *_lines(names, plain, right, layout), border]
    for row, colours in zip(texts, codes, strict=True):
        lines += _lines(row, colours, right, layout)
    return "\n".join([*lines, border, ""])


def _lines(
    cells: Sequence[str], codes: Sequence[str], right: Sequence[bool], layout: _Layout
) -> Iterator[str]:
    """Yield the lines of one row."""
    pad = " " * layout.padding
    folded = [
        _folded(text, width, whole_uuids=layout.whole_uuids)
        for text, width in zip(cells, layout.widths, strict=True)
    ]
    for pieces in zip_longest(*folded, fillvalue=""):
        columns = zip(pieces, codes, right, layout.widths, strict=True)
        yield (
            "".join(
                f"|{pad}{_justified(text, code, to_right, width)}{pad}"
                for text, code, to_right, width in columns
            )
            + "|"
        )


def _justified(text: str, code: str, to_right: bool, width: int) -> str:
    space = " " * (width - text_width(text))
    shown = f"{code}{text}{_RESET}" if code and text else text
    return space + shown if to_right else shown + space


def _folded(text: str, width: int, *, whole_uuids: bool) -> list[str]:
    """Return the lines of a text, none wider than a width unless a UUID is to stay whole."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for part in _pieces(paragraph, width):
            if line and text_width(line + part.rstrip()) > width:
                lines.append(line.rstrip())
                line = ""
            if not line and part.isspace() and lines:
                continue
            if text_width(part) > width and not (whole_uuids and _UUID.fullmatch(part)):
                *broken, part = _broken(part, width)
                lines += broken
            line += part
        lines.append(line.rstrip())
    return lines


def _broken(text: str, width: int) -> Iterator[str]:
    """Yield the pieces of a text without a place to fold it, none wider than a width."""
    start = taken = 0
    for place, character in enumerate(text):
        columns = text_width(character)
        if taken + columns > width and place > start:
            yield text[start:place]
            start, taken = place, 0
        taken += columns
    yield text[start:]


def _pieces(text: str, width: int) -> Iterator[str]:
    """Yield the words of a text and the space between them; the parts of words that do not fit."""
    for word in _WORD.findall(text):
        yield from [word] if text_width(word) <= width else _parts(word)


def _parts(text: str) -> list[str]:
    """Return the parts of a text that are not folded if there is enough room."""
    pieces = _UUID.split(text)
    return [
        part
        for number, piece in enumerate(pieces)
        for part in ([piece] if number % 2 else _PART.findall(piece))
    ]


def _longest_part(text: str) -> int:
    return max(map(text_width, _parts(text)), default=0)


def _longest_uuid(text: str) -> int:
    return max(map(len, _UUID.findall(text)), default=0)


def takes_colours(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that shows colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return stream.isatty() and not plain


def colour(name: str, value: Any) -> str:
    """Return the code of the colour of a field's value, empty for none."""
    if name == "maintenance":
        return _YELLOW if value is True else ""
    if name not in _STATES or not isinstance(value, str):
        return ""
    kind = severity(value)
    if kind == "quiet":
        return _GREEN if value.lower() in ("active", "power on") else ""
    return _RED if kind == "failed" else _YELLOW


def severity(state: str) -> Literal["failed", "busy", "quiet"]:
    """Return whether a state is one of failure, of being busy or waiting, or another one."""
    lower = state.lower()
    if "fail" in lower or lower == "error":
        return "failed"
    return "busy" if lower.endswith(("ing", " wait", " hold")) else "quiet"
