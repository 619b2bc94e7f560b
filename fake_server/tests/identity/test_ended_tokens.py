"""A token that ended, or that is good for nothing at the moment, is refused by every service."""

from __future__ import annotations

import json

import pytest

from fake_server.app import Application
from fake_server.clock import Clock
from fake_server.settings import Settings
from fake_server.tests import databases
from fake_server.tests.wsgi import request

# A request to each service that its token allows: an administrator's, for a project.
SERVICES = {
    "baremetal": "/v1/nodes",
    "compute": "/compute/v2.1/servers",
    "image": "/image/v2/images",
    "network": "/networking/v2.0/networks",
    "placement": "/placement/resource_providers",
    "volume": "/volume/v3/volumes",
}
IDENTITY = "/identity/v3/auth/projects"


class Cloud:
    """A cloud with a domain that has a user, a project, and a role of the user on it."""

    def __init__(self):
        self.clock = Clock()
        self.app = Application(Settings(auth="keystone"), db=databases.new(), clock=self.clock)
        admin = {"name": "admin", "password": "secret", "domain": {"id": "default"}}
        self.admin = self.token({"password": {"user": admin}}, {"system": {"all": True}})
        self.domain = self.make("domain", name="d")
        self.project = self.make("project", name="p", domain_id=self.domain)
        self.user = self.make("user", name="u", domain_id=self.domain, password="pw")
        self.role = self.ask("GET", "/roles?name=admin")[1]["roles"][0]["id"]
        self.grant = f"/projects/{self.project}/users/{self.user}/roles/{self.role}"
        self.ask("PUT", self.grant)
        self.own = self.token(
            {"password": {"user": {"id": self.user, "password": "pw"}}},
            {"project": {"id": self.project}},
        )
        values = {"name": "a", "secret": "s"}
        path = f"/users/{self.user}/application_credentials"
        found = self.ask("POST", path, {"application_credential": values}, self.own)[1]
        self.credential = found["application_credential"]["id"]
        self.app_token = self.token(
            {"application_credential": {"id": self.credential, "secret": "s"}}
        )

    def send(self, method, path, body, token):
        return self.app.answer(request(method, path, body, HTTP_X_AUTH_TOKEN=token))

    def ask(self, method, path, body=None, token=None):
        found = self.send(method, f"/identity/v3{path}", body, token or self.admin)
        assert found.status < 300, found.body
        return found.status, json.loads(found.body) if found.body else None

    def make(self, kind, **values):
        return self.ask("POST", f"/{kind}s", {kind: values})[1][kind]["id"]

    def change(self, kind, ident, **values):
        self.ask("PATCH", f"/{kind}s/{ident}", {kind: values})

    def token(self, proof, scope=None):
        auth = {"identity": {"methods": list(proof), **proof}}
        auth |= {"scope": scope} if scope else {}
        found = self.app.answer(request("POST", "/identity/v3/auth/tokens", {"auth": auth}))
        assert found.status == 201, found.body
        return dict(found.headers)["X-Subject-Token"]

    def statuses(self, token):
        return {name: self.send("GET", path, None, token).status for name, path in SERVICES.items()}


@pytest.fixture
def cloud():
    return Cloud()


def revoke(cloud):
    cloud.app.answer(
        request(
            *("DELETE", "/identity/v3/auth/tokens"),
            HTTP_X_AUTH_TOKEN=cloud.admin,
            HTTP_X_SUBJECT_TOKEN=cloud.own,
        )
    )


def delete_domain(cloud):
    cloud.change("domain", cloud.domain, enabled=False)
    cloud.ask("DELETE", f"/domains/{cloud.domain}")


# What ends a token, with what makes it good again, if anything does, and what Keystone itself
# answers: 404 where something that the token depends on is missing or disabled.
ENDS = {
    "domain disabled": (
        lambda cloud: cloud.change("domain", cloud.domain, enabled=False),
        lambda cloud: cloud.change("domain", cloud.domain, enabled=True),
        404,
    ),
    "project disabled": (
        lambda cloud: cloud.change("project", cloud.project, enabled=False),
        lambda cloud: cloud.change("project", cloud.project, enabled=True),
        404,
    ),
    "role revoked": (
        lambda cloud: cloud.ask("DELETE", cloud.grant),
        lambda cloud: cloud.ask("PUT", cloud.grant),
        401,
    ),
    "user disabled": (
        lambda cloud: cloud.change("user", cloud.user, enabled=False),
        None,
        401,
    ),
    "password changed": (
        lambda cloud: cloud.change("user", cloud.user, password="other"),
        None,
        401,
    ),
    "all tokens revoked": (
        lambda cloud: cloud.ask("DELETE", f"/users/{cloud.user}/tokens"),
        None,
        401,
    ),
    "expired": (lambda cloud: cloud.clock.advance(3601), None, 401),
    "user deleted": (lambda cloud: cloud.ask("DELETE", f"/users/{cloud.user}"), None, 404),
    "project deleted": (lambda cloud: cloud.ask("DELETE", f"/projects/{cloud.project}"), None, 404),
    "domain deleted": (delete_domain, None, 404),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("kind", ["own", "app_token"])
def test_every_service_refuses_it(cloud, end, kind):
    token = getattr(cloud, kind)
    assert set(cloud.statuses(token).values()) == {200}
    act, undo, by_keystone = ENDS[end]
    act(cloud)
    assert set(cloud.statuses(token).values()) == {401}
    assert cloud.send("GET", IDENTITY, None, token).status == by_keystone
    if undo is not None:
        undo(cloud)
        assert set(cloud.statuses(token).values()) == {200}


def test_a_revoked_token_is_refused(cloud):
    revoke(cloud)
    assert set(cloud.statuses(cloud.own).values()) == {401}
    assert set(cloud.statuses(cloud.app_token).values()) == {200}


def test_the_token_of_a_deleted_credential_is_refused(cloud):
    path = f"/users/{cloud.user}/application_credentials/{cloud.credential}"
    cloud.ask("DELETE", path, token=cloud.own)
    assert set(cloud.statuses(cloud.app_token).values()) == {401}
    assert set(cloud.statuses(cloud.own).values()) == {200}


def test_a_service_goes_on_with_an_expired_token(cloud):
    def look(**more):
        return {
            cloud.app.answer(request("GET", path, HTTP_X_AUTH_TOKEN=cloud.own, **more)).status
            for path in SERVICES.values()
        }

    def with_service(token):
        return look(HTTP_X_SERVICE_TOKEN=token)

    def of(name, project):
        user = {"name": name, "password": "secret", "domain": {"id": "default"}}
        scope = {"project": {"name": project, "domain": {"id": "default"}}}
        return cloud.token({"password": {"user": user}}, scope)

    assert with_service("nothing") == {401}
    assert with_service(of("project-reader", "demo")) == {200}
    cloud.clock.advance(4000)
    assert look() == {401}
    assert with_service(of("project-reader", "demo")) == {401}
    assert with_service(of("nova", "service")) == {200}
    headers = {"HTTP_X_AUTH_TOKEN": of("admin", "admin"), "HTTP_X_SUBJECT_TOKEN": cloud.own}
    for query, status in (("", 404), ("?allow_expired=true", 200)):
        path = f"/identity/v3/auth/tokens{query}"
        assert cloud.app.answer(request("GET", path, **headers)).status == status
    cloud.clock.advance(2 * 86400)
    assert with_service(of("nova", "service")) == {401}
