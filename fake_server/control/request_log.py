"""The requests that are kept of those that a server received."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fake_server.common.redaction import Redactor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fake_server.control.recorded_request import RecordedRequest


@dataclass(frozen=True)
class RequestLog:
    """What is kept.

    :param requests: the last requests, the oldest first.
    :param dropped: how many there were before them.
    """

    requests: Sequence[RecordedRequest]
    dropped: int = 0

    @cached_property
    def redactor(self) -> Redactor:
        """What hides the secrets of all the requests, wherever they are shown."""
        return Redactor(self.secrets())

    def secrets(self) -> Iterator[str]:
        """Yield what is a secret in them, the oldest first."""
        for recorded in self.requests:
            yield from recorded.secrets()
