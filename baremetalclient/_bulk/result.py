"""The result of an action, or of a wait, for each of several resources."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from baremetalclient import exc  # noqa: TC001 - programs can evaluate the annotations

Ending = Literal["done", "failed", "timeout", "skipped"]
Rehearsal = Literal["would", "would be refused"]


@dataclass(frozen=True)
class Result:
    """What became of one resource; true if it is done.

    :param name: its name, or what it was called if it was not found.
    :param uuid: its UUID, None if it is not known.
    :param result: ``done``; ``failed``; ``timeout``, if the time was over before it was done;
        ``skipped``, if it was not started; or, of a rehearsal, ``would`` or ``would be refused``.
    :param state: its last known state, None if it is not known.
    :param seconds: the seconds that it took.
    :param error: why it is not done, None if it is.
    :param exception: the exception for that, with the status of the response if there was one.
    """

    name: str | None
    uuid: str | None
    result: Ending | Rehearsal
    state: str | None = None
    seconds: float = 0.0
    error: str | None = None
    exception: exc.ClientException | None = field(default=None, compare=False, repr=False)

    @property
    def ok(self) -> bool:
        """Whether it is done."""
        return self.result == "done"

    def __bool__(self) -> bool:
        return self.ok

    @property
    def label(self) -> str:
        """What it is called in messages."""
        return self.name or self.uuid or "unknown"
