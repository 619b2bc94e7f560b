"""What completes each command, and the values of each of its options."""

import os
from pathlib import Path

import pytest

from baremetalclient.osc import completion
from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.test_recorded_commands import CLIFF, parser_of
from baremetalclient.tests.unit.osc.test_recorded_requests import Everything
from baremetalclient.tests.unit.recorded import check

RECORD = Path(__file__).with_name("completions.json")


@pytest.fixture(scope="module")
def server():
    with Everything() as made:
        yield made


@pytest.fixture(autouse=True)
def environment(monkeypatch, tmp_path_factory, server):
    for variable in [name for name in os.environ if name.startswith("OS_")]:
        monkeypatch.delenv(variable)
    folder = tmp_path_factory.getbasetemp() / "completions"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setenv("OS_ENDPOINT", server.url)


def complete(line):
    """Return the candidates for a line, ``many``, or None for files."""
    *before, current = line.split(" ")
    found = completion.candidates(before, current)
    return found if found is None or len(found) < 100 else "many"


@pytest.mark.parametrize("name", COMMANDS)
def test_completions_are_as_recorded(request, name):
    lines = [f"{name} ", f"{name} x ", f"{name} --"]
    for group in parser_of(name)._action_groups:
        if group.title not in CLIFF:
            for action in group._group_actions:
                flags = [flag for flag in action.option_strings if flag.startswith("--")]
                if flags and action.nargs != 0:
                    lines.append(f"{name} {flags[0]} ")
    check(request, RECORD, name, {line: complete(line) for line in lines})


def test_requests_for_names_are_as_recorded(request, server, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    server.all_requests.clear()
    for name in COMMANDS:
        complete(f"{name} ")
        complete(f"{name} x ")
    check(request, RECORD, "(requests)", {"": [one.target for one in server.all_requests]})
