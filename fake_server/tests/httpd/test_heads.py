"""The heads of requests: whatever is sent is read or refused."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from fake_server.httpd import gateway, heads

NAMES = st.from_regex(r"\A[A-Za-z][A-Za-z0-9-]*\Z")
VALUES = st.from_regex(r"\A[!-~]([ -~]*[!-~])?\Z")


@given(st.binary() | st.from_regex(rb"[A-Z]+ /\S* HTTP/1\.[01]\r\n(\S+: ?.*\r\n)*"))
def test_any_bytes_are_a_head_or_refused(head):
    with contextlib.suppress(heads.Refusal):
        environ = heads.parse(head, {})
        assert environ["REQUEST_METHOD"]
        assert environ["SERVER_PROTOCOL"].startswith("HTTP/")


@given(st.dictionaries(NAMES.filter(lambda name: name.upper() != "HOST"), VALUES))
def test_headers_are_read_as_they_were_sent(sent):
    alone = {name.upper(): value for name, value in sent.items()}
    lines = [f"{name}: {value}" for name, value in alone.items()]
    head = "\r\n".join(["GET /v1 HTTP/1.1", "Host: h", *lines]).encode()
    environ = heads.parse(head, {})
    for name, value in alone.items():
        variable = name.replace("-", "_")
        plain = variable in ("CONTENT_TYPE", "CONTENT_LENGTH")
        assert environ[variable if plain else f"HTTP_{variable}"] == value


def test_lists_add_up_and_other_headers_are_replaced():
    lines = ["Host: a", "Accept: x", "Accept: y", "X-A: 1", "X-A: 2", "X_A: 3", "X-B: 1", " 2"]
    environ = heads.parse("\r\n".join(["GET / HTTP/1.1", *lines]).encode(), {"k": "v"})
    assert environ["HTTP_ACCEPT"] == "x, y"
    assert environ["HTTP_X_A"] == "2"
    assert environ["HTTP_X_B"] == "1 2"
    assert environ["k"] == "v"


def test_the_date_goes_on(monkeypatch):
    line = gateway._Date().line
    monkeypatch.setattr(gateway.time, "time", iter((7.1, 7.9, 8.2)).__next__)
    first = line()
    assert first.startswith("Date: Thu, 01 Jan 1970 00:00:07 GMT\r\n")
    assert line() == first
    assert line() == first.replace("00:00:07", "00:00:08")
