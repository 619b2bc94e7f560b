"""What a real Cinder answers is answered: the requests of the files beside it, in their order."""

from __future__ import annotations

import pytest

from fake_server.tests import asked
from fake_server.tests.block_storage.cinder import ACCOUNTS, RECORDS, Asker
from fake_server.tests.compute.conftest import Cloud

ROWS = [(record, row) for record in RECORDS for row in asked.rows(record)]


@pytest.fixture(scope="module")
def conversations():
    return {record: conversation(record) for record in RECORDS}


def conversation(record):
    """Return a conversation with a new server."""
    cloud = Cloud(auth="keystone")
    headers, projects, users = {}, {}, {}
    for who, (name, project, _) in ACCOUNTS.items():
        token = cloud.log_in(name, project)
        projects[project], users[who] = token["project"]["id"], token["user"]["id"]
        headers[who] = {"X-Auth-Token": cloud.token}
    asker = Asker(asked.sender_here(cloud.app, "/volume"), headers, projects, users)
    return asked.Conversation(record, asker.answer)


@pytest.mark.parametrize(("record", "row"), ROWS, ids=[row.place for _, row in ROWS])
def test_answers_are_those_of_cinder(conversations, record, row):
    conversations[record].check(row)
