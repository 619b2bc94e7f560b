"""The options and arguments of all commands, as scripts have them."""

from __future__ import annotations

import argparse

import pytest

from fake_server import cli
from fake_server.cli.parsers import Parser

KEPT = ("nargs", "const", "default", "choices", "required", "metavar")


class SeenError(Exception):
    """Ends a command when it would parse its arguments."""


def described(parser, at=""):
    """Yield each action of a parser, and of those in it, with what it takes."""
    for action in parser._actions:
        name = " ".join(action.option_strings) or action.dest
        if isinstance(action.choices, dict):
            for word, inner in action.choices.items():
                yield from described(inner, f"{at} {word}")
            continue
        values = {key: getattr(action, key) for key in KEPT}
        texts = [f"{key}={value}" for key, value in values.items() if value not in (None, False)]
        yield f"{at} {name}".strip(), " ".join([type(action).__name__, *texts])[:200]


@pytest.mark.parametrize("command", ["exec", "ctl", "capture", "compare"])
def test_options_are_as_recorded(command, monkeypatch, recorded):
    def stop(self, *_args, **_options):
        raise SeenError(self)

    for name in ("parse_args", "parse_known_args"):
        monkeypatch.setattr(argparse.ArgumentParser, name, stop)
        monkeypatch.setattr(Parser, name, stop)
    with pytest.raises(SeenError) as seen:
        cli.main([command])
    recorded(dict(described(seen.value.args[0])))
