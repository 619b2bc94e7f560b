"""Findings about a node: problems, and commands that help."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""All severities, the worst first."""

_PLACEHOLDER = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True)
class Command:
    """A command that helps.

    :param text: the command for a shell; what only the user knows is a word in capitals.
    :param accepted: whether the server accepts it now, and it changes something.
    """

    text: str
    accepted: bool = False

    @property
    def is_step(self) -> bool:
        """Whether it can be run as it is."""
        return self.accepted and _PLACEHOLDER.search(self.text) is None

    @property
    def advice(self) -> str:
        """The command, with a note where it has to be completed."""
        blanks = _PLACEHOLDER.search(self.text) is not None
        return f"{self.text} (with your values for the words in capitals)" if blanks else self.text


def command(*words: str, accepted: bool = False) -> Command:
    """Return a command of ``baremetal``.

    :param words: what follows ``baremetal``, not yet quoted for a shell.
    :param accepted: whether the server accepts it now, and it changes something.
    """
    return Command(shlex.join(["baremetal", *words]), accepted)


@dataclass(frozen=True)
class Finding:
    """A finding about a node.

    :param quote: Ironic's own message about it.
    :param checks: what to look at, where the cause is not known.
    :param is_optional: whether most users can do without it.
    """

    severity: Severity
    text: str
    quote: str | None = None
    command: Command | None = None
    checks: tuple[str, ...] = ()
    is_optional: bool = False
