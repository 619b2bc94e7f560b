"""How results are printed: tables that fit, and formats for programs."""

from __future__ import annotations

import argparse
import io
import json
import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import shell
from baremetalclient.osc.terminal.formatters import list_formatters, show_formatters
from baremetalclient.osc.terminal.tables import list_table, one_table, text_width
from baremetalclient.tests.unit.osc.pseudo_terminal import run_on_terminal
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer

UUID = "1be26c0b-03f2-4d2e-ae87-c02d7f33c781"
OTHER = "9bf93e01-d728-47a3-ad4b-5e66a835037c"
NAMES = ["rack-12-row-3.compute.example.com", "averyveryverylongnamewithoutanyseparator", "n", None]
STATES = ["active", "clean failed", "wait call-back", "available"]


def nodes(*, instance=None):
    return [
        {
            "uuid": UUID,
            "name": name,
            "instance_uuid": instance,
            "power_state": "power on",
            "provision_state": state,
            "maintenance": name is None,
        }
        for name, state in zip(NAMES, STATES, strict=True)
    ]


def printed(*words, items=(), columns=80, **env):
    """Return what `node list` prints on a terminal, with and without codes for colours."""
    with ScriptedServer(Reply({"nodes": list(items)})) as server:
        argv = ("--os-endpoint", server.url, "node", "list", *words)
        code, text = run_on_terminal(*argv, columns=columns, **env)
    assert code == 0, text
    return text, re.sub(r"\x1b\[[0-9]*m", "", text)


@pytest.mark.parametrize(("columns", "instance"), [(80, None), (132, OTHER)])
def test_a_list_fits_the_terminal_and_breaks_no_uuid_and_no_word(columns, instance):
    names = ("uuid", "name", "instance_uuid", "power_state", "provision_state", "maintenance")
    words = [word for name in names for word in ("-c", name)]
    _, text = printed(*words, items=nodes(instance=instance), columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    assert text.count(UUID) == 4
    assert text.count(OTHER) == (4 if instance else 0)
    cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
    column = [row[5] for row in cells if len(row) == 8]
    words = re.findall(r"\w+", " ".join(STATES))
    assert [word for word in words if not any(word in cell for cell in column)] == []


def hosts(**fields):
    """Return nodes with long names, whose UUIDs differ in their ninth digit."""
    return [
        {
            "uuid": f"1be26c0b-{number}3f2-4d2e-ae87-c02d7f33c781",
            "name": f"rack1-compute-{number:04d}.dc1.ex.or",
            "instance_uuid": None,
            "power_state": "power off",
            "provision_state": "available",
            "maintenance": False,
            **fields,
        }
        for number in range(3)
    ]


def test_a_node_is_one_line_without_empty_columns_and_with_short_uuids():
    _, text = printed(items=hosts())
    *lines, note = text.splitlines()
    assert note == "Empty, and left out: instance_uuid. '-c COLUMN' shows a column."
    assert "instance" not in "".join(lines)
    assert [line for line in lines if "compute" in line][1] == (
        "|1be26c0b-1…|rack1-compute-0001.dc1.ex.or|power off|available |False      |"
    )
    assert len(lines) == 8  # the heading has two


def test_uuids_stay_whole_where_leaving_out_empty_columns_is_enough():
    _, text = printed(items=hosts(), columns=100)
    assert text.count("-4d2e-ae87-c02d7f33c781") == 3
    assert text.count("instance_uuid") == 1
    assert "\nEmpty, and left out: instance_uuid." in text


def test_a_wide_terminal_has_all_columns():
    _, text = printed(items=hosts(), columns=160)
    assert "instance_uuid" in text
    assert "left out" not in text


@pytest.mark.parametrize("words", [["-c", "uuid", "-c", "instance_uuid"], ["--fields", "uuid"]])
def test_columns_that_were_asked_for_are_whole(words):
    _, text = printed(*words, items=hosts(), columns=60)
    assert "…" not in text
    assert ("instance_uuid" in text) == ("-c" in words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "No nodes found.\n"),
        (["--provision-state", "active"], "No nodes match provision_state=active.\n"),
        (["--select", "state=active,owner=me"], "No nodes match 'state=active,owner=me'.\n"),
    ],
)
def test_an_empty_list_is_said_on_stderr(run, words, told):
    done = run("node", "list", *words, script=(Reply({"nodes": []}),))
    assert (done.code, done.err) == (0, told)
    assert done.out.strip() == ""


def test_a_pipe_has_tables_of_any_width_without_colours(run):
    lines = run("node", "list", script=(Reply({"nodes": nodes()}),)).out.splitlines()
    assert len(lines) == 8
    assert "\x1b" not in lines[3]
    assert len(lines[0]) > 130


@pytest.mark.parametrize("how", ["option", "variable", "fit", "fit-variable"])
def test_the_width_can_be_given_for_a_pipe(run, monkeypatch, how):
    variables = {
        "variable": {"CLIFF_MAX_TERM_WIDTH": "100"},
        "fit": {"COLUMNS": "100"},
        "fit-variable": {"COLUMNS": "100", "CLIFF_FIT_WIDTH": "1"},
    }
    for name, value in variables.get(how, {}).items():
        monkeypatch.setenv(name, value)
    options = {"option": ["--max-width", "100"], "fit": ["--fit-width"]}.get(how, [])
    lines = run("node", "list", *options, script=(Reply({"nodes": nodes()}),)).out.splitlines()
    assert len(lines) > 8
    assert max(map(len, lines)) <= 100


def test_states_are_coloured_on_a_terminal_and_the_table_is_that_of_a_pipe(run):
    text, plain = printed(items=nodes(), columns=200)
    assert plain == run("node", "list", script=(Reply({"nodes": nodes()}),)).out
    assert "\x1b[32mactive\x1b[0m" in text
    assert "\x1b[31mclean failed\x1b[0m" in text
    assert "\x1b[33mTrue\x1b[0m" in text
    assert "m1be26c0b" not in text


@pytest.mark.parametrize(
    ("words", "env"), [((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"}), (("-f", "csv"), {})]
)
def test_there_are_no_colours_if_they_are_not_wanted(words, env):
    text, plain = printed(*words, items=nodes(), columns=200, **env)
    assert text == plain
    assert "clean failed" in text


def test_the_widest_column_is_folded_first():
    table = list_table(["a", "b"], [["one two", "three four five six seven"]], 26, colours=False)
    assert table.splitlines()[3:-1] == [
        "| one two | three four   |",
        "|         | five six     |",
        "|         | seven        |",
    ]


def test_a_word_that_fits_is_not_broken_at_its_punctuation():
    table = list_table(["problem"], [["The one at https://192.0.2.1 is off."]], 26, colours=False)
    assert "| https://192.0.2.1 is   |" in table


def test_headings_are_folded_at_underscores():
    table = list_table(["power_state", "provision_state"], [["on", "x"]], 23, colours=False)
    assert table.splitlines()[1:3] == ["| power_ | provision_ |", "| state  | state      |"]


def test_numbers_are_aligned_as_without_a_limit():
    table = list_table(["name", "boot_index"], [["a b", 1], ["c", 10]], 20, colours=False)
    assert table.splitlines()[4:-1] == ["| a b  |         1 |", "| c    |        10 |"]


def test_combining_characters_take_no_column():
    table = list_table(["name"], [["e\u0301clair"], ["\u200bnode"]], 30, colours=False)
    assert {text_width(line) for line in table.splitlines()} == {10}


def test_wide_characters_take_two_columns():
    table = list_table(["name"], [["名前 名前"]], 9, colours=False)
    assert table.splitlines()[3:-1] == ["| 名前  |", "| 名前  |"]


def test_values_of_one_resource_are_folded_but_not_uuids():
    values = [UUID, f'["{UUID}", "{OTHER}"]', "some words of text to fold at the spaces between"]
    table = one_table(["uuid", "traits", "description"], values, 60, colours=False)
    lines = table.splitlines()
    assert max(map(len, lines)) <= 60
    assert (table.count(UUID), table.count(OTHER)) == (2, 1)
    assert f'"{OTHER}"]' in table


@pytest.mark.parametrize("width", [1, 10, 30])
def test_a_terminal_that_is_too_narrow_still_gets_everything(width):
    table = list_table(["uuid", "name"], [[UUID, "node"]], width, colours=True)
    assert UUID in table
    assert "node" in table


@pytest.mark.parametrize("width", [5, 10, 29, 30, 38, 60, 100])
@pytest.mark.parametrize("words", [["node", "list"], ["node", "show", UUID]], ids=" ".join)
def test_no_line_is_wider_than_what_was_asked_for(run, words, width):
    reply = Reply({"nodes": nodes()}) if words[1] == "list" else Reply(nodes()[0])
    done = run(*words, "--max-width", str(width), script=(reply,))
    assert max(map(len, done.out.splitlines())) <= width


def test_programs_may_take_the_output_into_a_stream_of_their_own(monkeypatch):
    monkeypatch.setattr("sys.stdout", out := io.StringIO())
    with ScriptedServer(Reply({"nodes": nodes()})) as server:
        assert shell.main(["--os-endpoint", server.url, "node", "list", "-f", "json"]) == 0
    assert [node["name"] for node in json.loads(out.getvalue())] == NAMES


def test_a_long_text_of_wide_characters_is_broken_to_the_width():
    text = "漢" * 80_000
    lines = list_table(["name"], [[text]], 80, colours=False).splitlines()[3:-1]
    assert "".join(line.strip("| ") for line in lines) == text
    assert all(2 * len(line.strip("| ")) <= 78 for line in lines)


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
