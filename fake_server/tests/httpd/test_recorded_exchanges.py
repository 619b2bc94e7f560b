"""What is sent back, to the byte, to what clients send over a raw socket.

Recorded from the listener, so that no change goes unnoticed. A deliberate change is written down
with ``--record -n 0``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fake_server.httpd import listener as listeners
from fake_server.httpd.connections import MAX_HEAD
from fake_server.tests import recorded
from fake_server.tests.httpd.listening import GET, HOST, LIMIT, POST, connect, exchange, serving

RECORD = Path(__file__).with_name("exchanges.json.gz")
OWN = re.compile(r"(?<=Date: )[^\r]+|(?<=_PORT\": \")\d+")
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


def line(text):
    """Return a request with a first line."""
    return text + b"\r\n" + HOST + b"\r\n"


def headers(*lines):
    """Return a request with headers."""
    return b"\r\n".join([b"GET /v1/ HTTP/1.1", *lines, b"", b""])


LINES = (
    *(b"GET /v1/ HTTP/1.1", b"GET /v1/ HTTP/1.0", b"GET /v1/ HTTP/1.2", b"GET /v1/ HTTP/2.0"),
    *(b"GET /v1/ HTTP/0.9", b"GET /v1/ HTTP/0.1", b"GET /v1/ HTTP/1.1.1", b"GET /v1/ HTTP/1"),
    *(b"GET /v1/ HTTP/a.b", b"GET /v1/ HTTP/1.x", b"GET /v1/ HTTX/1.1", b"GET /v1/ http/1.1"),
    *(b"GET /v1/", b"GET", b"", b"GET /v1/ a HTTP/1.1", b"  GET /v1/ HTTP/1.1  ", b"GET  /v1/"),
    *(b"get /v1/ HTTP/1.1", b"Get /v1/ HTTP/1.1", b"BOGUS /v1/ HTTP/1.1", b"\xff / HTTP/1.1"),
    *(b"GET http://x/v1/ HTTP/1.1", b"GET //v1/ HTTP/1.1", b"GET // HTTP/1.1", b"GET * HTTP/1.1"),
    *(b"GET v1 HTTP/1.1", b"GET ?a HTTP/1.1", b"GET /v1/#f HTTP/1.1", b"GET /v1/# HTTP/1.1"),
    *(b"GET //[ HTTP/1.1", b"GET /a?b#c HTTP/1.1", b"GET /a?b=c&d=%20 HTTP/1.1"),
    *(b"GET /a%2Fb%2fc%20d HTTP/1.1", b"GET /\xc3\xa9 HTTP/1.1", b"GET /%C3%A9 HTTP/1.1"),
    *(b"GET /-._~:@!$&'()*+,;= HTTP/1.1", b'GET /"<>[]{}|^` HTTP/1.1', b"GET /a//b HTTP/1.1"),
    *(b"OPTIONS * HTTP/1.1", b"OPTIONS v1 HTTP/1.1", b"OPTIONS //v1 HTTP/1.1"),
    *(b"OPTIONS http://x/v1/?a#b HTTP/1.1", b"OPTIONS /a%20b HTTP/1.1"),
    *(b"CONNECT x:80 HTTP/1.1", b"CONNECT /v1/ HTTP/1.1", b"HEAD /v1/ HTTP/1.1"),
    *(b"GET /v1/ HTTP/1.1\nA: b", b"GET /crash HTTP/1.1", b"GET /drop HTTP/1.1"),
    *(b"GET /truncated HTTP/1.1", b"GET /later HTTP/1.1", b"HEAD /crash HTTP/1.1"),
)
HEADERS = {
    "no host": headers(),
    "no host in HTTP/1.0": b"GET /v1/ HTTP/1.0\r\n\r\n",
    "an empty host": headers(b"Host:"),
    "the same host twice": headers(b"Host: x", b"Host: x"),
    "two hosts": headers(b"Host: x", b"Host: y"),
    "the same length twice": headers(b"Host: x", b"Content-Length: 0", b"Content-Length: 0"),
    "two lengths": headers(b"Host: x", b"Content-Length: 0", b"Content-Length: 1"),
    "no colon": headers(b"Host: x", b"bogus"),
    "no name": headers(b"Host: x", b": bogus"),
    "no colon, first": headers(b"bogus", b"Host: x"),
    "a space in a name": headers(b"Host : x", b"A b: c"),
    "an underscore in a name": headers(b"Host: x", b"X_A: 1", b"X-B: 2", b"Content_Type: t"),
    "NUL in a value": headers(b"Host: x", b"A: b\0"),
    "NUL in a name": headers(b"Host: x", b"A\0: b"),
    "a CR in a value": headers(b"Host: x", b"A: b\rc"),
    "a LF in a value": headers(b"Host: x", b"A: b\nC: d"),
    "only LF": b"GET /v1/ HTTP/1.1\nHost: x\n\n",
    "a LF after the first line": b"GET /v1/ HTTP/1.1\r\nHost: x\n",
    "a folded line": headers(b"Host: x", b"A: b", b"  c", b"\td"),
    "a folded line with nothing": headers(b"Host: x", b"A: b", b"  ", b" c"),
    "a folded line after nothing": headers(b" a", b"Host: x"),
    "a folded line after an empty value": headers(b"Host: x", b"A:", b" b"),
    "lists": headers(
        b"Host: x",
        *(
            b"%s: %d" % (name, n)
            for name in (
                *(
                    b"Accept",
                    b"Accept-Charset",
                    b"Accept-Encoding",
                    b"Accept-Language",
                    b"Accept-Ranges",
                ),
                *(
                    b"Allow",
                    b"Cache-Control",
                    b"Connection",
                    b"Content-Encoding",
                    b"Content-Language",
                ),
                *(
                    b"Expect",
                    b"If-Match",
                    b"If-None-Match",
                    b"Pragma",
                    b"Proxy-Authenticate",
                    b"TE",
                ),
                *(
                    b"Trailer",
                    b"Upgrade",
                    b"Vary",
                    b"Via",
                    b"Warning",
                    b"WWW-Authenticate",
                    b"X-Other",
                ),
                *(b"Content-Type", b"User-Agent"),
            )
            for n in (1, 2)
        ),
    ),
    "a list with nothing first": headers(b"Host: x", b"Accept:", b"Accept: a"),
    "many": headers(b"Host: x", *(b"X-%d: %s" % (n, b"y" * 99) for n in range(20))),
    "close": headers(b"Host: x", b"Connection: close") + GET,
    "close, in a list": headers(b"Host: x", b"Connection: TE , Close") + GET,
    "keep-alive": headers(b"Host: x", b"Connection: keep-alive") + GET,
    "keep-alive in HTTP/1.0": b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + GET,
    "an empty line first": b"\r\n" + GET,
    "two empty lines first": b"\r\n\r\n" + GET,
    "three requests": GET * 3,
    "a cut first line": b"GET /v1/ HT",
    "a cut header": b"GET /v1/ HTTP/1.1\r\nHos",
    "nothing": b"",
    "TLS": b"\x16\x03\x01\x02\x00\x01",
    "nearly TLS": b"\x16\x02\x01\x02\x00\x01",
    "a head as long as it may be": b"GET / HTTP/1.1\r\nA: ".ljust(MAX_HEAD, b"x"),
    "a head that is too long": b"GET / HTTP/1.1\r\nA: ".ljust(MAX_HEAD + 1, b"x"),
}
BODIES = {
    **{
        f"a length of {text!r}": POST + b"Content-Length: %s\r\n\r\n{}" % text + GET
        for text in (
            *(b"2", b"+2", b"0", b"-1", b"-0", b"abc", b"", b"2, 2", b"0x2", b"2.0", b"02"),
            *(b" 2 ", b"1_0"),
        )
    },
    "a body as long as it may be": POST + b"Content-Length: %d\r\n\r\n" % LIMIT + b"x" * LIMIT,
    "a body that is too long": POST + b"Content-Length: %d\r\n\r\n" % (LIMIT + 1) + GET,
    "a cut body": POST + b"Content-Length: 3\r\n\r\n{}",
    "one that is expected": POST + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
    "one that is expected, in capitals": POST
    + b"Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n{}",
    "one that is expected, too long": POST
    + b"Expect: 100-continue\r\nContent-Length: 1001\r\n\r\n",
    "something else is expected": POST + b"Expect: x\r\nContent-Length: 2\r\n\r\n{}",
    "chunks": CHUNKED + b"3\r\nabc\r\n2;a=b\r\nde\r\n0\r\nX: y\r\n\r\n" + GET,
    "no chunk": CHUNKED + b"0\r\n\r\n" + GET,
    "a chunk as long as it may be": CHUNKED + b"3e8\r\n" + b"x" * LIMIT + b"\r\n0\r\n\r\n",
    "a chunk that is too long": CHUNKED + b"3e9\r\n",
    "chunks that are too long": CHUNKED + b"3e8\r\n" + b"x" * LIMIT + b"\r\n1\r\n",
    "a chunk longer than announced": CHUNKED + b"2\r\n{}x\r\n0\r\n\r\n",
    "a chunk shorter than announced": CHUNKED + b"3\r\n{}\r\n0\r\n\r\n",
    "a cut chunk": CHUNKED + b"2\r\n{",
    "no end of chunks": CHUNKED + b"2\r\n{}\r\n0\r\n",
    "a length of 16 digits": CHUNKED + b"2".rjust(16, b"0") + b"\r\n{}\r\n0\r\n\r\n",
    "a length of 17 digits": CHUNKED + b"2".rjust(17, b"0") + b"\r\n{}\r\n0\r\n\r\n",
    **{
        f"a chunk of {text!r}": CHUNKED + text + b"\r\n{}\r\n0\r\n\r\n"
        for text in (b"zz", b"-2", b"+2", b"", b" 2 ", b"2 ;x", b"0x2", b"0_2", b"A", b"g")
    },
    "a line as long as it may be": CHUNKED + b"1" * 4096,
    "a line that is too long": CHUNKED + b"1" * 4097,
    "chunks and a length": POST
    + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    **{
        f"in {coding!r}": POST + b"Transfer-Encoding: %s\r\n\r\n2\r\n{}\r\n0\r\n\r\n" % coding
        for coding in (b"gzip", b"Chunked", b"gzip, chunked", b"chunked, ", b"identity", b",", b"")
    },
}
ASKED = {
    "lines": {text.decode("latin-1"): line(text) for text in LINES},
    "headers": HEADERS,
    "bodies": BODIES,
}


def told(answer):
    return OWN.sub("-", answer.decode("latin-1"))


@pytest.mark.parametrize("kind", ASKED)
def test_answers_are_as_recorded(request, kind):
    with serving(reading=5, idle=5, lingering=0.5) as port:
        found = {name: told(exchange(port, data)) for name, data in ASKED[kind].items()}
    recorded.check(request, RECORD, kind, found)


@pytest.mark.parametrize(
    "half",
    [b"", b"G", b"GET /v1/ HTTP/1.1\r\nHos", POST + b"Content-Length: 3\r\n\r\n{}", CHUNKED + b"2"],
)
def test_slow_clients_are_told_what_is_recorded(request, monkeypatch, half):
    monkeypatch.setattr(listeners, "_TICK", 0.05)
    limits = {"reading": 0.1, "idle": 0.1, "lingering": 0.5}
    with serving(**limits) as port, connect(port) as sock:
        sock.sendall(half)
        answer = b""
        while piece := sock.recv(65536):
            answer += piece
    recorded.check(request, RECORD, f"slow: {half!r}", told(answer))
