"""The parser of a command's arguments: one line for what is wrong, other spellings accepted."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from cliff import _argparse

from baremetalclient._http.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_N = TypeVar("_N")


class _Offered(argparse.Action):
    """Words that complete an argument, in the place where cliff looks for options."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words, argparse.SUPPRESS)


class ArgumentParser(_argparse.ArgumentParser):
    """cliff's parser with one-line errors and spellings that help doesn't show."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._spellings: dict[str, str] = {}
        self._offers: list[Callable[[], Sequence[str]]] = []

    def offer(self, words: Callable[[], Sequence[str]]) -> None:
        """Let the shell complete a positional argument with words.

        :param words: returns them; called when completion is set up.
        """
        self._offers.append(words)

    def accept_spelling(self, other: str, option: str) -> None:
        """Take `other` for `option`, without showing it in help or in completion.

        :param other: another spelling, such as ``--volume_id``.
        :param option: the option that is meant.
        """
        self._spellings[other] = option

    def _get_optional_actions(self) -> list[argparse.Action]:
        # What cliff writes into the completion for a shell.
        offered = [_Offered(words()) for words in self._offers]
        return [*super()._get_optional_actions(), *offered]

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: _N | None = None
    ) -> tuple[argparse.Namespace | _N, list[str]]:
        """Parse arguments, after other spellings were replaced."""
        if args is not None and self._spellings:
            args = [self._respelled(word) for word in args]
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong with the arguments, and exit with 2."""
        text = " ".join(printable(message).split())
        self.exit(2, f"{self.prog}: error: {text} (see --help)\n")

    def _respelled(self, word: str) -> str:
        option, equals, value = word.partition("=")
        return self._spellings.get(option, option) + equals + value
