"""The table that is drawn again and again on a terminal, without a terminal."""

from __future__ import annotations

import io
import os
import re

import pytest

from baremetalclient.osc.terminal.live_view import LiveView, is_possible

RED, GREEN, END, CLEAR = "\x1b[31m", "\x1b[32m", "\x1b[0m", "\x1b[K"


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
        f"Name       Provision state  Last error{CLEAR}",
        f"long-name  {RED}error          {END}  No disk at{CLEAR}",
        f"a          {GREEN}active         {END}{CLEAR}",
        f"1 error, 1 active (3 s){CLEAR}",
        "",
    ]


def shown(terminal, view, rows, note=""):
    """Return the lines that one sees at last."""
    text = drawn(terminal, view, rows, note)
    return [re.sub(r"\x1b\[\d*\w", "", line).rstrip() for line in text.split("\n")][:-1]


def test_the_next_one_is_drawn_over_it_line_by_line(terminal):
    view = LiveView(terminal, ["name", "state"])
    first = drawn(terminal, view, [["a", "x"], ["b", "x"]])
    assert not first.startswith("\x1b")
    view.remove("b")
    second = drawn(terminal, view, [])
    assert second.startswith("\x1b[4F")
    # The line that is left over is erased, and the cursor is below the shorter table again.
    assert second.endswith(f"1 x{CLEAR}\n{CLEAR}\n\x1b[1F")
    assert drawn(terminal, view, []).startswith("\x1b[3F")
    assert "\x1b[J" not in first + second


def test_failed_ones_are_first_then_busy_ones_in_the_order_of_names(terminal):
    rows = [
        *(["f", "active"], ["e", "deploying"], ["d", "deploy failed"], ["c", "clean wait"]),
        *(["b", "error"], ["a", "available"]),
    ]
    terminal.size[:] = [80, 24]
    lines = shown(terminal, LiveView(terminal, ["name", "provision_state"]), rows)
    assert [line[0] for line in lines[1:-1]] == ["b", "d", "c", "e", "a", "f"]
    assert lines[-1].startswith("1 deploy failed, 1 error, 1 deploying")


def test_what_is_on_its_way_to_another_state_is_busy(terminal):
    rows = [["a", "power off", ""], ["b", "power off", "target power on"], ["c", "requested", ""]]
    lines = shown(terminal, LiveView(terminal, ["name", "power_state", "remarks"]), rows)
    assert [line[0] for line in lines[1:-1]] == ["b", "c", "a"]


def test_quiet_ones_have_a_line_for_each_state_where_there_is_no_room(terminal):
    rows = [[f"n{number:02}", "active", "x"] for number in range(30)]
    rows += [["m1", "deploying", ""], ["m2", "deploy failed", "No disk."]]
    lines = shown(terminal, LiveView(terminal, ["name", "provision_state", "remarks"]), rows)
    assert lines[1:] == [
        "m2       deploy failed    No disk.",
        "m1       deploying",
        "n00 +29  active           x",
        "1 deploy failed, 1 deploying, 30 active",
    ]


def test_all_failures_are_shown_as_long_as_there_is_room_for_them(terminal):
    rows = [[f"b{number}", "deploying", str(number % 2)] for number in range(9)]
    rows += [[f"f{number}", "error", "No disk."] for number in range(5)]
    view = LiveView(terminal, ["name", "state", "remarks"])
    lines = shown(terminal, view, rows)
    assert [line.split()[0] for line in lines[1:-1]] == ["f0", "f1", "f2", "f3", "f4", "b0"]
    assert lines[-2].split() == ["b0", "+8", "deploying"]
    # More failures for the same reason are one line, those for another one have their own.
    lines = shown(terminal, view, [["f5", "error", "No power."], ["f6", "error", "No disk."]])
    assert [line.split(maxsplit=2)[:2] for line in lines[1:3]] == [["f0", "+5"], ["f5", "error"]]


def test_failures_that_only_differ_by_the_name_are_one_line(terminal):
    rows = [
        [f"f{number}", "refused", f"Node f{number} is locked. (Request-ID: req-{number})"]
        for number in range(9)
    ]
    lines = shown(terminal, LiveView(terminal, ["name", "state", "remarks"]), rows)
    assert lines[1:] == ["f0 +8  refused  Node … is locked.", "9 refused"]


def test_what_is_erased_leaves_the_cursor_where_the_table_began(terminal):
    view = LiveView(terminal, ["name", "state"])
    drawn(terminal, view, [["a", "active"]])
    terminal.truncate(0)
    view.erase()
    assert terminal.getvalue().lstrip("\0") == f"\x1b[3F{CLEAR}\n{CLEAR}\n{CLEAR}\n\x1b[3F"


@pytest.mark.parametrize("lines", [7, 5, 1])
def test_what_does_not_fit_is_counted(terminal, lines):
    terminal.size[1] = lines
    rows = [[f"f{number}", "error", f"Reason {number}."] for number in range(9)]
    text = shown(terminal, LiveView(terminal, ["name", "state", "remarks"]), rows)
    fits = max(lines - 4, 1)
    assert [line.split()[0] for line in text[1:-2]] == [f"f{number}" for number in range(fits)]
    assert text[-2] == f"... and {9 - fits} more"


@pytest.mark.parametrize(("columns", "width"), [(40, 39), (11, 10), (2, 1), (0, 79)])
def test_no_line_is_wider_than_the_terminal(terminal, columns, width):
    terminal.size[0] = columns
    view = LiveView(terminal, ["name", "remarks"])
    text = drawn(terminal, view, [["x" * 8, "y" * 90]], "z" * 90)
    lines = text.replace(CLEAR, "").split("\n")
    assert max(map(len, lines)) == width


def test_the_numbers_take_as_many_lines_as_they_need(terminal):
    rows = [[f"n{number}", f"state-{number}"] for number in range(6)]
    lines = shown(terminal, LiveView(terminal, ["name", "state"]), rows, " (3 s)")
    assert lines[-2:] == [
        "1 state-0, 1 state-1, 1 state-2, 1",
        "state-3, 1 state-4, 1 state-5 (3 s)",
    ]
    # The cursor stays on the terminal.
    assert len(lines) < terminal.size[1]


def test_wide_characters_take_two_columns(terminal):
    terminal.size[0] = 14
    rows = [["\u5bb6\u5bb6\u5bb6", "x"], ["ab", "y"]]
    text = drawn(terminal, LiveView(terminal, ["name", "b"]), rows)
    assert text.replace(CLEAR, "").split("\n")[1:3] == ["ab      y", "\u5bb6\u5bb6\u5bb6  x"]
    text = drawn(terminal, LiveView(terminal, ["n", "s"]), [["\u5bb6" * 9, "x"]])
    assert text.replace(CLEAR, "").split("\n")[1] == "\u5bb6" * 6


def test_text_cannot_move_the_cursor(terminal):
    view = LiveView(terminal, ["name", "state"])
    text = drawn(terminal, view, [["a\x1b[2Jb", "x"]], "c\x1b[Hd")
    assert text.count("\x1b") == text.count(CLEAR)
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
