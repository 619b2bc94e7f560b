"""What a real Ironic answers where nothing else asks it: patches, names and negotiation.

The file beside this one has requests and answers; :mod:`.ironic` writes it anew.
"""

from __future__ import annotations

import pytest

from fake_server.app import Application
from fake_server.settings import Settings
from fake_server.tests import asked, databases
from fake_server.tests.baremetal.ironic import RECORD, Asker


@pytest.fixture(scope="module")
def conversation():
    app = Application(Settings(agent="none"), db=databases.new())
    return asked.Conversation(RECORD, Asker(asked.sender_here(app, "")).answer)


@asked.parametrize(RECORD)
def test_answers_are_those_of_ironic(conversation, row):
    conversation.check(row)
