"""The parser of a command's arguments: one line for what is wrong, other spellings accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from cliff import _argparse

from baremetalclient.text import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_N = TypeVar("_N")


class ArgumentParser(_argparse.ArgumentParser):
    """cliff's parser with one-line errors and spellings that help doesn't show."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._spellings: dict[str, str] = {}

    def accept_spelling(self, other: str, option: str) -> None:
        """Take `other` for `option`, without showing it in help or in completion.

        :param other: another spelling, such as ``--volume_id``.
        :param option: the option that is meant.
        """
        self._spellings[other] = option

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
        self.exit(2, f"{self.prog}: {text} (see --help)\n")

    def _respelled(self, word: str) -> str:
        option, equals, value = word.partition("=")
        return self._spellings.get(option, option) + equals + value
