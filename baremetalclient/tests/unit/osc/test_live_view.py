"""The table that is drawn again and again on a terminal, without a terminal."""

from __future__ import annotations

import io
import os

import pytest

from baremetalclient.osc.live_view import LiveView, is_possible

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


def drawn(terminal, view, rows, note=""):
    terminal.seek(0)
    terminal.truncate()
    for row in rows:
        view.put(row[0], tuple(row))
    view.draw(note)
    return terminal.getvalue()


def test_cells_are_aligned_and_states_have_colours(terminal):
    view = LiveView(terminal, ["name", "provision_state", "last_error"])
    rows = [["long-name", "error", "No  disk\nat all"], ["a", "active", ""]]
    assert drawn(terminal, view, rows, " (3 s)").split("\n") == [
        "\x1b[JName       Provision state  Last error",
        f"a          {GREEN}active         {END}",
        f"long-name  {RED}error          {END}  No disk at",
        "1 error, 1 active (3 s)",
        "",
    ]


def test_the_next_one_is_drawn_over_it(terminal):
    view = LiveView(terminal, ["name", "state"])
    assert drawn(terminal, view, [["a", "x"], ["b", "x"]]).startswith("\x1b[J")
    view.remove("b")
    assert drawn(terminal, view, []).startswith("\x1b[4F\x1b[J")
    assert drawn(terminal, view, []).startswith("\x1b[3F\x1b[J")


@pytest.mark.parametrize(
    ("lines", "number", "shown"),
    [(10, 6, 6), (10, 7, 6), (5, 2, 1), (4, 1, 1), (1, 2, 1), (0, 20, 20), (0, 21, 20)],
)
def test_rows_that_do_not_fit_are_counted(terminal, lines, number, shown):
    terminal.size[1] = lines
    rows = [[f"n{at:02}", "x"] for at in range(number)]
    text = drawn(terminal, LiveView(terminal, ["name", "state"]), rows)
    names = [line.split()[0] for line in text.split("\n") if line.startswith("n")]
    assert names == [row[0] for row in rows[:shown]]
    assert (f"... and {number - shown} more\n" in text) == (number > shown)


def test_what_has_changed_last_is_shown_in_the_order_of_names(terminal):
    terminal.size[1] = 6
    view = LiveView(terminal, ["name", "state"])
    drawn(terminal, view, [["c", "x"], ["b", "x"], ["a", "x"]])
    text = drawn(terminal, view, [["c", "y"], ["b", "x"]])
    assert [line.split() for line in text.split("\n")[1:3]] == [["a", "x"], ["c", "y"]]


@pytest.mark.parametrize(("columns", "width"), [(40, 39), (11, 10), (2, 1), (0, 79)])
def test_no_line_is_wider_than_the_terminal(terminal, columns, width):
    terminal.size[0] = columns
    view = LiveView(terminal, ["name", "remarks"])
    text = drawn(terminal, view, [["x" * 8, "y" * 90]], "z" * 90)
    lines = text.removeprefix("\x1b[J").split("\n")
    assert max(map(len, lines)) == width
    assert lines[2] == ("1 " + "y" * 90)[:width]


def test_wide_characters_take_two_columns(terminal):
    terminal.size[0] = 14
    rows = [["\u5bb6\u5bb6\u5bb6", "x"], ["ab", "y"]]
    text = drawn(terminal, LiveView(terminal, ["name", "b"]), rows)
    assert text.split("\n")[1:3] == ["ab      y", "\u5bb6\u5bb6\u5bb6  x"]
    text = drawn(terminal, LiveView(terminal, ["n", "s"]), [["\u5bb6" * 9, "x"]])
    assert text.split("\n")[1] == "\u5bb6" * 6


def test_text_cannot_move_the_cursor(terminal):
    view = LiveView(terminal, ["name", "state"])
    text = drawn(terminal, view, [["a\x1b[2Jb", "x"]], "c\x1b[Hd")
    assert text.count("\x1b") == 1
    assert "a\\x1b[2Jb" in text
    assert "c\\x1b[Hd" in text


def test_colours_can_be_switched_off(terminal, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    view = LiveView(terminal, ["name", "provision_state"])
    assert GREEN not in drawn(terminal, view, [["a", "active"]])


@pytest.mark.parametrize(("term", "possible"), [("xterm", True), ("dumb", False), (None, False)])
def test_where_it_is_possible(terminal, monkeypatch, term, possible):
    monkeypatch.delenv("TERM")
    if term:
        monkeypatch.setenv("TERM", term)
    assert is_possible(terminal) is possible
    assert not is_possible(io.StringIO())
