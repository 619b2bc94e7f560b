"""Application credentials, and tokens for tokens: what they give, and what they do not."""

from __future__ import annotations

import json

import pytest

from fake_server.common.wsgi import Request
from fake_server.tests.compute.conftest import Cloud, message

KIND = "application_credential"
ENDS = "2023-11-14T22:43:20.000000"


@pytest.fixture
def cloud():
    cloud = Cloud(auth="keystone")
    cloud.user = cloud.log_in("project-member")["user"]["id"]
    return cloud


def make(cloud, user=None, **values):
    """Ask for a credential of a user, by default of the one who asks."""
    path = f"/users/{user or cloud.user}/{KIND}s"
    return cloud.send("identity", "POST", path, {KIND: {"name": "c", "secret": "s", **values}})


def made(cloud, **values):
    status, body = make(cloud, **values)
    assert status == 201, body
    return body[KIND]


def prove(cloud, scope=None, **identity):
    """Ask for a token; return the answer."""
    auth = {"identity": {"methods": list(identity), **identity}}
    body = {"auth": auth if scope is None else {**auth, "scope": scope}}
    return cloud.send("identity", "POST", "/auth/tokens", body)


@pytest.mark.parametrize("path", ["/identity", "/identity/"])
def test_the_version_is_told(cloud, path):
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "HTTP_HOST": "fake"}
    answer = cloud.app.answer(Request({**environ, "wsgi.url_scheme": "http"}))
    (version,) = json.loads(answer.body)["versions"]["values"]
    assert (answer.status, version["id"]) == (300, "v3.14")
    assert version["links"] == [{"rel": "self", "href": "http://fake/identity/v3/"}]


# Using them


def test_a_token_ends_with_its_credential(cloud):
    credential = made(cloud, expires_at=ENDS)
    assert credential["expires_at"].startswith("2023-11-14T22:43:20")
    proof = {KIND: {"id": credential["id"], "secret": "s"}}
    status, body = prove(cloud, **proof)
    assert status == 201
    assert body["token"]["expires_at"].startswith("2023-11-14T22:43:20")
    cloud.clock.advance(1799)
    assert prove(cloud, **proof)[0] == 201
    cloud.clock.advance(1)
    assert prove(cloud, **proof)[0] == 401


def test_the_token_of_a_credential_gives_no_other(cloud):
    prove(cloud, **{KIND: {"id": made(cloud)["id"], "secret": "s"}})
    answer = prove(cloud, token={"id": cloud.headers["X-Subject-Token"]})
    text = (
        "You are not authorized to perform the requested action: Using a delegated token to create "
        "another token is not allowed.."
    )
    assert (answer[0], message(answer)) == (403, text)


# Tokens for tokens


@pytest.mark.parametrize(("name", "status"), [("project-member", 201), ("project-admin", 401)])
def test_several_proofs_have_to_be_of_one_user(cloud, name, status):
    user = {"name": name, "domain": {"id": "default"}, "password": "secret"}
    answer = prove(cloud, password={"user": user}, token={"id": cloud.token})
    assert answer[0] == status
    if status == 201:
        assert answer[1]["token"]["user"]["name"] == name


@pytest.mark.parametrize(
    ("rule", "service", "path", "status"),
    [
        (("baremetal", "GET", "/v1/nodes"), "baremetal", "/nodes", 200),
        (("baremetal", "GET", "/v1/*"), "baremetal", "/nodes", 200),
        (("baremetal", "GET", "/v1/nodes"), "baremetal", "/ports", 401),
        (("baremetal", "GET", "/v1/{kind}/{ident}"), "baremetal", "/nodes", 401),
        (("baremetal", "POST", "/v1/nodes"), "baremetal", "/nodes", 401),
        (("network", "GET", "/**"), "network", "/ports", 200),
        (("network", "GET", "/**"), "baremetal", "/nodes", 401),
        (("compute", "GET", "/compute/v2.1/servers"), "compute", "/servers", 200),
        (("identity", "GET", "/v3/auth/projects"), "identity", "/auth/projects", 200),
        (("identity", "GET", "/v3/auth/projects"), "identity", "/auth/system", 401),
    ],
)
def test_access_rules_restrict_tokens(cloud, rule, service, path, status):
    kind, method, where = rule
    rules = [{"service": kind, "method": method, "path": where}]
    ident = made(cloud, access_rules=rules)["id"]
    prove(cloud, **{KIND: {"id": ident, "secret": "s"}})
    cloud.token = cloud.headers["X-Subject-Token"]
    assert cloud.send(service, "GET", path)[0] == status
