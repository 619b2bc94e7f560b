"""What completes each command, and the values of each of its options."""

from collections import defaultdict

import pytest

from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.osc.completion import candidates
from baremetalclient.tests.unit.osc.everything import Everything, own_actions, parser_of


@pytest.fixture(autouse=True)
def server(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Everything() as made:
        monkeypatch.setenv("OS_ENDPOINT", made.url)
        yield made


def complete(line):
    """Return the candidates for a line, the first four of many, or that files are."""
    *before, current = line.split(" ")
    found = candidates.candidates(before, current)
    if found is None:
        return "files"
    return " ".join([*found[:4], *(["..."] if len(found) > 4 else [])]) or "nothing"


def test_completions_are_as_recorded(recorded, server):
    arguments, values, seen = {}, defaultdict(lambda: defaultdict(list)), set()
    for name in COMMANDS:
        arguments[name] = f"{complete(f'{name} ')} / {complete(f'{name} x ')}"
    recorded({"all commands": [one.target for one in server.all_requests]}, "requests for names")
    for name in COMMANDS:
        for action in own_actions(parser_of(name)):
            flags = [flag for flag in action.option_strings if flag.startswith("--")]
            # The same option of another command of this kind is completed in the same way.
            key = (name.split()[0], str(flags), action.nargs, str(action.choices))
            if flags and action.nargs != 0 and key not in seen:
                seen.add(key)
                values[flags[0]][complete(f"{name} {flags[0]} ")].append(name)
    recorded(arguments, "of the first and the second argument")
    found = {}
    for flag, by_result in values.items():
        usual = max(by_result, key=lambda result: len(by_result[result]))
        for result, names in by_result.items():
            keys = [flag] if result == usual else [f"{name} {flag}" for name in names]
            found |= dict.fromkeys(keys, result)
    recorded(found, "of values")


def test_options_complete_to_those_of_the_command():
    problems = []
    for name in COMMANDS:
        known = {flag for action in parser_of(name)._actions for flag in action.option_strings}
        offered = candidates.candidates([*name.split(), ""][:-1], "--")
        if "--help" not in offered or not set(offered) <= known:
            problems.append(name)
    assert problems == []
