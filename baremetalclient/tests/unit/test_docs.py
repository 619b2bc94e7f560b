"""Nothing that users can reach may go undocumented."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from cliff import sphinxext

from baremetalclient import exc
from baremetalclient.tests import calls
from baremetalclient.v1.resources import RESOURCES

REFERENCE = Path(__file__).parents[3] / "doc" / "source" / "reference"
COMMANDS = {
    entry.name.replace("_", " "): entry for entry in entry_points(group="openstack.baremetal.v1")
}


def test_each_command_is_in_the_reference_once():
    pages = [path.read_text() for path in (REFERENCE / "commands").glob("*.rst")]
    listed = "".join(text.partition(".. commands::\n")[2] for text in pages)
    patterns = [f"baremetal {one}" for one in re.findall(r"^   (.+)$", listed, re.MULTILINE)]
    found = {name: [one for one in patterns if fnmatch(name, one)] for name in COMMANDS}
    assert {name: places for name, places in found.items() if len(places) != 1} == {}


def test_commands_say_what_they_do_and_their_pages_show_it():
    problems = []
    for name, entry in COMMANDS.items():
        command = entry.load()(None, None)
        parser = command.get_parser(name)
        silent = [action.dest for action in parser._actions if not action.help]
        generated = "\n".join(sphinxext._format_parser(parser))
        hidden = [word for word in ("==SUPPRESS==", "HW_CPU_X86_AESNI") if word in generated]
        if silent or hidden or not command.get_description():
            problems.append((name, silent, hidden))
    assert problems == []


@pytest.mark.parametrize(
    ("command", "option", "elsewhere"),
    [
        ("node list", "--format {csv,json,shell,table,value,yaml}", "output-options"),
        ("node deploy", "--format {json}", "fleet-options"),
        ("lab graph", "--format {dot,mermaid}", None),
        ("chassis delete", "--parallel <number>", None),
    ],
)
def test_an_option_of_its_own_is_not_taken_for_the_shared_one(
    monkeypatch, command, option, elsewhere
):
    monkeypatch.syspath_prepend(str(REFERENCE.parent / "_ext"))
    text = "\n".join(import_module("command_pages")._lines(command))
    assert (option in text) == (elsewhere is None)
    assert elsewhere is None or f"<{elsewhere}>" in text


def test_managers_are_in_the_reference():
    pages = {path.stem: path.read_text() for path in (REFERENCE / "sdk").glob("*.rst")}
    assert ".. automodule:: baremetalclient.v1.node\n" in pages["node"]
    others = [name for name in RESOURCES if name != "node"]
    assert [one for one in others if f".. resource:: {one}\n" not in pages.get(one, "")] == []
    assert [one for one in RESOURCES if f"   {one}\n" not in pages["index"]] == []


def test_the_tree_of_exceptions_shows_each_that_is_no_mere_status():
    drawn = set(re.findall(r"\b[A-Z]\w+", exc.__doc__ or ""))
    statuses = {exc.for_status(status) for status in range(300, 600)}
    defined = {
        value.__name__
        for value in vars(exc).values()
        if isinstance(value, type)
        and issubclass(value, Exception)
        and value.__module__ == exc.__name__
        and value not in statuses
        and not value.__name__.startswith("_")
    }
    assert len(defined) > 15
    assert defined <= drawn


def test_the_table_of_calls_has_all_methods_and_commands_that_are_there():
    found = json.loads(calls.DATA.read_text())
    named = {name for call in found.values() for name in call["commands"]}
    names = {name.removeprefix("baremetal ") for name in COMMANDS}
    other_services = ("server ", "volume attach", "volume detach", "version ")
    assert named <= names
    assert {name for name in names - named if not name.startswith(other_services)} == calls.COMPOSED
    managers = calls.managers()
    for call in found.values():
        for name in call["methods"]:
            manager, _, method = name.partition(".")
            assert hasattr(managers[manager], method), name
