"""Tokens that end while several threads use them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier

import pytest
from keystoneauth1.plugin import BaseAuthPlugin
from keystoneauth1.session import Session

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer

THREADS = 8


class Cloud(ScriptedServer):
    """A Keystone, and an Ironic that refuses the first token once all threads have sent it."""

    def __init__(self, *, refuse_all=False):
        super().__init__()
        self._numbers = count(1)
        self._all_sent = Barrier(THREADS)
        self._refuse_all = refuse_all

    def reply_to(self, request):
        if request.method == "POST":
            token = {"expires_at": "2999-01-01T00:00:00Z", "user": {"id": "u", "name": "u"}}
            headers = {"X-Subject-Token": f"token-{next(self._numbers)}"}
            return Reply({"token": token}, 201, headers)
        if request.path == "/v3":
            links = [{"rel": "self", "href": f"{self.url}/v3"}]
            return Reply({"version": {"id": "v3.14", "status": "stable", "links": links}})
        token = request.headers["x-auth-token"]
        if token == "token-1":
            self._all_sent.wait(timeout=30)
        if token == "token-1" or self._refuse_all:
            return Reply({"error": {"message": "The token has ended."}}, 401)
        return Reply({"uuid": "x"})


def connect(cloud):
    return clients.get_client(
        1, auth_url=f"{cloud.url}/v3", username="u", password="p", endpoint=cloud.url
    )


def tokens(cloud):
    asked = [request for request in cloud.all_requests if request.path == "/v1/nodes/x"]
    return [request.headers["x-auth-token"] for request in asked]


def test_all_threads_whose_token_ended_go_on_with_another():
    with Cloud() as cloud, ThreadPoolExecutor(THREADS) as pool:
        client = connect(cloud)
        found = list(pool.map(lambda _: client.node.get("x").uuid, range(THREADS)))
    assert found == ["x"] * THREADS
    assert len(tokens(cloud)) == 2 * THREADS
    assert tokens(cloud).count("token-1") == THREADS


def test_a_request_is_sent_again_only_once():
    def fail(_):
        with pytest.raises(exc.Unauthorized):
            client.node.get("x")

    with Cloud(refuse_all=True) as cloud, ThreadPoolExecutor(THREADS) as pool:
        client = connect(cloud)
        list(pool.map(fail, range(THREADS)))
    assert len(tokens(cloud)) == 2 * THREADS


class Moved(ScriptedServer):
    """A Keystone that redirects to another URL."""

    def __init__(self, target):
        super().__init__()
        self._target = target

    def reply_to(self, request):
        return Reply(status=307, headers={"Location": self._target + request.path})


def test_no_password_goes_to_another_server():
    with Cloud() as cloud, Moved(cloud.url) as moved:
        with pytest.raises(exc.AuthorizationFailure, match="which is another server"):
            connect(moved).node.get("x")
        assert cloud.all_requests == []


def test_a_plugin_may_see_to_redirects_itself():
    class Saml(BaseAuthPlugin):
        def get_headers(self, session):
            answer = session.get(f"{cloud.url}/v3", redirect=False, authenticated=False)
            return {"X-Auth-Token": f"token-{answer.status_code}"}

    with Moved("http://127.0.0.1:1") as cloud, ScriptedServer(Reply({"uuid": "x"})) as ironic:
        session = Session(auth=Saml())
        assert clients.get_client(1, session=session, endpoint=ironic.url).node.get("x").uuid == "x"
    assert ironic.requests[0].headers["x-auth-token"] == "token-307"
