"""Eight clients who change the same thing of Keystone at once: nothing is lost, nothing twice."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from fake_server.app import Application
from fake_server.settings import Settings
from fake_server.tests import databases
from fake_server.tests.wsgi import request

CLIENTS = 8


class Cloud:
    def __init__(self, kind):
        self.app = Application(Settings(auth="keystone"), db=databases.new(kind))
        user = {"name": "admin", "password": "secret", "domain": {"id": "default"}}
        project = {"name": "admin", "domain": {"id": "default"}}
        proof = {"methods": ["password"], "password": {"user": user}}
        auth = {"auth": {"identity": proof, "scope": {"project": project}}}
        found = self.app.answer(request("POST", "/identity/v3/auth/tokens", auth))
        self.token = dict(found.headers)["X-Subject-Token"]
        self.user = json.loads(found.body)["token"]["user"]["id"]

    def ask(self, method, path, body=None):
        found = self.app.answer(
            request(method, f"/identity/v3{path}", body, HTTP_X_AUTH_TOKEN=self.token)
        )
        return found.status, json.loads(found.body) if found.body else None

    def make(self, kind, **values):
        status, found = self.ask("POST", f"/{kind}s", {kind: values})
        assert status == 201, found
        return found[kind]["id"]

    def race(self, method, path, body=lambda number: None):
        """Send a request as each of the clients; return the statuses in their order."""
        start = Barrier(CLIENTS)

        def send(number):
            start.wait(30)
            return self.ask(method, path.format(number=number), body(number))[0]

        with ThreadPoolExecutor(CLIENTS) as pool:
            return sorted(pool.map(send, range(CLIENTS)))


@pytest.fixture(scope="module", params=databases.params())
def cloud(request):
    with databases.owned_by(request.addfinalizer):
        cloud = Cloud(request.param)
        yield cloud
        cloud.app.close()


ONE = [201, *[409] * (CLIENTS - 1)]


@pytest.mark.parametrize("kind", ["domain", "project", "user", "group", "role"])
def test_a_name_is_given_once(cloud, kind):
    assert cloud.race("POST", f"/{kind}s", lambda number: {kind: {"name": "one"}}) == ONE
    assert len(cloud.ask("GET", f"/{kind}s?name=one")[1][f"{kind}s"]) == 1


def test_a_role_is_given_once(cloud):
    project = cloud.make("project", name="granted")
    role = cloud.make("role", name="granted")
    path = f"/projects/{project}/users/{cloud.user}/roles/{role}"
    assert cloud.race("PUT", path) == [204] * CLIENTS
    found = cloud.ask("GET", f"/role_assignments?scope.project.id={project}")[1]
    assert len(found["role_assignments"]) == 1
    assert cloud.race("DELETE", path) == [204, *[404] * (CLIENTS - 1)]


def test_all_become_members(cloud):
    group = cloud.make("group", name="members")
    users = [cloud.make("user", name=f"member{number}") for number in range(CLIENTS)]
    start = dict(enumerate(users))
    with ThreadPoolExecutor(CLIENTS) as pool:
        put = pool.map(
            lambda number: cloud.ask("PUT", f"/groups/{group}/users/{start[number]}")[0], start
        )
        assert set(put) == {204}
    found = cloud.ask("GET", f"/groups/{group}/users")[1]["users"]
    assert {one["id"] for one in found} == {*users}
    assert cloud.race("PUT", f"/groups/{group}/users/{users[0]}") == [204] * CLIENTS


def test_no_tag_is_lost(cloud):
    project = cloud.make("project", name="tagged")
    path = f"/projects/{project}/tags"
    assert cloud.race("PUT", f"{path}/t{{number}}") == [201] * CLIENTS
    assert cloud.ask("GET", path)[1]["tags"] == [f"t{number}" for number in range(CLIENTS)]


@pytest.mark.parametrize("kind", ["project", "user"])
def test_no_property_is_lost(cloud, kind):
    path = f"/{kind}s/{cloud.make(kind, name='properties')}"
    body = lambda number: {kind: {f"x{number}": number}}  # noqa: E731
    assert cloud.race("PATCH", path, body) == [200] * CLIENTS
    found = cloud.ask("GET", path)[1][kind]
    assert [found[f"x{number}"] for number in range(CLIENTS)] == [*range(CLIENTS)]


def test_one_credential_has_a_name_and_all_share_a_rule(cloud):
    path = f"/users/{cloud.user}/application_credentials"
    rule = {"service": "compute", "method": "GET", "path": "/v2.1/servers"}
    kind = "application_credential"
    assert cloud.race("POST", path, lambda number: {kind: {"name": "one"}}) == ONE
    shared = cloud.race(
        "POST", path, lambda number: {kind: {"name": f"c{number}", "access_rules": [rule]}}
    )
    assert shared == [201] * CLIENTS
    assert len(cloud.ask("GET", f"/users/{cloud.user}/access_rules")[1]["access_rules"]) == 1


def test_a_role_implies_another_once(cloud):
    prior, implied = (cloud.make("role", name=name) for name in ("prior", "implied"))
    assert cloud.race("PUT", f"/roles/{prior}/implies/{implied}") == [201] * CLIENTS
    found = cloud.ask("GET", f"/roles/{prior}/implies")[1]
    assert len(found["role_inference"]["implies"]) == 1


def test_a_project_goes_or_gets_children(cloud):
    parent = cloud.make("project", name="parent")

    def act(number):
        if number:
            body = {"project": {"name": f"child{number}", "parent_id": parent}}
            return cloud.ask("POST", "/projects", body)[0]
        return cloud.ask("DELETE", f"/projects/{parent}")[0]

    with ThreadPoolExecutor(CLIENTS) as pool:
        found = list(pool.map(act, range(CLIENTS)))
    is_there = cloud.ask("GET", f"/projects/{parent}")[0] == 200
    children = cloud.ask("GET", f"/projects?parent_id={parent}")[1]["projects"]
    assert is_there or children == []
    assert len(children) == found.count(201)


def test_a_trust_is_used_as_often_as_it_may_be(cloud):
    taker = cloud.make("user", name="taker", password="secret")
    project = cloud.make("project", name="trusting")
    role = cloud.make("role", name="trusted")
    cloud.ask("PUT", f"/projects/{project}/users/{cloud.user}/roles/{role}")
    trust = {"trustor_user_id": cloud.user, "trustee_user_id": taker, "impersonation": False}
    trust |= {"project_id": project, "roles": [{"id": role}], "remaining_uses": 3}
    status, found = cloud.ask("POST", "/OS-TRUST/trusts", {"trust": trust})
    assert status == 201, found
    proof = {"methods": ["password"], "password": {"user": {"id": taker, "password": "secret"}}}
    auth = {"identity": proof, "scope": {"OS-TRUST:trust": {"id": found["trust"]["id"]}}}
    found = cloud.race("POST", "/auth/tokens", lambda number: {"auth": auth})
    assert found == [201] * 3 + [401] * (CLIENTS - 3)
