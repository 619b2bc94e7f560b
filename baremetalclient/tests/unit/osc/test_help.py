"""The help of ``baremetal`` itself: one screen, and everything on request."""

from __future__ import annotations

import re

import pytest

from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.osc.help import overview


def test_the_overview_is_one_screen_that_has_every_command():
    lines = overview(80).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    groups = {}
    text = re.sub(r"\n {5}", "", "\n".join(lines))
    for nouns, verbs in re.findall(r"^  ([^:]+): (.+)$", text, re.MULTILINE):
        groups |= dict.fromkeys(nouns.split(", "), verbs.split())
    for command in COMMANDS:
        noun = max((noun for noun in groups if command.startswith(f"{noun} ")), key=len, default="")
        verb = command.removeprefix(noun).split()[0]
        assert verb in groups[noun or "lab files"], command


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_without_a_command_the_overview_is_printed(run, words, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    done = run(*words)
    assert (done.code or 0, done.out, done.requests) == (0, overview(80), [])


def test_help_all_has_every_command_and_option(run):
    out = run("help", "--all").out
    assert "--os-cloud <cloud>" in out
    assert all(f"\n  {command} " in out for command in COMMANDS)


def test_no_command_is_guessed_from_parts_of_its_words(run):
    done = run("nod", "del", "n1")
    assert (done.code, done.out, done.requests) == (2, "", [])


@pytest.mark.parametrize("words", [("lab", "--help"), ("help", "lab")])
def test_the_help_of_labs_says_what_a_lab_is(run, words):
    out = run(*words).out
    assert out.startswith("A lab is what files of YAML or JSON declare: ")
    assert out.endswith("\nbaremetal lab graph\n")
