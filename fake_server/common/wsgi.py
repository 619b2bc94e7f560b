"""WSGI requests and responses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote_to_bytes

from fake_server.common import randomness

if TYPE_CHECKING:
    from fake_server.common.caller import Caller

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

#: Key of the environment of a request that the listener holds back as long as it is asked to.
CAN_POSTPONE = "fake_server.can_postpone"
#: Key of the environment of a request that was held back: answers it.
RESUME = "fake_server.resume"
_REASONS = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}
# Names that HTTP had when Ironic's framework was written.
_REASONS[413] = "413 Request Entity Too Large"


class ConnectionDropped(Exception):
    """Raised by an application to close the connection without an answer."""


class Postponed(Exception):
    """Raised by an application to be called again later, with :data:`RESUME` in the environment.

    :param seconds: until then.
    :param answer: answers the request then.
    """

    def __init__(self, seconds: float, answer: Callable[[], Response]) -> None:
        super().__init__(f"postponed for {seconds} seconds")
        self.seconds = seconds
        self.answer = answer


class Request:
    """A request: its method, path, query, headers and body."""

    __slots__ = (
        "_body",
        "_id",
        "_query",
        "caller",
        "environ",
        "has_route",
        "method",
        "mount",
        "path",
        "writes",
    )

    def __init__(self, environ: Environ) -> None:
        self.environ = environ
        self.method: str = environ["REQUEST_METHOD"]
        # WSGI hands the bytes of the path over as latin-1.
        self.path: str = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
        #: Where the service is mounted that answers it; empty for the Bare Metal API at the root.
        self.mount = ""
        #: The user that sends it, once authenticated.
        self.caller: Caller | None = None
        #: Whether answering it may change anything.
        self.writes = self.method not in ("GET", "HEAD")
        #: Whether a service has its path, at some version.
        self.has_route = True
        self._id: str | None = None
        self._body: bytes | None = None
        self._query: dict[str, Any] | None = None

    def restart(self, path: str) -> None:
        """Go back to the path that the client asked for, as it was before a service was found."""
        self.path, self.mount = path, ""

    def header(self, name: str) -> str | None:
        """Return a header; ``name`` in its environment form, such as ``HTTP_ACCEPT``."""
        return self.environ.get(name)

    @property
    def id(self) -> str:
        """The id of the request, which the answer shows."""
        if self._id is None:
            self._id = f"req-{randomness.uuid()}"
        return self._id

    @property
    def content_type(self) -> str:
        """The media type of the body, without parameters; empty if there is none."""
        value: str = self.environ.get("CONTENT_TYPE") or ""
        return value.partition(";")[0].strip()

    @property
    def query(self) -> dict[str, Any]:
        """The query's values by name; a name that is repeated has a list."""
        if self._query is None:
            text = self.environ.get("QUERY_STRING")
            self._query = mixed(text) if text else {}
        return self._query

    @property
    def path_is_text(self) -> bool:
        """Whether the path is UTF-8."""
        return "\ufffd" not in self.path or _is_utf8(self.environ["PATH_INFO"].encode("latin-1"))

    @property
    def query_is_text(self) -> bool:
        """Whether the query is UTF-8."""
        query = self.environ.get("QUERY_STRING", "")
        if "%" not in query and query.isascii():
            return True
        return _is_utf8(unquote_to_bytes(query.encode("latin-1")))

    @property
    def body(self) -> bytes:
        """The body, read once."""
        if self._body is None:
            length = self.environ.get("CONTENT_LENGTH") or 0
            stream = self.environ.get("wsgi.input") or BytesIO()
            try:
                size = int(length)
            except ValueError:
                size = 0
            if size > 0:
                self._body = stream.read(size)
            elif self.environ.get("HTTP_TRANSFER_ENCODING", "").lower() == "chunked":
                self._body = stream.read()
            else:
                self._body = b""
        return self._body

    @property
    def host_url(self) -> str:
        """Scheme and host as the client addressed them."""
        environ = self.environ
        scheme = environ["wsgi.url_scheme"]
        host = environ.get("HTTP_HOST")
        if host is None:
            host = f"{environ['SERVER_NAME']}:{environ['SERVER_PORT']}"
        default = ":443" if scheme == "https" else ":80"
        return f"{scheme}://{host.removesuffix(default)}"

    @property
    def base_url(self) -> str:
        """The address of the service that answers, as the client addressed it."""
        return f"{self.host_url}/{self.mount}" if self.mount else self.host_url


def internal_request(
    caller: Caller | None,
    method: str,
    path: str,
    data: bytes = b"",
    *,
    headers: Mapping[str, str],
) -> Request:
    """Return a request that comes from within the process.

    :param caller: the user that it is from.
    :param path: its path, percent-encoded, with the query.
    :param data: its body, in JSON.
    :param headers: further headers, by their names in the environment.
    """
    path, _, query = path.partition("?")
    request = Request(
        {
            "REQUEST_METHOD": method,
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "CONTENT_TYPE": "application/json" if data else "",
            "CONTENT_LENGTH": str(len(data)),
            "wsgi.input": BytesIO(data),
            "wsgi.url_scheme": "http",
            "HTTP_HOST": "localhost",
            "HTTP_ACCEPT": "application/json",
            **headers,
        }
    )
    request.caller = caller
    return request


class Response:
    """A response; ``afterwards`` is called once it was sent."""

    __slots__ = ("afterwards", "body", "headers", "status")

    def __init__(
        self, status: int = 200, body: bytes = b"", headers: list[tuple[str, str]] | None = None
    ) -> None:
        self.status = status
        self.body = body
        self.headers = headers if headers is not None else []
        self.afterwards: Callable[[], object] | None = None

    def start(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Send it the WSGI way."""
        headers = self.headers
        if self.status != HTTPStatus.NO_CONTENT:
            headers.append(("Content-Length", str(len(self.body))))
        start_response(_REASONS.get(self.status, f"{self.status} Unknown"), headers)
        parts = () if environ["REQUEST_METHOD"] == "HEAD" else (self.body,)
        return parts if self.afterwards is None else _Parts(parts, self.afterwards)


class _Parts:
    """A body with work to do after it was sent: servers call ``close()`` then."""

    def __init__(self, parts: Iterable[bytes], afterwards: Callable[[], object]) -> None:
        self._parts = parts
        self.close = afterwards

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._parts)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def mixed(text: str) -> dict[str, Any]:
    """Parse a query or a form; a name that is repeated has a list of its values."""
    values: dict[str, Any] = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        if name not in values:
            values[name] = value
        elif isinstance(values[name], list):
            values[name].append(value)
        else:
            values[name] = [values[name], value]
    return values
