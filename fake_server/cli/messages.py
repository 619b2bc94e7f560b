"""What the commands say on standard error."""

from __future__ import annotations

import errno
import sys

#: The errors of a file or a device that takes no more.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def tell(message: object) -> None:
    """Print a message; what would control a terminal, such as texts of a server, is escaped."""
    print(f"baremetal-fake-server: {printable(str(message))}", file=sys.stderr)


def reason(error: Exception) -> str:
    """Return what is told of an error; of one of the operating system, not its number."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return f"Can't write {error.filename or 'the output'}: {error.strerror}."
    return str(error)


def printable(text: str) -> str:
    """Return a text with what would control a terminal as its escape sequence."""
    return "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in text)
