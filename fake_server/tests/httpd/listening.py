"""A listener with an application that misbehaves on demand, and raw connections to it."""

from __future__ import annotations

import json
import re
import socket
from contextlib import contextmanager
from threading import Thread

from fake_server.common.wsgi import RESUME, ConnectionDropped, Postponed
from fake_server.httpd.connections import Limits
from fake_server.httpd.listener import Listener

HOST = b"Host: x\r\n"
GET = b"GET /v1/ HTTP/1.1\r\n" + HOST + b"\r\n"
POST = b"POST /v1/nodes HTTP/1.1\r\n" + HOST
LIMIT = 1000


def application(environ, start_response):
    """Tell what it was asked; some paths misbehave."""
    path = environ["PATH_INFO"]
    if path == "/drop":
        raise ConnectionDropped
    if path == "/crash":
        raise RuntimeError("no")
    if path in ("/later", "/much-later") and RESUME not in environ:
        raise Postponed(0.01 if path == "/later" else 3600, lambda: None)
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = environ["wsgi.input"].read()
    status = "413 Request Entity Too Large" if length > LIMIT else "200 OK"
    seen = {name: value for name, value in environ.items() if isinstance(value, str)}
    data = json.dumps({**seen, "body": body.decode("latin-1")}).encode()
    if path == "/large":
        data = b"x" * 20_000_000
    missing = 10 if path == "/truncated" else 0
    start_response(status, [("Content-Length", str(len(data)))])
    return [data[: len(data) - missing]]


@contextmanager
def serving(answer=application, workers=8, largest=LIMIT, tls=None, **limits):
    """Serve in a thread, and yield the port."""
    found = Limits(lambda path: largest, **limits)
    listener = Listener(answer, "127.0.0.1", 0, found, workers=workers, tls=tls)
    listener.bind()
    assert listener.url.startswith("https://127.0.0.1:" if tls else "http://127.0.0.1:")
    thread = Thread(target=listener.serve)
    thread.start()
    try:
        yield int(listener.url.rpartition(":")[2])
    finally:
        listener.stop()
        thread.join(5)
    assert not thread.is_alive()


def connect(port):
    sock = socket.create_connection(("127.0.0.1", port))
    sock.settimeout(5)
    return sock


def exchange(port, data):
    """Send bytes and no more; return all that comes back."""
    with connect(port) as sock:
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
        return read_all(sock)


def read_all(sock):
    answer = b""
    while piece := sock.recv(65536):
        answer += piece
    return answer


def read_until_the_end(sock):
    answer = b""
    try:
        while piece := sock.recv(65536):
            answer += piece
    except ConnectionResetError:
        pass
    return answer


def statuses(answer):
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d\d\d) ", answer)]


def seen(answer):
    return json.loads(answer.rpartition(b"\r\n\r\n")[2])
