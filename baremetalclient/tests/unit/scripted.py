"""An HTTP server that gives the responses that a test has written down."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

from baremetalclient.microversion import CLIENT_MAX

if TYPE_CHECKING:
    from collections.abc import Callable


def offering(highest: str) -> dict[str, str]:
    """Return the headers of a server that offers 1.1 and later versions."""
    return {
        "X-OpenStack-Ironic-API-Minimum-Version": "1.1",
        "X-OpenStack-Ironic-API-Maximum-Version": highest,
    }


VERSIONS = offering(str(CLIENT_MAX))


@dataclass(frozen=True, eq=False)
class Request:
    """A request that the server got."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.target).path)

    @property
    def query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def version(self) -> str | None:
        return self.headers.get("x-openstack-ironic-api-version")


@dataclass(frozen=True)
class Reply:
    """A response: JSON, unless it is given as bytes; ``cut`` drops the connection instead.

    The body is sent byte by byte if there is something to call between two of them.
    """

    body: Any = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    truncated: bool = False
    delay: float = 0
    between_bytes: Callable[[], object] | None = None


CUT = Reply(cut=True)


def fault(message: str, status: int = 400, **headers: str) -> Reply:
    """Return an error as Ironic encodes it."""
    inner = json.dumps({"faultcode": "Client", "faultstring": message, "debuginfo": None})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply({"error_message": inner}, status, named)


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


class ScriptedServer:
    """Answers ``GET /v1`` with the versions it offers, all else from the script, in order.

    The last response of the script is repeated. A version that it does not offer is refused.
    """

    def __init__(self, *script: Reply, versions: dict[str, str] | None = None) -> None:
        self.script = list(script) or [Reply()]
        self.versions = VERSIONS if versions is None else versions
        self.all_requests: list[Request] = []
        self.refused: list[Request] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 65536

            def log_message(self, *args: object) -> None:
                pass

            def handle_request(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                request = Request(
                    self.command,
                    self.path,
                    {name.lower(): value for name, value in self.headers.items()},
                    self.rfile.read(length),
                )
                outer.all_requests.append(request)
                reply = outer.reply_to(request)
                time.sleep(reply.delay)
                if reply.cut:
                    self.close_connection = True
                    return
                body = reply.body
                if not isinstance(body, bytes):
                    body = json.dumps(body).encode()
                self.send_response(reply.status)
                headers = {"Content-Type": "application/json", **outer.versions, **reply.headers}
                for name, value in headers.items():
                    self.send_header(name, value)
                if reply.status != 204:
                    promised = len(body) + (10 if reply.truncated else 0)
                    self.send_header("Content-Length", str(promised))
                self.end_headers()
                if reply.between_bytes is not None:
                    for byte in body:
                        self.wfile.write(bytes([byte]))
                        self.wfile.flush()
                        reply.between_bytes()
                elif reply.status != 204:
                    self.wfile.write(body)
                if reply.truncated:
                    self.close_connection = True

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request  # noqa: N815

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def reply_to(self, request: Request) -> Reply:
        if request.path == "/v1":
            return Reply({"id": "v1"})
        if not self._offers(request.version):
            self.refused.append(request)
            return fault("The version is not supported.", 406)
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def _offers(self, version: str | None) -> bool:
        if version is None or not self.versions:
            return True
        lowest, highest = (
            self.versions[f"X-OpenStack-Ironic-API-{end}-Version"] for end in ("Minimum", "Maximum")
        )
        return _number(lowest) <= _number(version) <= _number(highest)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def requests(self) -> list[Request]:
        """The requests but for those that ask for the versions, or in a version not offered."""
        return [
            request
            for request in self.all_requests
            if request.path != "/v1" and request not in self.refused
        ]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
