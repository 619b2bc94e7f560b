"""Answers that hold until something is written.

Who waits for a node, or draws a dashboard, asks for the same again and again, and between two
changes gets the same. An answer holds as long as it comes of the request and of the database
alone, and the database is the server's own.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Hashable

    from fake_server.common.wsgi import Request
    from fake_server.db.store import Store
    from fake_server.identity.caller import Caller

#: Bytes of the longest answer that is kept, and of all of them.
LONGEST = 256 * 1024
MOST_BYTES = 2 * 1024 * 1024
_HEADERS = ("HTTP_ACCEPT", "HTTP_OPENSTACK_API_VERSION", "HTTP_X_OPENSTACK_IRONIC_API_VERSION")


class Question(NamedTuple):
    """All of a request that its answer can depend on."""

    path: str
    query: str
    headers: tuple[str | None, ...]
    base_url: str
    caller: Caller | None

    @classmethod
    def of(cls, request: Request) -> Question | None:
        """Return what a request asks; ``None`` if the answer can't be one that holds."""
        environ = request.environ
        if request.method != "GET" or environ.get("CONTENT_LENGTH", "0") not in ("", "0"):
            return None
        return cls(
            request.path,
            environ.get("QUERY_STRING", ""),
            tuple([environ.get(name) for name in _HEADERS]),
            request.base_url,
            request.caller,
        )


class LastingAnswers:
    """The answers of the present state of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[Hashable, Response] = {}
        self._bytes = 0
        self._state: int | None = None
        self._lock = Lock()

    def find(self, question: Hashable) -> Response | None:
        """Return the answer to a question if it is known and holds."""
        if self._state is None or self._store.state() != self._state:
            return None
        kept = self._kept.get(question)
        return None if kept is None else Response(kept.status, kept.body, list(kept.headers))

    def keep(self, question: Hashable, response: Response) -> None:
        """Keep an answer; the transaction that it comes of has to be open still."""
        state = self._store.state()
        if state is None or len(response.body) > LONGEST:
            return
        with self._lock:
            if state != self._state or self._bytes > MOST_BYTES:
                self._kept.clear()
                self._bytes = 0
                self._state = state
            self._kept[question] = Response(response.status, response.body, list(response.headers))
            self._bytes += len(response.body)
