"""What a real Glance answers is answered: the requests of the file beside it, in its order."""

from __future__ import annotations

import pytest

from fake_server.tests import asked
from fake_server.tests.compute.conftest import Cloud
from fake_server.tests.image.glance import ACCOUNTS, RECORD, Asker


@pytest.fixture(scope="module")
def conversation():
    cloud = Cloud(auth="keystone")
    headers, projects = {}, {}
    for who, (name, project, _) in ACCOUNTS.items():
        projects[project] = cloud.log_in(name, project)["project"]["id"]
        headers[who] = {"X-Auth-Token": cloud.token}
    asker = Asker(asked.sender_here(cloud.app, "/image"), headers, projects)
    return asked.Conversation(RECORD, asker.answer)


@asked.parametrize(RECORD)
def test_answers_are_those_of_glance(conversation, row):
    conversation.check(row)
