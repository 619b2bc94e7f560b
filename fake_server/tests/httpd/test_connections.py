"""What clients send and read over raw sockets, rightly or wrongly, and what becomes of it.

Statuses are those that a real Ironic 39 gives to the same bytes; where that one fails with 500 or
waits for ever, it is 400, and in the cases that the documentation lists.
"""

from __future__ import annotations

import re
import socket
from pathlib import Path
from threading import Event

import pytest

from fake_server.tests.httpd.listening import (
    GET,
    POST,
    connect,
    exchange,
    read_all,
    read_until_the_end,
    serving,
    statuses,
)

SENT = Path(__file__).with_name("sent.txt")
#: What RFC 9112 forbids because proxies may read it otherwise, though Ironic takes it.
AMBIGUOUS = [
    (line, [400])
    for line in (
        b"GET /v1/ HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n",
        b"GET /v1/ HTTP/1.1\r\nHost: x\r\n: d\r\n\r\n",
        POST + b"Content-Length: +2\r\n\r\n{}",
        POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    )
]
LONG = (
    (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 500_000 + b"\r\n\r\n", [200]),
    (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 1_100_000, [413]),
    (POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", [400]),
    (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 5000, [400]),
)


def test_what_clients_send_is_answered_or_refused(port):
    problems = []
    lines = SENT.read_text("utf-8").splitlines()[1:]
    found = [re.fullmatch(r"([\d ]+|-) (.*)", line).groups() for line in lines]
    sent = [
        (text.encode().decode("unicode_escape").encode("latin-1"), re.findall(r"\d+", expected))
        for expected, text in found
    ]
    for data, expected in (*sent, *AMBIGUOUS, *LONG):
        answered = statuses(exchange(port, data))
        if answered != [int(one) for one in expected] or statuses(exchange(port, GET)) != [200]:
            problems.append(f"{data[:80]}: {answered}")
    assert problems == []
    assert len(sent) >= 67


@pytest.mark.parametrize(
    "option", ["close", "Close", "close, TE", "TE,close", "TE\r\nConnection: close"]
)
def test_a_connection_is_closed_whose_client_says_so(port, option):
    with connect(port) as sock:
        sock.sendall(b"GET /v1/ HTTP/1.1\r\nHost: x\r\nConnection: %s\r\n\r\n" % option.encode())
        answer = read_all(sock)
    assert statuses(answer) == [200]
    assert b"Connection: close\r\n" in answer


@pytest.mark.parametrize("option", ["keep-alive", "TE", "closed"])
def test_a_connection_stays_open_otherwise(port, option):
    head = b"GET /v1/ HTTP/1.1\r\nHost: x\r\nConnection: %s\r\n\r\n" % option.encode()
    assert statuses(exchange(port, head + GET)) == [200, 200]


def test_a_refused_body_is_answered_though_the_client_still_sends(port):
    with connect(port) as sock:
        sock.sendall(POST + b"Content-Length: 3000000\r\n\r\n" + b"x" * 3_000_000)
        assert statuses(read_all(sock)) == [413]


def test_a_truncated_answer_ends_early_and_closes(port):
    with connect(port) as sock:
        sock.sendall(b"GET /truncated HTTP/1.1\r\nHost: x\r\n\r\n")
        head, _, body = read_all(sock).partition(b"\r\n\r\n")
    announced = int(re.search(rb"Content-Length: (\d+)", head)[1])
    assert announced - len(body) == 10


def test_a_large_answer_reaches_a_reader_that_takes_its_time(port):
    with socket.socket() as sock:
        # Most of the answer has to wait until something was read.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 256 * 1024)
        sock.settimeout(5)
        sock.connect(("127.0.0.1", port))
        sock.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert len(read_all(sock)) > 20_000_000


@pytest.mark.parametrize(
    ("half", "expected"),
    [
        (b"GET /v1/ HTTP/1.1\r\nHos", [408]),
        (POST + b"Content-Length: 10\r\n\r\n{}", [408]),
        (b"", []),
    ],
)
def test_slow_clients_run_out_of_time(port, half, expected):
    with connect(port) as sock:
        sock.sendall(half)
        assert statuses(read_all(sock)) == expected


def test_a_reader_that_takes_nothing_is_left(kind_of_readiness):
    left = Event()

    class Large(list):
        def close(self):
            left.set()

    def answer(environ, start_response):
        start_response("200 OK", [])
        return Large([b"x" * 20_000_000])

    with serving(answer, reading=0.2) as port, connect(port) as sock:
        sock.sendall(GET)
        assert left.wait(5)
        assert len(read_until_the_end(sock)) < 20_000_000


def test_a_dropped_connection_says_nothing(port):
    assert exchange(port, b"GET /drop HTTP/1.1\r\nHost: x\r\n\r\n" + GET) == b""
