"""What a real Cinder answers is answered: the requests of the file beside it, in its order."""

from __future__ import annotations

import pytest

from fake_server.tests import asked
from fake_server.tests.block_storage.cinder import ACCOUNTS, RECORD, Asker
from fake_server.tests.compute.conftest import Cloud


@pytest.fixture(scope="module")
def conversation():
    cloud = Cloud(auth="keystone")
    headers, projects, users = {}, {}, {}
    for who, (name, project, _) in ACCOUNTS.items():
        token = cloud.log_in(name, project)
        projects[project], users[who] = token["project"]["id"], token["user"]["id"]
        headers[who] = {"X-Auth-Token": cloud.token}
    asker = Asker(asked.sender_here(cloud.app, "/volume"), headers, projects, users)
    return asked.Conversation(RECORD, asker.answer)


@asked.parametrize(RECORD)
def test_answers_are_those_of_cinder(conversation, row):
    conversation.check(row)
