"""The table that is drawn again and again on a terminal, without a terminal."""

from __future__ import annotations

import io
import os

import pytest

from baremetalclient.osc.live_table import LiveTable, is_possible

RED, GREEN, END = "\x1b[31m", "\x1b[32m", "\x1b[0m"


class Terminal(io.StringIO):
    """A terminal of some size."""

    def isatty(self):
        return True

    def fileno(self):
        return 0


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    size = [40, 10]
    monkeypatch.setattr(os, "get_terminal_size", lambda _: size)
    made = Terminal()
    made.size = size
    return made


def drawn(terminal, table, rows, last_line="end"):
    terminal.seek(0)
    terminal.truncate()
    table.draw(rows, last_line)
    return terminal.getvalue()


def test_cells_are_aligned_and_states_have_colours(terminal):
    table = LiveTable(terminal, ["name", "provision_state", "last_error"])
    rows = [["a", "active", ""], ["long-name", "error", "No  disk\nat all"]]
    assert drawn(terminal, table, rows).split("\n") == [
        "\x1b[JName       Provision state  Last error",
        f"a          {GREEN}active         {END}",
        f"long-name  {RED}error          {END}  No disk at",
        "end",
        "",
    ]


def test_the_next_one_is_drawn_over_it(terminal):
    table = LiveTable(terminal, ["name"])
    assert drawn(terminal, table, [["a"], ["b"]]).startswith("\x1b[J")
    assert drawn(terminal, table, [["a"]]).startswith("\x1b[4F\x1b[J")
    assert drawn(terminal, table, [["a"]]).startswith("\x1b[3F\x1b[J")


@pytest.mark.parametrize(
    ("lines", "number", "shown"),
    [(10, 6, 6), (10, 7, 6), (5, 2, 1), (4, 1, 1), (1, 2, 1), (0, 20, 20), (0, 21, 20)],
)
def test_rows_that_do_not_fit_are_counted(terminal, lines, number, shown):
    terminal.size[1] = lines
    text = drawn(terminal, LiveTable(terminal, ["name"]), [[f"n{at}"] for at in range(number)])
    names = [line for line in text.split("\n") if line.startswith("n")]
    assert names == [f"n{at}" for at in range(shown)]
    assert (f"... and {number - shown} more\n" in text) == (number > shown)


@pytest.mark.parametrize(("columns", "width"), [(40, 39), (11, 10), (2, 1), (0, 79)])
def test_no_line_is_wider_than_the_terminal(terminal, columns, width):
    terminal.size[0] = columns
    table = LiveTable(terminal, ["name", "remarks"])
    text = drawn(terminal, table, [["x" * 8, "y" * 90]], "z" * 90)
    lines = text.removeprefix("\x1b[J").split("\n")
    assert max(map(len, lines)) == width
    assert lines[2] == "z" * width


def test_wide_characters_take_two_columns(terminal):
    terminal.size[0] = 14
    text = drawn(
        terminal, LiveTable(terminal, ["name", "b"]), [["\u5bb6\u5bb6\u5bb6", "x"], ["ab", "y"]]
    )
    assert text.split("\n")[1:3] == ["\u5bb6\u5bb6\u5bb6  x", "ab      y"]
    text = drawn(terminal, LiveTable(terminal, ["n"]), [["\u5bb6" * 9]])
    assert text.split("\n")[1] == "\u5bb6" * 6


def test_text_cannot_move_the_cursor(terminal):
    text = drawn(terminal, LiveTable(terminal, ["name"]), [["a\x1b[2Jb"]], "c\x1b[Hd")
    assert text.count("\x1b") == 1
    assert "a\\x1b[2Jb\nc\\x1b[Hd" in text


def test_colours_can_be_switched_off(terminal, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert GREEN not in drawn(terminal, LiveTable(terminal, ["provision_state"]), [["active"]])


@pytest.mark.parametrize(("term", "possible"), [("xterm", True), ("dumb", False), (None, False)])
def test_where_it_is_possible(terminal, monkeypatch, term, possible):
    monkeypatch.delenv("TERM")
    if term:
        monkeypatch.setenv("TERM", term)
    assert is_possible(terminal) is possible
    assert not is_possible(io.StringIO())
