"""Completion of the command line of ``baremetal``: the words that can come next.

The function that ``baremetal complete`` prints for a shell calls ``baremetal complete
--candidates`` at each Tab, so this imports only the command that is being completed.
"""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import global_options
from baremetalclient.osc.command_table import COMMANDS, MODULE_PREFIX, command_in
from baremetalclient.osc.completion import names
from baremetalclient.v1 import trait_names
from baremetalclient.v1.provision_states import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from baremetalclient._bulk.vocabulary import Vocabulary

NO_CANDIDATES = 1
"""The exit code that lets the shell complete the names of files."""

# Bash runs commands in double quotes, and either quote ends where a name has one.
_SAFE_IN_QUOTES = re.compile(r"[\w@%+=:,./ -]*")
_COMPARISON = re.compile(
    r"((?:.*(?:,|\s(?:and|or)\s))?\s*(?:!|not\s+)?)([^\s=!~<>,]*)(?:(!?=).*|.*)", re.DOTALL
)
"""An expression: all up to its last comparison, the field of this, and ``=`` or ``!=``."""
_REMOVE_TRAIT = ("node trait remove", "node remove trait")
_SHORTEST_SLIP = 8
"""The length from which on a beginning may have a wrong letter."""
_SLIP = 0.85
"""The similarity of a beginning with a wrong letter."""
_OTHER_COMMANDS = ("complete", "help")


def main(arguments: Sequence[str]) -> int:
    """Print the candidates, one in a line, and return the exit code.

    :param arguments: ``bash``, the line up to the cursor, and the characters at which bash breaks
        words; or ``words``, and each word after ``baremetal`` up to the cursor.
    """
    kind, *words = arguments
    if kind == "bash":
        return _complete_for_bash(*words)
    found = candidates(words[:-1], words[-1])
    for word in found or ():
        print(word)
    return NO_CANDIDATES if found is None else 0


def _complete_for_bash(line: str, breaks: str = "=:") -> int:
    """Print the completions of the last part of the word at the cursor for bash."""
    words, is_quoted = _split(line)
    current = words[-1]
    found = candidates(words[1:-1], current)
    # Bash replaces only what is after the last of these.
    start = max((current.rfind(mark) + 1 for mark in "=:" if mark in breaks), default=0)
    for word in found or ():
        part = word[start:]
        if not is_quoted:
            print(re.sub(r"([^\w@%+=:,./-])", r"\\\1", part))
        elif _SAFE_IN_QUOTES.fullmatch(part):
            print(part)
    return NO_CANDIDATES if found is None else 0


def candidates(before: Sequence[str], current: str) -> list[str] | None:
    """Return the words that can stand where the cursor is, None for the name of a file.

    :param before: the words between ``baremetal`` and the cursor.
    :param current: the beginning of the word at the cursor.
    """
    parser = _global_parser()
    reader = _WordReader(parser)
    rest = reader.read_options(before)
    if reader.waiting is not None:
        return _matching(_values(reader.waiting, None, current, before), current)
    if not rest and current.startswith("-"):
        return _options(reader, current, None, before)
    if rest[:1] == ["help"]:
        return _matching(_next_words(rest[1:]), current)
    command = command_in(rest)
    following = _next_words(rest)
    if not command:
        return _matching(following, current)
    name = " ".join(command)
    found = _of_command(name, rest[len(command) :], current, parser, before)
    if not following:
        return found
    return sorted({*(_matching(following, current) or ()), *(found or ())})


class _WordReader:
    """Reads words as argparse does, without checking them.

    :param parsers: the parsers whose options are known.
    """

    def __init__(self, *parsers: argparse.ArgumentParser) -> None:
        self.actions = {
            option: action
            for parser in parsers
            for action in parser._actions
            if action.help != argparse.SUPPRESS
            for option in action.option_strings
        }
        self.given: set[str] = set()
        self.positionals: list[str] = []
        self.waiting: argparse.Action | None = None
        """The option whose value comes next."""
        self.optional = False
        """Whether this value can be left out."""

    def read_options(self, words: Sequence[str]) -> list[str]:
        """Read the options at the beginning, and return the other words."""
        for number, word in enumerate(words):
            if not word.startswith("-") and self.waiting is None:
                return list(words[number:])
            self._read(word)
        return []

    def read(self, words: Sequence[str]) -> None:
        """Read options, their values and positional arguments."""
        for word in words:
            self._read(word)

    def _read(self, word: str) -> None:
        if word.startswith("-") and word != "-":
            option, equals, _ = word.partition("=")
            action = self.actions.get(option)
            self.given.add(option)
            takes_value = action is not None and action.nargs != 0 and not equals
            self.waiting = action if takes_value else None
            self.optional = action is not None and action.nargs in ("?", "*")
        elif self.waiting is None:
            self.positionals.append(word)
        elif self.waiting.nargs not in ("+", "*"):
            self.waiting = None
        else:
            self.optional = True


def _of_command(
    name: str,
    words: Sequence[str],
    current: str,
    global_parser: argparse.ArgumentParser,
    before: Sequence[str],
) -> list[str] | None:
    """Return the candidates for an argument of a command."""
    module, _, class_name = COMMANDS[name].partition(":")
    command = getattr(importlib.import_module(MODULE_PREFIX + module), class_name)(None, None)
    parser = command.get_parser(name)
    reader = _WordReader(global_parser, parser)
    reader.read(words)
    if current.startswith("-") and (reader.waiting is None or reader.optional):
        # The global options are taken here, too, but would hide those of the command.
        own = _WordReader(parser)
        own.given = reader.given
        return _options(own, current, command, before) or _options(reader, current, command, before)
    possible = [] if reader.waiting is None else [reader.waiting]
    positionals = parser.positionals(words)
    if reader.waiting is None or reader.optional:
        possible += positionals[len(reader.positionals) :][:1]
        if not possible and positionals and positionals[-1].nargs in ("+", "*"):
            possible = positionals[-1:]
    names_node = name in _REMOVE_TRAIT and positionals[0].dest == "idents"
    if names_node and reader.positionals and reader.waiting is None:
        node = reader.positionals[0]
        return _matching(names.of_traits(node, global_parser, before), current)
    values = [_values(action, command, current, before) for action in possible]
    known = [value for value in values if value is not None]
    if values and not known:
        return None
    return _matching([word for value in known for word in value], current)


def _options(
    reader: _WordReader, current: str, command: Any, before: Sequence[str]
) -> list[str] | None:
    """Return the options, without those that were given already, or the values after ``=``."""
    option, equals, text = current.partition("=")
    if equals and option in reader.actions:
        found = _matching(_values(reader.actions[option], command, text, before), text)
        return None if found is None else [f"{option}={value}" for value in found]
    words = [
        word
        for word, action in reader.actions.items()
        if not (reader.given & set(action.option_strings))
        or isinstance(action, argparse._AppendAction | argparse._CountAction)
    ]
    return _matching(words, current) or _nearly_matching(words, current)


def _values(
    action: argparse.Action, command: Any, current: str, before: Sequence[str]
) -> list[str] | None:
    """Return the values of an argument, None for the name of a file."""
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest
    kind = metavar.strip("<>").replace("-", " ").replace("_", " ").lower()
    if kind == "boolean":
        return ["true", "false"]
    if kind == "trait":
        return list(trait_names.standard()) if current else []
    if kind == "condition":
        return _in_expression(command.vocabulary, current)
    if kind == "expression":
        from baremetalclient.v1 import resources
        from baremetalclient.v1.expressions import vocabulary

        name = getattr(command, "manager_name", "node")
        return _in_expression(vocabulary(resources.resource_type(name)), current)
    resource_type = getattr(command, "resource_type", None)
    if resource_type is not None and kind == "column":
        return list(resource_type.by_name)
    if resource_type is not None and action.dest == "sort":
        return list(resource_type.sortable_names)
    found = _words_of(command, action.dest) or _words_of(command, kind.replace(" ", "_"))
    if kind in names.LISTS:
        verb = getattr(command, "verb", None) if kind == "node" else None
        verb = verb if verb in VERBS else None
        return [*names.of_resources(kind, current, _global_parser(), before, verb), *found]
    return found or (None if _takes_file(kind) else [])


def _takes_file(kind: str) -> bool:
    return kind.startswith(("file", "config drive", "user data")) or kind.endswith(
        ("steps", "actions", "conditions", "data", "raid config", "cacert", "cert", "key")
    )


def _words_of(command: Any, field: str) -> list[str]:
    """Return the values that the description of the resource has for a field."""
    resource_type = getattr(command, "resource_type", None)
    return [] if resource_type is None else list(resource_type.words_of(field, closed=False))


def _in_expression(vocabulary: Vocabulary, current: str) -> list[str]:
    """Return what the last comparison of an expression can begin with, or be: fields, or values.

    :param current: the beginning of the expression.
    """
    before, field, sign = _COMPARISON.fullmatch(current).groups()  # type: ignore[union-attr]
    related, dot, _ = field.partition(".")
    if not sign:
        prefix = f"{related}." if dot and related in vocabulary.related else ""
        known = vocabulary.related[related]() if prefix else vocabulary
        return [f"{before}{prefix}{name}=" for name in (*known.aliases, *known.types)]
    try:
        place = vocabulary.place(field)
    except exc.ValidationError:
        return []
    known = vocabulary.related[place.related]() if place.related else vocabulary
    if place.field == "traits" and len(place.path) == 1:
        words: Sequence[str] = tuple(trait_names.standard())
    else:
        words = ("true", "false") if place.type == "boolean" else known.words(place.field)
    return [f"{before}{field}{sign}{word}" for word in words]


def _next_words(words: Sequence[str]) -> list[str]:
    """Return what can follow the first words of a command."""
    known = [name.split() for name in (*COMMANDS, *_OTHER_COMMANDS)]
    length = len(words)
    return sorted(
        {name[length] for name in known if len(name) > length and name[:length] == list(words)}
    )


def _matching(words: Iterable[str] | None, current: str) -> list[str] | None:
    if words is None:
        return None
    return [word for word in dict.fromkeys(words) if word.startswith(current)]


def _nearly_matching(words: Iterable[str], current: str) -> list[str]:
    """Return the words that begin as a word does but for a letter."""
    from difflib import SequenceMatcher

    if len(current) < _SHORTEST_SLIP:
        return []
    beginnings = {word: SequenceMatcher(None, word[: len(current)], current) for word in words}
    return [word for word, match in beginnings.items() if match.ratio() >= _SLIP]


def _global_parser() -> argparse.ArgumentParser:
    from baremetalclient.osc.app import BaremetalApp

    parser: argparse.ArgumentParser = BaremetalApp().parser
    global_options.add_options(parser, [])
    return parser


def _split(line: str) -> tuple[list[str], bool]:
    """Return the words of a line, and whether the last one is in quotes that are still open."""
    for closing in ("", "'", '"'):
        try:
            words = shlex.split(line + closing)
        except ValueError:
            continue
        ends = not closing and line[-1:].isspace() and line[-2:-1] != "\\"
        return [*words, ""] if ends else words, bool(closing)
    return [*line.split(), ""], False
