"""What becomes of a command that can't write its output."""

from __future__ import annotations

import contextlib
import errno
from typing import TYPE_CHECKING

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""The errors of a file or a device that takes no more."""


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """Say in words that the output can't be written; also a decorator.

    :raises CommandError: if a write inside fails for lack of room. A reader that has gone is left
        to the command line.
    """
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno not in _NO_ROOM:
            raise
        raise exc.CommandError(f"Can't write the output: {error.strerror}.") from error
