"""Options from the environment and from a file, for those not given on the command line.

All are those of the parser: ``--max-microversion`` is ``BAREMETAL_FAKE_SERVER_MAX_MICROVERSION`` in
the environment and ``max-microversion`` in the file.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_server.cli import values
from fake_server.cli.parsers import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    #: A value, and the variable or the key that it comes from.
    _Given = tuple[Any, str]

PREFIX = "BAREMETAL_FAKE_SERVER_"
#: Environment variables with the URL and the token of a running server; ``exec`` sets them.
URL_VARIABLE = f"{PREFIX}URL"
TOKEN_VARIABLE = f"{PREFIX}TOKEN"
#: Options of ``fake_server.wsgi_application``.
OPTIONS_VARIABLE = f"{PREFIX}OPTIONS"
_OTHER_VARIABLES = frozenset({URL_VARIABLE, TOKEN_VARIABLE, OPTIONS_VARIABLE})


def parse(
    parser: argparse.ArgumentParser,
    words: Sequence[str],
    others: Iterable[str] = (),
    only_asked: Iterable[str] = (),
) -> argparse.Namespace:
    """Parse the arguments; they override the environment, which overrides the file.

    ``sources`` of the result has the variables and the keys of the file by the names of what they
    set, and ``places`` the options as well.

    An invalid value ends the process with exit code 2 and a message that names the variable or the
    key. An empty variable counts as not given.

    :param others: names of options of other commands, which are ignored.
    :param only_asked: names of options that the environment doesn't set.
    """
    options = named(parser)
    known = frozenset(options).union(others)
    settable = {name: action for name, action in options.items() if name not in only_asked}
    given = _of_environment(parser, settable, known)
    _set_defaults(parser, given)
    parsed = parser.parse_args(words)
    if parsed.config:
        given = _of_file(parser, options, known, parsed.config) | given
        _set_defaults(parser, given)
        parsed = parser.parse_args(words)
    parsed.sources = {
        name: source for name, (value, source) in given.items() if getattr(parsed, name) is value
    }
    parsed.places = {one.dest: f"--{name}" for name, one in options.items()} | parsed.sources
    return parsed


def _set_defaults(parser: argparse.ArgumentParser, given: Mapping[str, _Given]) -> None:
    parser.set_defaults(**{name: value for name, (value, _) in given.items()})


def named(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the options that have a value, by name without leading dashes."""
    return {
        action.option_strings[0].lstrip("-"): action
        for action in parser._actions
        if action.option_strings and action.default is not argparse.SUPPRESS
    }


def _of_environment(
    parser: argparse.ArgumentParser,
    options: Mapping[str, argparse.Action],
    known: frozenset[str],
) -> dict[str, _Given]:
    found: dict[str, _Given] = {}
    names = {name.upper().replace("-", "_"): name for name in known}
    for variable, text in os.environ.items():
        if not variable.startswith(PREFIX) or variable in _OTHER_VARIABLES:
            continue
        tail = variable.removeprefix(PREFIX)
        if tail in names:
            if text and (action := options.get(names[tail])):
                found[action.dest] = _value(parser, variable, action, text), variable
        # Other programs may set variables with this prefix, as Kubernetes does for services.
        elif hint := suggestion(tail, names, PREFIX):
            parser.error(f"unknown variable {variable}{hint}")
    return found


def _of_file(
    parser: argparse.ArgumentParser,
    options: Mapping[str, argparse.Action],
    known: frozenset[str],
    path: str,
) -> dict[str, _Given]:
    import yaml

    from fake_server.common import yaml_loader

    try:
        content = yaml_loader.load(Path(path).read_text("utf-8"), yaml_loader.TextLoader)
    except (OSError, ValueError, yaml.YAMLError) as exc:
        parser.error(f"{path}: {' '.join(str(exc).split())}")
    if not isinstance(content or {}, dict):
        parser.error(f"{path}: the options have to be a mapping of names to values")
    known -= {"config"}
    found: dict[str, _Given] = {}
    for key, value in (content or {}).items():
        name = str(key).replace("_", "-")
        if name not in known:
            parser.error(f"{path}: unknown option {key}{suggestion(name, known)}")
        texts = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in texts):
            parser.error(f"{path}: {key}: the value has to be text, a number, or a list of these")
        if action := options.get(name):
            source = f"{path}: {key}"
            found[action.dest] = _value(parser, source, action, ",".join(texts)), source
    return found


def _value(parser: argparse.ArgumentParser, source: str, action: argparse.Action, text: str) -> Any:
    """Return the value of an option; end the process with a message that names the source."""
    try:
        if action.nargs == 0:
            return _switched(action, values.truth(text))
        value = action.type(text) if callable(action.type) else text
    except (argparse.ArgumentTypeError, ValueError) as exc:
        parser.error(f"{source}: {exc}")
    if action.choices is not None and value not in action.choices:
        choices = ", ".join(map(repr, action.choices))
        parser.error(f"{source}: invalid choice: {value!r} (choose from {choices})")
    return value


def _switched(action: argparse.Action, on: bool) -> Any:
    """Return what an option without a value stores if it is on, or off."""
    if isinstance(action, argparse.BooleanOptionalAction):
        return on
    return action.const if on else action.default
