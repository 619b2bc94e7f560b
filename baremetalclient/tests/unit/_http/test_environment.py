"""What the environment of the user adds to requests, and what it doesn't."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient._http.text import printable
from baremetalclient.tests.unit.scripted import Reply


def test_passwords_of_netrc_are_not_sent(scripted, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    client, server = scripted(Reply({"uuid": "u"}))
    client.node.get("n")
    assert [request.headers.get("authorization") for request in server.all_requests] == [None]


def test_credentials_of_the_endpoint_are_sent(scripted):
    _, server = scripted(Reply({"uuid": "u"}))
    client, _ = scripted(endpoint=server.url.replace("//", "//u:p@"))
    client.node.get("n")
    expected = f"Basic {base64.b64encode(b'u:p').decode()}"
    assert {request.headers.get("authorization") for request in server.all_requests} == {expected}


def test_a_dead_proxy_is_named(scripted, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    client, _ = scripted(endpoint="http://ironic.test:6385", max_retries=0)
    with pytest.raises(exc.ConnectionError, match=r"proxy that the environment names.*refused"):
        client.node.get("n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb", r"a\u200bb"),
        ("a\u2060\ufeffb", r"a\u2060\ufeffb"),
        ("\u202ea", r"\u202ea"),
        ("a\U000e0041", r"a\U000e0041"),
        ("\x1b[2J", r"\x1b[2J"),
        ("é\tä\n", "é\tä\n"),
    ],
)
def test_characters_that_are_not_seen_are_shown(text, shown):
    assert printable(text) == shown


def test_numbers_that_are_no_json_are_text(scripted):
    client, _ = scripted(Reply(b'{"uuid": "u", "extra": {"a": NaN, "b": -Infinity}}'))
    assert client.node.get("n").extra == {"a": "NaN", "b": "-Infinity"}


def test_words_of_any_language_stay():
    assert printable("Knoten № 1: 节点 🙂\tx\n") == "Knoten № 1: 节点 🙂\tx\n"


@given(st.text())
def test_the_result_can_be_encoded_and_steers_nothing(text):
    result = printable(text)
    result.encode()
    assert all(letter in "\n\t" or ord(letter) >= 0x20 for letter in result)
