"""Python's garbage collector, kept from looking where there is no garbage."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def paused() -> Iterator[None]:
    """Decode a list without the collector walking all of it again and again.

    What a list consists of lives on, so there is no garbage in it; looking for some costs a
    quarter of the time. Objects in cycles, of other threads too, are freed a little later.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
