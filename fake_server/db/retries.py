"""Work that is done again after a conflict with what others do."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, TypeVar

from fake_server.db.errors import ConflictError, Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def run_with_retries(
    work: Callable[[], T], *, turns: int | None = None, seconds: float | None = None
) -> T:
    """Run a function that opens its own transactions, again from its start after a conflict.

    :param turns: maximum number of attempts; by default until there is no conflict.
    :param seconds: nothing is tried again after this time, if given.
    :raises ConflictError: if there was a conflict each time.
    """
    start, turn = time.monotonic(), 0
    while True:
        turn += 1
        try:
            return work()
        except Interrupted as interrupted:
            interrupted.act()
        except ConflictError:
            late = seconds is not None and time.monotonic() - start >= seconds
            if turn == turns or late:
                raise
            time.sleep(random.random() * 0.01 * min(turn, 20))  # noqa: S311 - no secret
