"""What the commands say on standard error."""

from __future__ import annotations

import sys


def tell(message: object) -> None:
    """Print a message; what would control a terminal, such as texts of a server, is escaped."""
    shown = "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1]
        for character in str(message)
    )
    print(f"baremetal-fake-server: {shown}", file=sys.stderr)
