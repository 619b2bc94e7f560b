"""The result of an action, or of a wait, for each of several resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["done", "failed", "timeout", "skipped"]


@dataclass(frozen=True)
class Result:
    """What became of one resource.

    :param name: its name, or what it was called if it was not found.
    :param uuid: its UUID, None if it is not known.
    :param result: ``done``; ``failed``; ``timeout``, if the time was over before it was done; or
        ``skipped``, if it was not started.
    :param state: its last known state, None if it is not known.
    :param seconds: the seconds that it took.
    :param error: why it failed, None if it did not.
    """

    name: str | None
    uuid: str | None
    result: Outcome
    state: str | None = None
    seconds: float = 0.0
    error: str | None = None
