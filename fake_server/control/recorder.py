"""What a server was asked: the last requests, without their bodies and secrets."""

from __future__ import annotations

import time
from collections import deque
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..wsgi import Request

MOST = 10_000


class Entry(NamedTuple):
    """A request and its answer.

    :param at: when it came, in seconds since the epoch.
    :param version: the microversion that it asked for.
    :param status: of the answer; 0 where the connection was dropped.
    :param seconds: that the answer took.
    """

    at: float
    method: str
    path: str
    query: str
    version: str | None
    status: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return it for an answer."""
        moment = datetime.fromtimestamp(self.at, UTC).isoformat()
        return {**self._asdict(), "at": moment}


class Recorder:
    """Keeps the last requests."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=MOST)

    def note(self, request: Request, path: str, status: int, began: float) -> None:
        """Keep a request.

        :param path: as the client asked for it.
        :param began: by :func:`time.time`.
        """
        environ = request.environ
        version = environ.get("HTTP_X_OPENSTACK_IRONIC_API_VERSION")
        query = environ.get("QUERY_STRING", "")
        spent = time.time() - began
        self._entries.append(Entry(began, request.method, path, query, version, status, spent))

    def clear(self) -> None:
        """Forget all requests."""
        self._entries.clear()

    def find(
        self, *, method: str | None = None, path: str | None = None, status: int | None = None
    ) -> list[Entry]:
        """Return requests, the oldest first.

        :param method: only with this method.
        :param path: only for these paths; ``*`` stands for anything.
        :param status: only with an answer of this status.
        """
        return [
            entry
            for entry in list(self._entries)
            if method in (None, entry.method)
            and (path is None or fnmatchcase(entry.path, path))
            and status in (None, entry.status)
        ]

    def assert_asked(self, method: str, path: str, *, times: int | None = None) -> None:
        """Check that a request came.

        :param path: ``*`` stands for anything.
        :param times: how often exactly; at least once if not given.
        :raises AssertionError: if it didn't; tells what came instead.
        """
        number = len(self.find(method=method, path=path))
        if (number > 0) if times is None else (number == times):
            return
        came = "\n".join(f"  {entry.method} {entry.path} ({entry.status})" for entry in self.find())
        wanted = "at least once" if times is None else f"{times} times"
        raise AssertionError(
            f"{method} {path} was expected {wanted} and came {number} times. All that came:\n"
            f"{came or '  nothing'}"
        )
