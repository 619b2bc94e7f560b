"""A page whose host name resolves to this machine doesn't reach the controls (DNS rebinding)."""

from __future__ import annotations

import pytest

from fake_server.app import Application
from fake_server.control.guard import token_for
from fake_server.settings import Settings
from fake_server.tests.wsgi import request

#: The last is of a program that names none; browsers always do.
HERE = ("localhost", "localhost:6385", "127.0.0.1", "127.0.0.1:6385", "[::1]", "[::1]:6385", "")
ELSEWHERE = (
    *("evil.example", "evil.example:6385", "localhost.evil.example", "127.0.0.1.evil.example:80"),
    *("10.0.0.1", "10.0.0.1:6385", "[::2]", "[::2]:6385", "[::1].evil.example", "localhost."),
)


def status(app, host, method="GET", path="/_fake/clock", **headers):
    asked = request(method, path, {"by": 1}, HTTP_HOST=host, **headers)
    return app.answer(asked).status


@pytest.mark.parametrize("host", HERE)
def test_names_of_this_machine_reach_the_controls(host):
    app = Application()
    assert status(app, host) == 200
    assert status(app, host, path="/_fake/") == 200


@pytest.mark.parametrize("host", ELSEWHERE)
def test_no_other_name_does(host):
    app = Application()
    for path in ("/_fake/clock", "/_fake/", "/_fake/page/page.js", "/_fake/nodes"):
        answer = app.answer(request("GET", path, HTTP_HOST=host))
        assert answer.status == 403
        assert "can only be used at localhost or 127.0.0.1 or [::1]" in answer.body.decode()
    assert status(app, host, "POST", "/_fake/clock/advance") == 403
    assert status(app, host, path="/_fake/health") == 200


@pytest.mark.parametrize("host", [*HERE, *ELSEWHERE])
def test_with_a_token_the_name_does_not_matter(host):
    app = Application(Settings(control_token="t"))
    assert status(app, host) == 403
    assert status(app, host, HTTP_X_FAKE_TOKEN="") == 403
    assert status(app, host, HTTP_X_FAKE_TOKEN="t") == 200
    assert status(app, host, path="/_fake/") == 200


@pytest.mark.parametrize(
    ("host", "needs"),
    [
        *(("localhost", False), ("127.0.0.1", False), ("127.1.2.3", False), ("::1", False)),
        *(("0.0.0.0", True), ("::", True), ("10.0.0.1", True), ("lab.example", True), ("", True)),
    ],
)
def test_a_token_is_made_where_others_can_reach_the_server(host, needs):
    made = token_for(host, None)
    # 16 random bytes in base64.
    assert (made is not None and len(made) == 22) == needs
    assert token_for(host, "chosen") == "chosen"
