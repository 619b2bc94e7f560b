"""What clients send and read over raw sockets, rightly or wrongly, and what becomes of it.

Statuses are those that a real Ironic 39 gives to the same bytes; where that one fails with 500 or
waits for ever, it is 400, and in the cases that the documentation lists.
"""

from __future__ import annotations

import re
import socket
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


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (GET, [200]),
        (b"\r\n" + GET, [200]),
        (GET * 3, [200, 200, 200]),
        (b"GET /v1/ HTTP/1.0\r\n\r\n", [200]),
        (b"BOGUS /v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"GET // HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"GET //v1 HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"OPTIONS //v1 HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"GET ?a HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (
            b"GET /v1/ HTTP/1.1\r\nHost : x\r\nA b: c\r\n: d\r\nX: \xff\r\n folded\r\n\r\n",
            [200],
        ),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 500_000 + b"\r\n\r\n", [200]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 1_100_000, [413]),
        (b"GET /v1/ HTTP/2.0\r\n\r\n", [505]),
        (b"GET /v1/ HTTP/1.2\r\n\r\n", [505]),
        (b"GET /v1/ HTTX/1.1\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/a.b\r\n\r\n", [400]),
        (b"GET /v1/\r\n\r\n", [400]),
        (b"get /v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\nHost: x\n\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nA: b\nHost: x\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nNoColon\r\n\r\n", [400]),
        (b"GET http://x/v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET //v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET * HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"OPTIONS http://x/v1/?a#b HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"OPTIONS v1 HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"CONNECT /v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [405]),
        (b"GET /v1/ HTTP/0.9\r\n\r\n", [505]),
        (b"GET /v1/ HTTP/1.1.1\r\n\r\n", [400]),
        (b"GET v1 HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET /v1/#f HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", [405]),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", [400]),
        (b"\x16\x03\x01\x02\x00\x01", [400]),
        (b"GET /v1/ HTTP/1.1\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost:\r\n\r\n", [200]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA: b\rc: d\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA: b\r\r\n\r\n", [400]),
        (POST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", [200]),
        (POST + b"Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}", [400]),
        (b"GET /v1/ HT", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHos", [400]),
        (b"", []),
        (POST + b"Content-Length: 2\r\n\r\n{}" + GET, [200, 200]),
        (POST + b"Content-Length: +2\r\n\r\n{}", [200]),
        (POST + b"Content-Length: abc\r\n\r\n{}", [400]),
        (POST + b"Content-Length: \r\n\r\n", [400]),
        (POST + b"Content-Length: -1\r\n\r\n{}", [400]),
        (POST + b"Content-Length: 2, 2\r\n\r\n{}", [400]),
        (POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", [400]),
        (POST + b"Content-Length: 99999999999999999999\r\n\r\n{}", [413]),
        (POST + b"Content-Length: 10\r\n\r\n{}", [400]),
        (POST + b"Content-Length: 1_0\r\n\r\n{12345678}", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n", [400]),
        (
            POST + b"Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n" + GET,
            [200, 200],
        ),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 18 + b"\r\n{}", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 5000, [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nffff\r\n{", [413]),
        (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", [400]),
        (POST + b"Transfer-Encoding: gzip\r\n\r\n{}", [501]),
        (POST + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", [100, 200]),
        (b"GET /crash HTTP/1.1\r\nHost: x\r\n\r\n", [500]),
    ],
)
def test_what_clients_send_is_answered_or_refused(port, data, expected):
    assert statuses(exchange(port, data)) == expected
    assert statuses(exchange(port, GET)) == [200]


@pytest.mark.parametrize(
    "option", ["close", "Close", "close, TE", "TE,close", "TE\r\nConnection: close"]
)
def test_a_connection_is_closed_whose_client_says_so(port, option):
    with connect(port) as sock:
        sock.sendall(b"GET /v1/ HTTP/1.1\r\nHost: x\r\nConnection: %s\r\n\r\n" % option.encode())
        answer = read_all(sock)
    assert statuses(answer) == [200]
    assert b"Connection: close\r\n" in answer


def test_a_connection_of_http_1_0_is_closed(port):
    with connect(port) as sock:
        sock.sendall(b"GET /v1/ HTTP/1.0\r\nHost: x\r\n\r\n" + GET)
        assert statuses(read_all(sock)) == [200]


@pytest.mark.parametrize("option", ["keep-alive", "TE", "closed"])
def test_a_connection_stays_open_otherwise(port, option):
    head = b"GET /v1/ HTTP/1.1\r\nHost: x\r\nConnection: %s\r\n\r\n" % option.encode()
    assert statuses(exchange(port, head + GET)) == [200, 200]


def test_a_tls_client_is_refused_at_once(port):
    with connect(port) as sock:
        sock.sendall(b"\x16\x03\x01\x00\xa5\x01")
        assert statuses(read_all(sock)) == [400]


def test_a_refused_body_is_answered_though_the_client_still_sends(port):
    with connect(port) as sock:
        sock.sendall(POST + b"Content-Length: 3000000\r\n\r\n" + b"x" * 3_000_000)
        assert statuses(read_all(sock)) == [413]


def test_a_dropped_connection_says_nothing(port):
    assert exchange(port, b"GET /drop HTTP/1.1\r\nHost: x\r\n\r\n" + GET) == b""


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
