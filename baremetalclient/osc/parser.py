"""The parser of a command's arguments: one-line errors, and alternative spellings of options."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentError
from collections import Counter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from cliff import _argparse

from baremetalclient._http.escapes import printable
from baremetalclient._suggestion import did_you_mean, suggestion

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from _typeshed import SupportsWrite

_N = TypeVar("_N")

KEY_VALUE = "<key=value>"
"""How help calls the argument of an option that is repeated for each key."""


class ArgumentParser(_argparse.ArgumentParser):
    """cliff's parser with one-line errors and alternative spellings of options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._spellings: dict[str, str] = {}
        #: The exit code after arguments that are wrong.
        self.usage_exit_code = 2
        self._replaceable: argparse.Action | None = None
        self._replaced: argparse.Action | None = None
        self._replacements: tuple[str, ...] = ()
        self._given: Counter[str] = Counter()

    def accept_spelling(self, other: str, option: str) -> None:
        """Accept another spelling of an option, hidden from help and completion.

        :param other: the other spelling, such as ``--volume_id``.
        """
        self._spellings[other] = option

    def let_options_replace(self, positional: argparse.Action, options: tuple[str, ...]) -> None:
        """Let options stand instead of a positional argument, which then is an empty list.

        All words without an option are those of the other positional arguments then.
        """
        self._replaceable, self._replacements = positional, options

    def positionals(self, words: Sequence[str]) -> list[argparse.Action]:
        """Return the positional arguments that there are beside these words."""
        replaced = self._replaceable if self._has_replacement(words) else None
        return [one for one in self._get_positional_actions() if one is not replaced]

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: _N | None = None
    ) -> tuple[argparse.Namespace | _N, list[str]]:
        if args is not None and self._spellings:
            args = [self._replace_spelling(word) for word in args]
        if self._replaceable is not None and self._has_replacement(args or ()):
            self._actions.remove(self._replaceable)
            self.set_defaults(**{self._replaceable.dest: []})
            self._replaced, self._replaceable = self._replaceable, None
        return super().parse_known_args(args, namespace)

    def _has_replacement(self, args: Sequence[str]) -> bool:
        for word in args:
            name = word.partition("=")[0]
            meant = [one for one in self._option_string_actions if one.startswith(name)]
            if name.startswith("--") and len(name) > 2 and meant:
                if name in self._replacements or set(meant) <= set(self._replacements):
                    return True
            elif word == "--":
                break
        return False

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; unlike argparse, fail if that can't be done."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Print the error in one line, and exit with :attr:`usage_exit_code`."""
        text = " ".join(printable(message).split())
        unrecognized = text.removeprefix("unrecognized arguments: ")
        if text != unrecognized and unrecognized.startswith("--"):
            option = unrecognized.split()[0].partition("=")[0]
            shown = [
                name for one in self._actions if one.help != SUPPRESS for name in one.option_strings
            ]
            hint = did_you_mean(option, shown)
            text += hint and f".{hint}"
        if self._replaced is not None and text != unrecognized and unrecognized[0] != "-":
            options = ", ".join(self._replacements)
            text += f"; {self._replaced.metavar} cannot be combined with {options}"
        self.exit(self.usage_exit_code, f"{self.prog}: error: {text} (see --help)\n")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        self._given[action.dest] += 1
        try:
            return super()._get_value(action, arg_string)
        except ArgumentError as error:
            # Its text may be a secret, which no message has.
            if action.metavar == KEY_VALUE:
                error.message = f"number {self._given[action.dest]}: {error.message}"
            raise

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            hint = suggestion(str(value), map(str, action.choices))
            raise ArgumentError(action, f"invalid choice: {value!r}.{hint}")

    def _replace_spelling(self, word: str) -> str:
        option, equals, value = word.partition("=")
        return self._spellings.get(option, option) + equals + value


class HelpFormatter(_argparse.SmartHelpFormatter):
    """cliff's formatter, with paragraphs and examples that stay apart."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip().split("\n\n")
        return "\n\n".join(
            paragraph
            if paragraph.startswith(" ")
            else super(HelpFormatter, self)._fill_text(paragraph.replace("::", ":"), width, indent)
            for paragraph in paragraphs
        )
