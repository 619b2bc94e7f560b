"""What a real Keystone answers is answered: the requests of the file beside it, in its order."""

from __future__ import annotations

import json

import pytest

from fake_server.app import Application
from fake_server.settings import Settings
from fake_server.tests import asked, databases
from fake_server.tests.identity.keystone import RECORD, Asker
from fake_server.tests.wsgi import request


@pytest.fixture(scope="module")
def conversation():
    app = Application(Settings(auth="keystone"), db=databases.new())

    def send(method, path, body, headers):
        environ = {f"HTTP_{name.upper().replace('-', '_')}": text for name, text in headers.items()}
        found = app.answer(request(method, f"/identity/v3{path}", body, **environ))
        named = {name.lower(): value for name, value in found.headers}
        try:
            decoded = json.loads(found.body)
        except ValueError:
            decoded = found.body.decode() or None
        return found.status, named, None if method == "HEAD" else decoded

    asker = Asker(send)
    asker.learn()
    return asked.Conversation(RECORD, asker.answer)


@asked.parametrize(RECORD)
def test_answers_are_those_of_keystone(conversation, row):
    conversation.check(row)
