"""A deadline is that of the whole call, whatever requests it takes."""

from __future__ import annotations

import gzip
import json
import threading

import pytest
from keystoneauth1 import noauth
from keystoneauth1.session import Session

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient._http import transport
from baremetalclient._http.baremetal import HTTPClient
from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault, offering
from baremetalclient.v1.node import NodeManager

NODE = {"uuid": "n", "name": "node-1"}


class Slow:
    """A server each of whose responses takes three seconds of a clock that nobody waits for."""

    now = 0.0

    def __init__(self, server, auth=None):
        self.server = server
        self._reply_to, server.reply_to = server.reply_to, self.reply_to
        session = Session(auth or noauth.NoAuth(endpoint=server.url))
        self.nodes = NodeManager(HTTPClient(session, server.url))

    def reply_to(self, request):
        Slow.now += 3
        return self._reply_to(request)


@pytest.fixture(autouse=True)
def clock_of_the_server(monkeypatch):
    monkeypatch.setattr(Slow, "now", 0.0)
    with clients.use_clock(lambda seconds: None, lambda: Slow.now):
        yield


def pages(server):
    return [
        Reply({"nodes": [{"uuid": str(n)}], "next": f"{server.url}/v1/nodes?marker={n}"})
        for n in range(2)
    ] + [Reply({"nodes": []})]


@pytest.mark.parametrize(("deadline", "asked"), [(2, 1), (5, 2), (60, 3)])
@pytest.mark.parametrize("limit", [0, 3])
def test_all_pages_of_a_list_share_a_deadline(deadline, asked, limit):
    with ScriptedServer() as server:
        server.script = pages(server)
        nodes = Slow(server).nodes
        if asked == 3:
            assert len(nodes.list(limit=limit, deadline=deadline)) == 2
        else:
            with pytest.raises(exc.ConnectionError, match="deadline of the call has passed"):
                nodes.list(limit=limit, deadline=deadline)
        assert len(server.all_requests) == asked


def test_each_page_has_a_deadline_where_the_caller_takes_the_time_between_them():
    with ScriptedServer() as server:
        server.script = pages(server)
        assert len(list(Slow(server).nodes.iterate(deadline=4))) == 2


def test_negotiation_counts():
    with ScriptedServer(Reply(NODE), versions=offering("1.38")) as server:
        with pytest.raises(exc.ConnectionError, match="was not sent"):
            Slow(server).nodes.create(driver="d", deadline=2)
        assert [request.version for request in server.all_requests] == [str(CLIENT_MAX)]


def test_retries_count():
    with ScriptedServer(fault("Busy.", 503)) as server:
        with pytest.raises(exc.ServiceUnavailable):
            Slow(server).nodes.get("n", deadline=5)
        assert len(server.all_requests) == 2


class Authentication(noauth.NoAuth):
    """Asks a server for a token, as authentication plugins do."""

    valid = False

    def get_headers(self, session, **kwargs):
        if not self.valid:
            session.get(f"{self.endpoint}/identity", authenticated=False)
            self.valid = True
        return {"X-Auth-Token": "t"}

    def invalidate(self):
        self.valid = False
        return True


def test_authentication_counts():
    with ScriptedServer(Reply(NODE)) as server:
        slow = Slow(server, Authentication(endpoint=server.url))
        with pytest.raises(exc.ConnectionError, match="was not sent"):
            slow.nodes.create(driver="d", deadline=2)
        assert [request.path for request in server.all_requests] == ["/identity"]


@pytest.mark.parametrize(("deadline", "asked"), [(8, 3), (60, 4)])
def test_renewing_a_token_counts(deadline, asked):
    with ScriptedServer(Reply(), Reply(status=401), Reply(), Reply(NODE)) as server:
        nodes = Slow(server, Authentication(endpoint=server.url)).nodes
        if asked == 4:
            assert nodes.create(driver="d", deadline=deadline).name == "node-1"
        else:
            with pytest.raises(exc.ConnectionError, match="was not sent"):
                nodes.create(driver="d", deadline=deadline)
        paths = ["/identity", "/v1/nodes", "/identity", "/v1/nodes"]
        assert [request.path for request in server.all_requests] == paths[:asked]


def test_a_token_that_is_never_valid_is_renewed_once():
    with ScriptedServer(Reply(), Reply(status=401), Reply(), Reply(status=401)) as server:
        with pytest.raises(exc.Unauthorized):
            Slow(server, Authentication(endpoint=server.url)).nodes.get("n")
        assert [request.path for request in server.all_requests].count("/v1/nodes/n") == 2


def test_authentication_is_not_waited_for_beyond_the_deadline():
    ended = threading.Event()
    with ScriptedServer(Reply(NODE)) as server:

        def hang(request):
            ended.wait(30)
            return Reply()

        server.reply_to = hang
        session = Session(Authentication(endpoint=server.url))
        client = clients.get_client(1, session=session, endpoint=server.url)
        with pytest.raises(exc.ConnectionError, match="Authentication failed"):
            client.node.get("n", deadline=0.1)
        ended.set()


def test_a_body_that_comes_byte_by_byte_ends_at_the_deadline():
    with ScriptedServer() as server:
        slow = Slow(server)

        def pass_time():
            Slow.now += 1

        server.script = [Reply(NODE, between_bytes=pass_time)]
        with pytest.raises(exc.OutcomeUnknown, match="deadline of the call has passed"):
            slow.nodes.create(driver="d", deadline=5)
        assert len(server.all_requests) == 1


@pytest.mark.parametrize("deadline", [None, 60])
def test_compressed_bodies_are_read(deadline):
    body = gzip.compress(json.dumps(NODE).encode())
    with ScriptedServer(Reply(body, headers={"Content-Encoding": "gzip"})) as server:
        assert Slow(server).nodes.get("n", deadline=deadline).name == "node-1"


def test_a_response_that_is_late_and_whole_is_taken():
    with ScriptedServer(Reply(NODE)) as server:
        assert Slow(server).nodes.create(driver="d", deadline=2).name == "node-1"


@pytest.mark.parametrize(
    ("options", "timeout"),
    [
        ({}, transport.DEFAULT_TIMEOUT),
        ({"deadline": 3600}, transport.DEFAULT_TIMEOUT),
        ({"timeout": 7}, 7),
        ({"timeout": 7, "deadline": 90}, 7),
    ],
)
def test_there_is_always_a_timeout(requests_mock, options, timeout):
    requests_mock.get("http://ironic/v1/nodes/n", json=NODE)
    clients.get_client(1, endpoint="http://ironic", **options).node.get("n")
    assert requests_mock.last_request.timeout == timeout


@pytest.mark.parametrize(("own", "used"), [(None, transport.DEFAULT_TIMEOUT), (9, 9)])
def test_a_session_may_have_a_timeout_of_its_own_and_authentication_has_it_too(
    requests_mock, own, used
):
    requests_mock.get("http://ironic/identity", json={})
    requests_mock.get("http://ironic/v1/nodes/n", json=NODE)
    session = Session(Authentication(endpoint="http://ironic"), timeout=own)
    client = clients.get_client(1, session=session, endpoint="http://ironic")
    client.node.get("n")
    asked = requests_mock.request_history
    assert (asked[0].path, asked[0].timeout, asked[-1].timeout) == ("/identity", used, used)
    client.node.get("n", deadline=5)
    assert 0 < requests_mock.last_request.timeout <= 5
