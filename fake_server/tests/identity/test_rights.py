"""Everybody may do what a real Keystone lets them do: the requests of the file beside it."""

from __future__ import annotations

import json
import re

import pytest

from fake_server.app import Application
from fake_server.identity import service
from fake_server.settings import Settings
from fake_server.tests import databases
from fake_server.tests.identity import rights
from fake_server.tests.wsgi import request
from tools.rows import some


@pytest.fixture(scope="module")
def asker():
    app = Application(Settings(auth="keystone"), db=databases.new())

    def send(method, path, body, headers):
        environ = {f"HTTP_{name.upper().replace('-', '_')}": text for name, text in headers.items()}
        found = app.answer(request(method, f"/identity/v3{path}", body, **environ))
        named = {name.lower(): value for name, value in found.headers}
        return found.status, named, json.loads(found.body) if found.body else None

    return rights.Asker(send)


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=f"{rights.RECORD.name}:{row.line}") for row in rights.rows()],
)
def test_everybody_may_do_what_keystone_lets_them(asker, row):
    people = tuple(rights.PEOPLE)
    # What others change is there for later rows.
    people = some(people, row.line) if row.request.startswith("GET ") else people
    expected = {
        answer: asked
        for answer, told in row.answers.items()
        if (asked := [who for who in told if who in people])
    }
    assert asker.answers(row.request, people) == expected, f"{row.request} (here / a real Keystone)"


def test_each_route_is_asked_for():
    asked = {
        (method.replace("HEAD", "GET"), f"/v3{re.split(r'[$]SUBJECT|[?]', path)[0]}")
        for method, path in (row.request.split(" ")[:2] for row in rights.rows())
    }
    unasked = [
        f"{method} {pattern.pattern}"
        for pattern, handlers in service._ROUTES._routes
        for method in handlers
        if method != "HEAD"
        and not any(one == method and pattern.fullmatch(path) for one, path in asked)
    ]
    assert unasked == []
