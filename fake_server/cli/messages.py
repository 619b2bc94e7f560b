"""What the commands say on standard error."""

from __future__ import annotations

import sys


def tell(message: object) -> None:
    """Print a message; what would control a terminal, such as texts of a server, is escaped."""
    print(f"baremetal-fake-server: {printable(str(message))}", file=sys.stderr)


def printable(text: str) -> str:
    """Return a text with what would control a terminal as its escape sequence."""
    return "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in text)
