"""What a real Placement answers is answered: the requests of the file beside it, in its order."""

from __future__ import annotations

import pytest

from fake_server.app import Application
from fake_server.tests import asked, databases
from fake_server.tests.placement.placement import RECORD, Asker


@pytest.fixture(scope="module")
def conversation():
    app = Application(db=databases.new())
    return asked.Conversation(RECORD, Asker(asked.sender_here(app, "/placement")).answer)


@asked.parametrize(RECORD)
def test_answers_are_those_of_placement(conversation, row):
    conversation.check(row)
