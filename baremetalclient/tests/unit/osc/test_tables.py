from __future__ import annotations

import io
import json
import re

import pytest

from baremetalclient import shell
from baremetalclient.osc.tables import list_table, one_table
from baremetalclient.tests.unit.osc.terminal import run_on_terminal
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
    _, text = printed(items=nodes(instance=instance), columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    assert text.count(UUID) == 4
    assert text.count(OTHER) == (4 if instance else 0)
    cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
    column = [row[5] for row in cells if len(row) == 8]
    words = re.findall(r"\w+", " ".join(STATES))
    assert [word for word in words if not any(word in cell for cell in column)] == []


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


def test_headings_are_folded_at_underscores():
    table = list_table(["power_state", "provision_state"], [["on", "x"]], 23, colours=False)
    assert table.splitlines()[1:3] == ["| power_ | provision_ |", "| state  | state      |"]


def test_numbers_are_aligned_as_without_a_limit():
    table = list_table(["name", "boot_index"], [["a b", 1], ["c", 10]], 20, colours=False)
    assert table.splitlines()[4:-1] == ["| a b  |         1 |", "| c    |        10 |"]


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
