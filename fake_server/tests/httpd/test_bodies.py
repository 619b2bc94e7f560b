"""Bodies of requests, as they come in pieces."""

from __future__ import annotations

import pytest

from fake_server.httpd import bodies

NEXT = b"GET /v1/ HTTP/1.1\r\n"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("headers", "sent"),
    [
        ({"CONTENT_LENGTH": "7"}, b"one two"),
        ({"HTTP_TRANSFER_ENCODING": "chunked"}, b"3\r\none\r\n4;a=b\r\n two\r\n0\r\n\r\n"),
        ({"HTTP_TRANSFER_ENCODING": "chunked"}, b"7\r\none two\r\n0\r\nX: y\r\nZ: 1\r\n\r\n"),
    ],
)
def test_a_body_is_the_same_in_whatever_pieces_it_comes(headers, sent, size):
    body = bodies.expected({"REQUEST_METHOD": "POST", **headers}, limit=100)
    buffer = bytearray()
    for begin in range(0, len(sent), size):
        assert not body.take(buffer)
        buffer += sent[begin : begin + size]
    buffer += NEXT
    assert body.take(buffer)
    assert (body.content, body.length, bytes(buffer)) == (b"one two", 7, NEXT)
