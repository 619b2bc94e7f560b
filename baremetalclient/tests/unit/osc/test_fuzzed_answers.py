"""Whatever a server answers, and however it sends that, a command ends with a sentence."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.hostile import HostileServer, unprintable
from baremetalclient.tests.unit.osc.everything import run_here, words_of
from baremetalclient.tests.unit.osc.test_hostile_server import NAMES, OPTIONS
from baremetalclient.tests.unit.scripted import ScriptedServer

#: How long a server goes on sending, and the time limit of a request.
ENDLESS = 20
TIMEOUT = "2"
MAIN = "import sys\nfrom baremetalclient.shell import main\nsys.exit(main())"
LIST = ("--deadline", "3", "--max-retries", "0", "node", "list")
CHUNK = b"a" * 65536


def endless(start, piece, pause=0.0):
    """Return a function that sends a start, and then pieces until nobody listens any more."""

    def send(connection):
        connection.sendall(start)
        end = time.monotonic() + ENDLESS
        while time.monotonic() < end:
            connection.sendall(piece)
            time.sleep(pause)

    return send


def once(content):
    """Return a function that sends something and hangs up."""
    return lambda connection: connection.sendall(content)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
STREAMS = {
    "a body without an end": endless(HEAD + b"\r\n", CHUNK),
    "a body that drips without an end": endless(
        HEAD + b"Content-Length: 99999\r\n\r\n", b" ", 0.05
    ),
    "chunks without an end": endless(CHUNKED, b"10000\r\n" + CHUNK + b"\r\n"),
    "a size of a chunk without an end": endless(CHUNKED, b"0" * 1000),
    "headers without an end": endless(HEAD, b"X-A: b\r\n"),
    "a header without an end": endless(HEAD + b"X-A: ", CHUNK),
    "a status without an end": endless(b"HTTP/1.1 200 ", CHUNK),
    "interim responses without an end": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "silence without an end": endless(b"", b"", 0.1),
    "a list without an end": endless(HEAD + b"\r\n" + b'{"nodes": [', b'{"uuid": "u"},'),
    "what is no HTTP": once(b"\x16\x03\x01\x02\x00\x01\x00" * 50),
    "a length that is none": once(HEAD + b"Content-Length: x\r\n\r\n{}"),
    "a negative length": once(HEAD + b"Content-Length: -1\r\n\r\n{}"),
    "a huge length": once(HEAD + b"Content-Length: 99999999999999999999\r\n\r\n{}"),
    "two lengths": once(HEAD + b"Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}"),
    "a wrong chunk": once(CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n"),
    "what is not compressed": once(HEAD + b"Content-Encoding: gzip\r\n\r\n{}"),
    "another encoding": once(HEAD + b"\r\n" + '{"nodes": []}'.encode("utf-16")),
    "UTF-8 with a mark": once(HEAD + b"\r\n\xef\xbb\xbf{}"),
    "half of a character": once(HEAD + b'\r\n{"name": "\xc3"}'),
    "an old version": once(b"HTTP/0.9 200\r\n\r\n{}"),
    "no status": once(b"HTTP/1.1\r\n\r\n{}"),
    "a status that is none": once(b"HTTP/1.1 999999 X\r\n\r\n{}"),
    "control characters": once(b"HTTP/1.1 500 \x1b[2J\r\nX\x1b: \x1b[2J\r\n\r\n\x1b[2J"),
}


class Streaming:
    """A server that answers each request in one way, without knowing HTTP."""

    def __init__(self, send):
        self._send = send
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exception):
        self._socket.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with connection:
            try:
                connection.recv(65536)
                self._send(connection)
            except OSError:
                return


def problem_of(words, capsys):
    """Run a command; return what is wrong with how it ends."""
    begun = time.monotonic()
    code, out, err = run_here(words, capsys)
    spent = time.monotonic() - begun
    found = unprintable(out + err)
    # A machine with much to do needs longer than the deadline.
    fine = not found and "Traceback" not in err and "Error(" not in err and spent < ENDLESS - 2
    return "" if fine and (code == 0 or err) else f"{code} {found} {spent:.1f} s {err[-300:]!r}"


@settings(suppress_health_check=list(HealthCheck))
@given(name=st.sampled_from(NAMES), seed=st.integers(0, 2**32))
def test_a_command_ends_with_a_sentence(capsys, name, seed):
    with ScriptedServer() as elsewhere:
        with HostileServer((name, seed), elsewhere.url) as server:
            words = ["--os-endpoint", server.url, *OPTIONS, *words_of(name)]
            assert not problem_of(words, capsys)
        assert elsewhere.all_requests == []


@pytest.mark.parametrize("stream", [name for name in STREAMS if not name.endswith("end")])
@pytest.mark.parametrize("name", ["node list", "node create", "volume connector show"])
def test_a_command_ends_whatever_is_sent(capsys, name, stream):
    with Streaming(STREAMS[stream]) as server:
        line = ["--os-endpoint", server.url, "--timeout", TIMEOUT, "--max-retries", "0"]
        assert not problem_of([*line, *words_of(name)], capsys)


@pytest.mark.slow("a process for each server that doesn't end")
@pytest.mark.parametrize("stream", [name for name in STREAMS if name.endswith("end")])
def test_the_deadline_of_a_command_ends_whatever_is_sent(stream):
    with Streaming(STREAMS[stream]) as server:
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "--os-endpoint", server.url, *LIST],
            capture_output=True,
            text=True,
        )
    assert done.returncode in (1, 124)
    assert "Traceback" not in done.stderr
    assert time.monotonic() - begun < ENDLESS - 2


@pytest.mark.slow("a server that doesn't end, until the deadline of the call")
# The standard library reads interim responses as long as there are some.
@pytest.mark.parametrize("stream", [name for name in STREAMS if not name.startswith("interim")])
@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.node.list(deadline=1),
        lambda client: client.node.create(driver="d", deadline=1),
        lambda client: client.volume_connector.get("x", deadline=1),
    ],
    ids=["list", "create", "get"],
)
def test_a_deadline_ends_whatever_is_sent(call, stream):
    with Streaming(STREAMS[stream]) as server:
        client = clients.get_client(1, endpoint=server.url, max_retries=0)
        begun = time.monotonic()
        with contextlib.suppress(exc.ClientException):
            call(client)
        assert time.monotonic() - begun < ENDLESS - 5
