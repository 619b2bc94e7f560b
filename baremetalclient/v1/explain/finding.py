"""Findings about a node: problems, and commands that help."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import NamedTuple, get_args

from baremetalclient.v1.types import Severity

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""All severities, the worst first."""

_AND = "&&"


class Placeholder(NamedTuple):
    """A word of a command of which only the user knows a part, which is its end.

    :param name: what stands for this part, in capitals.
    :param before: the rest of the word.
    """

    name: str
    before: str = ""


Word = str | Placeholder


@dataclass(frozen=True)
class ShellCommand:
    """A command for a shell that helps, or several in a row.

    :param words: its words, not yet quoted for a shell.
    :param accepted: whether the server accepts it now, and it changes something.
    """

    words: tuple[Word, ...]
    accepted: bool = False

    @property
    def text(self) -> str:
        """The command for a shell, with the names of blanks."""
        words = (
            f"{one.before}{one.name}" if isinstance(one, Placeholder) else one for one in self.words
        )
        return " ".join(word if word == _AND else shlex.quote(word) for word in words)

    @property
    def blanks(self) -> list[tuple[int, str]]:
        """The positions of words with a blank, and what stands for it."""
        return [
            (number, word.name)
            for number, word in enumerate(self.words)
            if isinstance(word, Placeholder)
        ]

    @property
    def is_step(self) -> bool:
        """Whether it can be run as it is, and changes something."""
        return self.accepted and not self.blanks

    @property
    def advice(self) -> str:
        """The command, with a note where it has to be completed."""
        names = ", ".join(dict.fromkeys(name for _, name in self.blanks))
        return f"{self.text} (with your values for {names})" if names else self.text

    def then(self, *others: ShellCommand) -> ShellCommand:
        """Return this command and others after it, each if the one before has succeeded."""
        words = self.words
        for other in others:
            words = (*words, _AND, *other.words)
        return ShellCommand(words)


def command(*words: Word, accepted: bool = False) -> ShellCommand:
    """Return a command of ``baremetal``.

    :param words: what follows ``baremetal``, not yet quoted for a shell.
    :param accepted: whether the server accepts it now, and it changes something.
    """
    return ShellCommand(("baremetal", *words), accepted)


@dataclass(frozen=True)
class RuleFinding:
    """A finding about a node.

    :param quote: Ironic's own message about it.
    :param checks: what to look at, where the cause is not known.
    :param is_optional: whether most users can do without it.
    """

    severity: Severity
    text: str
    quote: str | None = None
    command: ShellCommand | None = None
    checks: tuple[str, ...] = ()
    is_optional: bool = False
