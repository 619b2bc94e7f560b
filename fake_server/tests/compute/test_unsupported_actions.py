"""What Nova can't do with nodes."""

from __future__ import annotations

import pytest

from fake_server.compute.handlers.server_actions import _UNSUPPORTED
from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import running


@pytest.mark.parametrize("action", _UNSUPPORTED)
def test_an_action_is_refused(cloud, action):
    server = running(cloud)
    answer = cloud.act(server, action)
    assert (answer[0], message(answer)) == (501, "The requested functionality is not supported.")
    assert cloud.act("00000000-0000-0000-0000-000000000000", action)[0] == 404


@pytest.mark.parametrize(("action", "status"), [("migrate", 403), ("pause", 501)])
def test_some_are_for_administrators(action, status):
    cloud = Cloud(auth="keystone")
    cloud.log_in("project-admin")
    flavor = cloud.flavor()
    cloud.log_in("project-member")
    server = cloud.boot(flavor, imageRef="3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11")
    assert cloud.act(server[1]["server"]["id"], action)[0] == status
