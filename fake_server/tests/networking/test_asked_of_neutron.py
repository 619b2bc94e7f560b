"""What a real Neutron answers to requests about routers and what is around them.

The file beside this one has requests and answers; :mod:`.neutron` writes it anew.
"""

from __future__ import annotations

import pytest

from fake_server.tests import asked
from fake_server.tests.networking.cloud import Cloud
from fake_server.tests.networking.neutron import NOWHERE, RECORD, USERS, Asker


@pytest.fixture(scope="module")
def conversation():
    cloud = Cloud()
    projects = {project: cloud.project(who) for who, (project, _) in USERS.items()}
    for project in projects.values():
        quota = dict.fromkeys(("network", "subnet", "port", "rbac_policy", "router"), -1)
        cloud("admin", "PUT", f"/quotas/{project}", {"quota": quota})
    asker = Asker(cloud, {f"${name}": ident for name, ident in projects.items()})
    return asked.Conversation(RECORD, asker.answer)


@asked.parametrize(RECORD)
def test_answers_are_those_of_neutron(conversation, row):
    conversation.check(row)


@pytest.mark.parametrize("object_type", [[], {}, ["network"], 5, None])
def test_a_type_of_another_kind_is_refused(object_type):
    """Neutron answers 500."""
    values = {"object_type": object_type, "object_id": NOWHERE, "action": "access_as_shared"}
    body = {"rbac_policy": {**values, "target_tenant": "*"}}
    status, answer = Cloud()("admin", "POST", "/rbac-policies", body)
    text = f"'{object_type}' is not a valid RBAC object type"
    assert (status, text in answer["NeutronError"]["message"]) == (400, True)
