"""Decoding the bodies of responses."""

from __future__ import annotations

import gc
import gzip

import pytest

from baremetalclient import exc
from baremetalclient._http.response import Response
from baremetalclient.tests.unit.scripted import Reply


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("end", [b"]", b"is no JSON"])
def test_the_garbage_collector_is_left_as_it_was(enabled, end):
    response = Response(200, {}, b"[" + b"1," * 200_000 + b"1" + end, "GET http://lab/v1/nodes")
    was_enabled = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        if end == b"]":
            assert len(response.json()) == 200_001
        else:
            with pytest.raises(exc.InvalidResponse):
                response.json()
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_numbers_that_no_json_can_hold_are_text(scripted):
    client, _ = scripted(Reply(b'{"uuid": "u", "extra": {"n": [1e999, -1e999, NaN, 1.5]}}'))
    assert client.node.get("n").extra == {"n": ["1e999", "-1e999", "NaN", 1.5]}
    client, _ = scripted(Reply(b'{"n": 1e999}'))
    assert client.node.vendor_passthru("n", "m").n == "1e999"


@pytest.mark.parametrize("deadline", [None, 60])
@pytest.mark.parametrize(
    "reply",
    [
        Reply(gzip.compress(b" " * 10_000_000), headers={"Content-Encoding": "gzip"}),
        Reply(b" " * 2_000_000),
    ],
)
def test_a_body_that_is_too_large_is_not_read(scripted, reply, deadline):
    client, _ = scripted(reply, max_response_size=1_000_000)
    with pytest.raises(exc.InvalidResponse, match="is larger than 1,000,000 bytes"):
        client.node.list(deadline=deadline)


def test_only_the_beginning_of_a_long_error_is_looked_at(scripted):
    for content in (b"<html>" + b"<p>password: x" * 500_000, b"token=x " * 500_000):
        client, _ = scripted(Reply(content, 400))
        with pytest.raises(exc.BadRequest) as caught:
            client.node.get("n")
        assert len(str(caught.value)) < 5000


def test_too_many_requests_are_sent_again_after_the_time_that_the_server_names(scripted):
    client, server = scripted(Reply(status=429, headers={"Retry-After": "0"}), Reply({"uuid": "u"}))
    assert client.node.get("n").uuid == "u"
    assert len(server.requests) == 2
    client, server = scripted(Reply(status=429))
    with pytest.raises(exc.TooManyRequests):
        client.node.get("n")
    assert len(server.requests) == 1
