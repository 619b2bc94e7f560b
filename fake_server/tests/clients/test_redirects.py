"""Credentials are sent to the server whose URL was given, and to no other."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler

import pytest

from fake_server.cli.connection import OneServerSession
from fake_server.clients.capture import CaptureError, Source
from fake_server.clients.controls import ControlClient, ControlError
from fake_server.tests.baremetal.played_services import played


class Redirecting(BaseHTTPRequestHandler):
    """Redirects each request to the server's ``target``, which is an Ironic of version 1.90."""

    def do_GET(self):
        self.server.asked.append(self.path)
        self.send_response(200 if self.path == "/moved" else 302)
        self.send_header("Location", self.server.target)
        self.send_header("X-OpenStack-Ironic-API-Version", "1.90")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def other():
    """Another server, which nobody may ask."""
    with played(Redirecting, target="/moved", asked=[]) as server:
        yield server
        assert server.asked == []


@pytest.fixture
def session():
    with OneServerSession() as session:
        session.headers["X-Auth-Token"] = "secret"
        yield session


def url(server, host="127.0.0.1"):
    return f"http://{host}:{server.server_port}"


def test_a_capture_follows_redirects_within_the_server(session):
    with played(Redirecting, target="/moved", asked=[]) as server:
        assert Source(url(server), session).minor == 90
    assert server.asked == ["/v1", "/moved"]


def test_a_capture_follows_no_redirect_to_another_server(session, other):
    for target in (url(other), url(other, "localhost"), "//[::1]:1/", "http://x\x1b[2J/"):
        with played(Redirecting, target=target, asked=[]) as server:
            with pytest.raises(CaptureError, match="another server") as caught:
                Source(url(server), session)
            assert str(caught.value).isprintable()


def test_controls_follow_no_redirect(other):
    for target in (url(other), "/moved"):
        with played(Redirecting, target=target, asked=[]) as server:
            with pytest.raises(ControlError, match="302"):
                ControlClient(url(server), token="secret").send("GET", "clock")
            assert server.asked == ["/_fake/clock"]
