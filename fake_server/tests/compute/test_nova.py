"""What a real Nova answers is answered: the requests of the file beside it, in its order."""

from __future__ import annotations

import pytest

from fake_server.app import Application
from fake_server.settings import Settings
from fake_server.tests import asked, databases
from fake_server.tests.compute.conftest import PREFIXES
from fake_server.tests.compute.nova import RECORD, SEED, Asker


@pytest.fixture(scope="module")
def conversation():
    app = Application(
        Settings(auth="keystone", max_compute_minor=104), db=databases.new(), seed=SEED
    )
    senders = {name: asked.sender_here(app, prefix) for name, prefix in PREFIXES.items()}
    asker = Asker(lambda service, *sent: senders[service](*sent))
    return asked.Conversation(RECORD, asker.answer)


@asked.parametrize(RECORD)
def test_answers_are_those_of_nova(conversation, row):
    conversation.check(row)
