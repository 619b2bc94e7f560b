"""Locked servers, which only administrators change."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE


@pytest.fixture
def locked():
    """Return a cloud and a server in it that its owner has locked."""
    cloud = Cloud(auth="keystone")
    cloud.log_in("admin", "admin")
    cloud.node(network_interface="noop")
    flavor = cloud.flavor()
    cloud.log_in("project-member")
    ident = cloud.boot(flavor, imageRef=IMAGE, metadata={"a": "b"})[1]["server"]["id"]
    assert cloud.act(ident, "lock", {"locked_reason": "mine"})[0] == 202
    return cloud, ident


@pytest.mark.parametrize("action", ["lock", "unlock"])
def test_locking_and_unlocking_are_events(locked, action):
    cloud, ident = locked
    cloud.act(ident, action)
    path = f"/servers/{ident}/os-instance-actions"
    last = cloud("GET", path)[1]["instanceActions"][0]
    status, body = cloud("GET", f"{path}/{last['request_id']}")
    assert (status, last["action"]) == (200, action)
    assert [one["event"] for one in body["instanceAction"]["events"]] == [f"api_{action}"]


def test_a_lock_is_shown_with_its_reason(locked):
    cloud, ident = locked
    shown = cloud.server(ident)
    assert (shown["locked"], shown["locked_reason"]) == (True, "mine")


def test_a_locked_server_is_changed_by_nobody_else(locked):
    cloud, ident = locked
    volume, metadata = {"volumeAttachment": {"volumeId": IMAGE}}, {"metadata": {"a": "b"}}
    for answer in (
        cloud.act(ident, "os-stop"),
        cloud("DELETE", f"/servers/{ident}"),
        cloud("POST", f"/servers/{ident}/os-volume_attachments", volume),
        cloud("POST", f"/servers/{ident}/metadata", metadata),
        cloud("PUT", f"/servers/{ident}/metadata", metadata),
        cloud("PUT", f"/servers/{ident}/metadata/a", {"meta": {"a": "b"}}),
        cloud("DELETE", f"/servers/{ident}/metadata/a"),
    ):
        assert (answer[0], message(answer)) == (409, f"Instance {ident} is locked")
    cloud.log_in("admin", "admin")
    assert cloud.act(ident, "os-stop")[0] == 202


def test_an_unlocked_server_can_be_deleted(locked):
    cloud, ident = locked
    assert cloud.act(ident, "unlock")[0] == 202
    assert cloud.server(ident)["locked_reason"] is None
    assert cloud("DELETE", f"/servers/{ident}")[0] == 204


def test_an_owner_cannot_undo_the_lock_of_an_administrator(locked):
    cloud, ident = locked
    cloud.log_in("admin", "admin")
    assert cloud.act(ident, "lock", {"locked_reason": "theirs"})[0] == 202
    cloud.log_in("project-member")
    assert cloud.act(ident, "lock", {"locked_reason": "mine"})[0] == 202
    assert cloud.server(ident)["locked_reason"] == "theirs"
    assert cloud.act(ident, "unlock")[0] == 403
    cloud.log_in("admin", "admin")
    assert cloud.act(ident, "unlock")[0] == 202
    assert not cloud.server(ident)["locked"]
