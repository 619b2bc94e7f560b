"""An argument parser whose errors suggest similar names."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from fake_server.cli.messages import printable
from fake_server.common.suggestion import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from _typeshed import SupportsWrite

_CHOICE = re.compile(r"invalid choice: '(.*?)' \(choose from (.*)\)$", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """A parser whose errors have suggestions and come from the innermost command.

    :ivar examples: command lines that the help shows at its end.
    """

    examples: tuple[str, ...] = ()

    def format_help(self) -> str:
        """Return the help, with the examples."""
        lines = [f"  {line}\n" for line in self.examples]
        return super().format_help() + "".join(["\nexamples:\n", *lines] if lines else [])

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; unlike argparse, fail if that can't be done."""
        (file or sys.stdout).write(self.format_help())

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Parse arguments; an unknown one is an error."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            options = [word.partition("=")[0] for word in left if word.startswith("-")]
            hint = next(
                filter(None, (suggestion(o, self._option_string_actions) for o in options)), ""
            )
            self.error(f"unrecognized arguments: {' '.join(left)}{hint}")
        return found, left

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message, and exit with code 2."""
        if match := _CHOICE.search(message):
            message += suggestion(match[1], re.findall(r"[\w.-]+", match[2]))
        super().error(printable(message).replace("\n", "\\n"))


class Version(argparse.Action):
    """Prints the version of the package."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_options: Any) -> None:
        super().__init__(
            option_strings,
            dest,
            nargs=0,
            default=argparse.SUPPRESS,
            help="show the version and exit",
        )

    def __call__(self, parser: argparse.ArgumentParser, *_parsed: Any) -> NoReturn:
        """Print it and exit."""
        from importlib.metadata import version

        print("baremetal-fake-server", version("baremetalclient"))
        parser.exit()


def suggestion(word: str, known: Iterable[str], prefix: str = "") -> str:
    """Return a suggestion to append to a message about an unknown word, or an empty text.

    :param prefix: text before the suggested word.
    """
    near = nearest(word, known)
    return f". Did you mean {prefix}{near}?" if near else ""
