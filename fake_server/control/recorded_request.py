"""A request that a server received, and its response."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from sys import intern
from typing import TYPE_CHECKING, Any, TypeAlias

from fake_server.common import json_text
from fake_server.common.redaction import secrets_of
from fake_server.control.fault import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.common.redaction import Redactor
    from fake_server.common.wsgi import Environ, Request, Response

Headers: TypeAlias = "tuple[tuple[str, str], ...]"
#: Bytes of a body that are kept; of a longer one, nothing is.
LONGEST_BODY = 64 * 1024
_NOT_PREFIXED = {"CONTENT_TYPE": "Content-Type", "CONTENT_LENGTH": "Content-Length"}


@dataclass(slots=True)
class RecordedRequest:
    """A request and its response.

    :param at: time at which it was received, in seconds since the epoch.
    :param moment: the time of the server's clock then.
    :param fault: id of the fault that was applied to it, if one was.
    :param url: scheme and host.
    :param version: the requested microversion.
    :param status: status of the response; 0 if the connection was dropped.
    :param seconds: duration of the response.
    :param sent: body of the request; ``None`` if it wasn't kept.
    :param answered: body of the response; ``None`` if it wasn't kept.
    """

    at: float
    moment: float
    fault: int | None
    method: str
    url: str
    path: str
    query: str
    version: str | None
    status: int
    seconds: float
    headers: Headers
    sent: bytes | None
    answer_headers: Sequence[tuple[str, str]]
    answered: bytes | None
    #: The secrets in it, once they were asked for.
    found: list[str] | None = None

    @classmethod
    def of(
        cls,
        request: Request,
        path: str,
        response: Response | None,
        *,
        began: float,
        ended: float,
        moment: float,
        fault: int | None,
    ) -> RecordedRequest:
        """Return the record of a request; see :meth:`.recorder.Recorder.note`."""
        environ = request.environ
        return cls(
            began,
            moment,
            fault,
            request.method,
            intern(request.host_url),
            intern(path),
            environ.get("QUERY_STRING", ""),
            environ.get("HTTP_X_OPENSTACK_IRONIC_API_VERSION"),
            0 if response is None else response.status,
            ended - began,
            headers_of(environ),
            _kept(request.body),
            () if response is None else tuple(response.headers),
            b"" if response is None else _kept(response.body),
        )

    def matches(
        self,
        method: str | None = None,
        path: str | None = None,
        status: int | str | None = None,
        node: str | None = None,
        version: str | None = None,
    ) -> bool:
        """Return whether it matches; see :meth:`.recorder.Recorder.find`."""
        shown = str(self.status)
        wanted = None if status is None else str(status)
        return (
            method in (None, self.method)
            and (path is None or fnmatchcase(plain(self.path), plain(path)))
            and (wanted in (None, shown) or wanted == f"{shown[0]}xx")
            and (node is None or node in self.path.split("/"))
            and version in (None, self.version)
        )

    def json(self) -> Any:
        """Return the decoded body of the request; ``None`` if there was none, or it wasn't kept.

        :raises ValueError: if it isn't JSON.
        """
        return json_text.parse(self.sent) if self.sent else None

    @property
    def id(self) -> str:
        """The time in microseconds: requests of several processes have no common numbers."""
        return str(round(self.at * 1e6))

    def as_json(self, redactor: Redactor) -> dict[str, Any]:
        """Return it as JSON, without headers and bodies."""
        return {
            "id": self.id,
            "at": datetime.fromtimestamp(self.at, UTC).isoformat(),
            "method": self.method,
            "path": redactor.text(self.path),
            "query": redactor.query(self.query),
            "version": self.version,
            "status": self.status,
            "seconds": self.seconds,
            "moment": datetime.fromtimestamp(self.moment, UTC).isoformat(),
            "fault": self.fault,
        }

    def secrets(self) -> list[str]:
        """Return the values that are secrets by their names."""
        if self.found is None:
            headers = [*self.headers, *self.answer_headers]
            self.found = secrets_of(headers, self.query, (self.sent, self.answered))
        return self.found

    def forget_bodies(self) -> int:
        """Drop its bodies; return the number of their bytes."""
        size = self.size()
        self.sent = self.answered = None
        return size

    def size(self) -> int:
        """Return the number of bytes of the bodies that it keeps."""
        return len(self.sent or b"") + len(self.answered or b"")

    def values(self) -> tuple[Any, ...]:
        """Return the values of its fields, in their order; the class takes them back."""
        return tuple(getattr(self, name) for name in self.__slots__ if name != "found")


def _kept(body: bytes) -> bytes | None:
    return body if len(body) <= LONGEST_BODY else None


def headers_of(environ: Environ) -> Headers:
    """Return the headers of a request; equal ones are the same objects each time."""
    return _kept_once(
        tuple(
            _header(variable, value)
            for variable, value in environ.items()
            if variable.startswith("HTTP_") or (variable in _NOT_PREFIXED and value)
        )
    )


# Thousands of requests have the same headers, alone or together.
@lru_cache(maxsize=32)
def _kept_once(headers: Headers) -> Headers:
    return headers


@lru_cache(maxsize=128)
def _header(variable: str, value: str) -> tuple[str, str]:
    return _NOT_PREFIXED.get(variable) or variable[5:].replace("_", "-").title(), value
