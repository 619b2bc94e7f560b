"""Arguments that are long, or nested deeply, cost little and are refused with a sentence."""

from __future__ import annotations

import time

import pytest

from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.hostile import unprintable
from baremetalclient.tests.unit.osc.everything import (
    Everything,
    own_actions,
    parser_of,
    run_here,
    words_of,
)

DEEP = "[" * 20_000
#: Texts that would be costly if something compared each character with all others, or went deeper
#: with each bracket.
COSTLY = (
    DEEP,
    DEEP + "]" * len(DEEP),
    '{"a":' * 20_000,
    f"a={DEEP}",
    f"a:={DEEP}",
    f"name={' ' * 50_000}x",
    " " * 50_000,
    "a," * 20_000,
    "a/" * 20_000,
    "(" * 20_000,
)
#: They go on until something happens.
LASTING = (" wait", " watch")
NAMES = [name for name in COMMANDS if not name.endswith(LASTING) and name != "complete"]
MANY = ("apply", "create", "diff")


def lines_of(name):
    """Yield a command with each of its options and places in turn, which take a text."""
    words = ["lab.yaml"] if name in MANY else words_of(name)[len(name.split()) :]
    for action in own_actions(parser_of(name)):
        if action.option_strings and action.nargs != 0:
            yield lambda text, action=action: [*words, f"{action.option_strings[-1]}={text}"]
    for place in range(len(words)):
        yield lambda text, place=place: [*words[:place], text, *words[place + 1 :]]


@pytest.mark.night("each option of each command, with ten texts")
def test_no_argument_is_costly(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab.yaml").write_text("nodes: []\n")
    problems = []
    with Everything() as server:
        for name in NAMES:
            for position, line in enumerate(lines_of(name)):
                # Each option gets some of the texts, and all options together get each of them.
                for text in (COSTLY[position % len(COSTLY)], COSTLY[(position * 7 + 3) % 10]):
                    words = ["--os-endpoint", server.url, "--max-retries", "0", *name.split()]
                    begun = time.process_time()
                    _, out, err = run_here([*words, *line(text)], capsys)
                    spent = time.process_time() - begun
                    told = "recursion" in err or "Traceback" in err or unprintable(out + err)
                    if told or spent > 10:
                        shown = [word[:30] for word in line(text)]
                        problems.append(f"{name} {shown}: {spent:.1f} s {err[-200:]!r}")
    assert problems == [], "\n".join(problems)
