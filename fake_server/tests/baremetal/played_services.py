"""Agents and web services that tests play over HTTP."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class JsonHandler(BaseHTTPRequestHandler, ABC):
    """Reads and answers JSON, and logs nothing; subclasses have ``get`` and ``post``."""

    def do_GET(self) -> None:
        """Answer a GET request."""
        self.get()

    def do_POST(self) -> None:
        """Answer a POST request."""
        self.post()

    @abstractmethod
    def get(self) -> None:
        """Answer a GET request."""

    @abstractmethod
    def post(self) -> None:
        """Answer a POST request."""

    def sent(self) -> Any:
        """Return the body of the request."""
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def answer(self, body: Any, status: int = 200, **headers: str) -> None:
        """Send a response."""
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: Any) -> None:
        """Print nothing."""


@contextmanager
def played(handler: type[JsonHandler], **state: Any) -> Iterator[Any]:
    """Serve requests in a thread; handlers find the state in attributes of their ``server``."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        vars(server).update(state)
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
