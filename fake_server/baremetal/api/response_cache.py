"""Cache responses until the next write.

A client that waits for a node, or a dashboard, sends the same request again and again, and until
something is written gets the same response. Cached are responses that depend on nothing but the
request and the database, while the database belongs to this process alone.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Hashable

    from fake_server.common.caller import Caller
    from fake_server.common.wsgi import Request
    from fake_server.db.store import Store

#: Bytes of the longest body that is cached, and of all of them.
LONGEST = 256 * 1024
MOST_BYTES = 2 * 1024 * 1024
_HEADERS = ("HTTP_ACCEPT", "HTTP_OPENSTACK_API_VERSION", "HTTP_X_OPENSTACK_IRONIC_API_VERSION")


class CacheKey(NamedTuple):
    """All of a request that a cached response can depend on."""

    path: str
    query: str
    headers: tuple[str | None, ...]
    base_url: str
    caller: Caller | None

    @classmethod
    def of(cls, request: Request) -> CacheKey | None:
        """Return the key of a GET; ``None`` if its response can't be cached."""
        environ = request.environ
        if environ.get("CONTENT_LENGTH", "0") not in ("", "0"):
            return None
        return cls(
            request.path,
            environ.get("QUERY_STRING", ""),
            tuple([environ.get(name) for name in _HEADERS]),
            request.base_url,
            request.caller,
        )


class ResponseCache:
    """The responses for the present state of a database."""

    def __init__(self, store: Store) -> None:
        self._database = store
        self._responses: dict[Hashable, Response] = {}
        self._bytes = 0
        self._state: int | None = None
        self._lock = Lock()

    def find(self, key: Hashable) -> Response | None:
        """Return the cached response of a key, or ``None``."""
        if self._state is None or self._database.state() != self._state:
            return None
        cached = self._responses.get(key)
        return (
            None if cached is None else Response(cached.status, cached.body, list(cached.headers))
        )

    def store(self, key: Hashable, response: Response) -> None:
        """Cache a response; its transaction still has to be open."""
        state = self._database.state()
        if state is None or len(response.body) > LONGEST:
            return
        with self._lock:
            if state != self._state or self._bytes > MOST_BYTES:
                self._responses.clear()
                self._bytes = 0
                self._state = state
            self._responses[key] = Response(response.status, response.body, list(response.headers))
            self._bytes += len(response.body)
