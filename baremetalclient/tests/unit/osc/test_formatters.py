import argparse
import io
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baremetalclient.osc.formatters import list_formatters, show_formatters

ESCAPES = "\x1b]0;owned\x07\x9b31m"


def emitted(name, columns, rows, *words):
    formatter = list_formatters()[name].obj
    parser = argparse.ArgumentParser()
    formatter.add_argument_group(parser)
    out = io.StringIO()
    formatter.emit_list(columns, rows, out, parser.parse_args(list(words)))
    return out.getvalue()


def emitted_one(name, columns, values, *words):
    formatter = show_formatters()[name].obj
    parser = argparse.ArgumentParser()
    formatter.add_argument_group(parser)
    out = io.StringIO()
    formatter.emit_one(columns, values, out, parser.parse_args(list(words)))
    return out.getvalue()


def test_tables_hold_json():
    table = emitted("table", ["a", "b", "c"], [[{"n": 1}, ["A", "ü"], None]])
    assert '| {"n": 1} | ["A", "ü"] | None |' in table


def test_a_table_of_nothing_is_nothing():
    assert emitted("table", ["a"], []) == ""
    assert "| a |" in emitted("table", ["a"], [], "--print-empty")


@pytest.mark.parametrize("name", list_formatters().names())
def test_control_characters_do_not_reach_the_terminal(name):
    text = emitted(name, ["a"], [[ESCAPES], [{"k": ESCAPES}], [f"\ud800{ESCAPES}"]])
    text += emitted_one(name, ["a"], [ESCAPES]) if name in show_formatters() else ""
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert "\x07" not in text
    text.encode("utf-8")


def test_structures_stay_structures():
    assert emitted("json", ["a"], [[{"b": [1]}]], "--noindent") == '[{"a": {"b": [1]}}]\n'
    assert emitted_one("yaml", ["a"], [{"b": [1]}]) == "a:\n  b:\n  - 1\n"


def test_scripts_read_what_they_always_read():
    assert emitted("value", ["a", "b"], [[None, {"n": 1}]]) == "None {'n': 1}\n"
    assert emitted("csv", ["a", "b"], [[None, "x,y"]]) == '"a","b"\n"","x,y"\n'


def test_lists_for_a_shell():
    text = emitted("shell", ["a b", "c-d"], [["x", 1], ["y\nz", None]], "--prefix", "p_")
    assert text == 'p_a_b="x" p_c_d="1"\np_a_b="y\\nz" p_c_d="None"\n'


@settings(max_examples=30, deadline=None)
@given(
    st.text(
        st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Cn"]),
        max_size=40,
    )
)
def test_a_shell_evaluates_to_the_value_and_runs_nothing(value):
    text = emitted_one("shell", ["x"], [value])
    script = f'{text}printf %s "$x"'
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    assert done.stdout.decode() == value
    assert done.stderr == b""
