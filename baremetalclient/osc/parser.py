"""The parser of a command's arguments: one-line errors, and alternative spellings of options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from cliff import _argparse

from baremetalclient._http.text import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_N = TypeVar("_N")


class ArgumentParser(_argparse.ArgumentParser):
    """cliff's parser with one-line errors and alternative spellings of options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._spellings: dict[str, str] = {}

    def accept_spelling(self, other: str, option: str) -> None:
        """Accept another spelling of an option, hidden from help and completion.

        :param other: the other spelling, such as ``--volume_id``.
        :param option: the option.
        """
        self._spellings[other] = option

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: _N | None = None
    ) -> tuple[argparse.Namespace | _N, list[str]]:
        """Parse arguments after replacing other spellings."""
        if args is not None and self._spellings:
            args = [self._replace_spelling(word) for word in args]
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print the error in one line, and exit with 2."""
        text = " ".join(printable(message).split())
        self.exit(2, f"{self.prog}: error: {text} (see --help)\n")

    def _replace_spelling(self, word: str) -> str:
        option, equals, value = word.partition("=")
        return self._spellings.get(option, option) + equals + value
