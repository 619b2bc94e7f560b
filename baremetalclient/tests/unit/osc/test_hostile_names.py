"""Whatever a resource is called, no command and no format lets it control a terminal."""

from __future__ import annotations

import pytest

from baremetalclient.tests.unit.hostile import unprintable
from baremetalclient.tests.unit.osc.everything import (
    Everything,
    parser_of,
    run_here,
    words_of,
)
from baremetalclient.tests.unit.osc.test_hostile_server import NAMES
from baremetalclient.tests.unit.scripted import Reply

HOSTILE = "\x1b[2J\x9b31m\r\u202ex\u2066"
#: Texts that no command decides by.
TEXTS = ("name", "description", "hostname", "last_error", "reason", "volume_id", "conductor")
OF_LABS = {"export": ["--all"], "lab graph": ["--all"]}


class HostileNames(Everything):
    """Answers with all that commands look for, in which all names are hostile."""

    def reply_to(self, request):
        reply = super().reply_to(request)
        return Reply(hostile(reply.body), reply.status, reply.headers)


def hostile(value):
    if isinstance(value, list):
        return [hostile(item) for item in value]
    if not isinstance(value, dict):
        return value
    changed = {name: hostile(item) for name, item in value.items()}
    named = dict.fromkeys((*TEXTS, "fault", "extra"), HOSTILE) if "uuid" in value else {}
    return {**changed, **named, "extra": {HOSTILE: HOSTILE}} if named else changed


def formats_of(name):
    """Return the choices that a command has for its output."""
    for action in parser_of(name)._actions:
        if action.option_strings and action.option_strings[-1] in ("--format", "--report"):
            return [[action.option_strings[-1], one] for one in action.choices or ()]
    return []


@pytest.mark.slow("each command in each of its formats")
def test_commands_show_hostile_names_as_text(capsys):
    problems, shown = [], 0
    with HostileNames() as server:
        for name in NAMES:
            words = [*words_of(name), *OF_LABS.get(name, ())]
            for chosen in ([], *formats_of(name)):
                line = ["--os-endpoint", server.url, "--max-retries", "0", *words, *chosen]
                _, out, err = run_here(line, capsys)
                shown += r"\x1b" in out or r"\u001b" in out or r"\e" in out
                if found := unprintable(out + err):
                    problems.append(f"{name} {chosen}: {found}")
    assert problems == [], "\n".join(problems)
    assert shown > 100
