"""The time limit of a wait is one for requests that hang, too."""

from __future__ import annotations

import pytest
import requests
from keystoneauth1.noauth import NoAuth
from keystoneauth1.session import Session

from baremetalclient import boot_from_volume, exc
from baremetalclient import client as clients
from baremetalclient.block_storage.service import BlockStorage
from baremetalclient.block_storage.wait import wait_for_volume
from baremetalclient.compute import wait
from baremetalclient.compute.service import Compute
from fake_server.adapter import InProcessAdapter
from fake_server.server import FakeServer

URL = "http://cloud.test"
LIMIT = 40
MANY = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(4)]


class Hanging(InProcessAdapter):
    """Answers nothing to requests for one path, and notes how long they were to wait."""

    def __init__(self, server, path):
        super().__init__(server.app)
        self._path = path
        self.limits = []

    def send(self, request, *args, timeout=None, **kwargs):
        if self._path not in request.url:
            return super().send(request, *args, timeout=timeout, **kwargs)
        self.limits.append(timeout)
        raise requests.exceptions.ReadTimeout


@pytest.fixture
def hanging():
    """Return a function that makes a session, whose requests for a path hang."""

    def make(path):
        adapter = Hanging(FakeServer(), path)
        http = requests.Session()
        http.mount(URL, adapter)
        return Session(auth=NoAuth(endpoint=URL), session=http), adapter.limits

    return make


def seconds(limit):
    return max(limit) if isinstance(limit, tuple) else limit


def server(session):
    wait.wait_for_server(Compute(session, URL + "/compute/v2.1"), MANY[0], timeout=LIMIT)


def no_server(session):
    wait.wait_until_gone(Compute(session, URL + "/compute/v2.1"), MANY[0], timeout=LIMIT)


def one_server(session):
    wait.server_fetcher(Compute(session, URL + "/compute/v2.1"))(MANY[:1], LIMIT)


def several_servers(session):
    wait.server_fetcher(Compute(session, URL + "/compute/v2.1"))(MANY, LIMIT)


def volume(session):
    wait_for_volume(BlockStorage(session, URL + "/volume/v3"), MANY[0], timeout=LIMIT)


def attachments(session):
    ironic = clients.get_client(1, endpoint=URL, session=session)
    storage = BlockStorage(session, URL + "/volume/v3")
    boot_from_volume.attachment_fetcher(ironic, storage)(MANY[:1], LIMIT)


@pytest.mark.parametrize(
    ("call", "path"),
    [
        (server, "/servers/"),
        (no_server, "/servers/"),
        (one_server, "/servers/"),
        (several_servers, "/servers/detail"),
        (volume, "/volumes/"),
        (attachments, "/attachments/detail"),
        (attachments, "/v1/volume/targets"),
        (attachments, "/v1/nodes"),
    ],
)
def test_a_request_hangs_no_longer_than_the_wait(hanging, call, path):
    session, limits = hanging(path)
    with pytest.raises(exc.ClientException):
        call(session)
    assert limits
    assert all(limit is not None and seconds(limit) <= LIMIT for limit in limits)
