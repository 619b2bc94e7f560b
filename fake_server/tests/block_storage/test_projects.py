"""Whose volumes they are, with the accounts of a Keystone and openstacksdk as the client."""

from __future__ import annotations

import openstack
import pytest
from openstack import exceptions

from fake_server.server import FakeServer
from fake_server.settings import Settings


@pytest.fixture(scope="module")
def server():
    with FakeServer(Settings(auth="keystone")) as server:
        yield server


@pytest.fixture(scope="module")
def connect(server):
    def make(username, project_name):
        return openstack.connect(
            auth_url=f"{server.url}/identity/v3",
            username=username,
            password="secret",
            project_name=project_name,
            user_domain_name="Default",
            project_domain_name="Default",
            region_name="RegionOne",
        ).block_storage

    return make


def test_a_project_sees_its_own(connect):
    member, other = connect("project-member", "demo"), connect("other-member", "other")
    reader, admin = connect("project-reader", "demo"), connect("admin", "admin")
    volume = member.create_volume(name="mine", size=1)
    member.wait_for_status(volume, status="available", interval=0.1, wait=5)
    assert [found.id for found in reader.volumes()] == [volume.id]
    assert list(other.volumes()) == []
    with pytest.raises(exceptions.NotFoundException):
        other.get_volume(volume.id)
    assert [found.id for found in admin.volumes(all_projects=True)] == [volume.id]
    with pytest.raises(exceptions.ForbiddenException):
        reader.create_volume(name="no", size=1)
    with pytest.raises(exceptions.ForbiddenException):
        member.create_type(name="no")
    attachment = member.create_attachment(volume, connector=None, instance="s")
    with pytest.raises(exceptions.NotFoundException):
        other.get_attachment(attachment)
    member.delete_attachment(attachment)
    member.delete_volume(volume)
    assert list(admin.volumes(all_projects=True)) == []
