"""Tokens, as keystoneauth asks for them."""

from __future__ import annotations

import pytest
import requests
from keystoneauth1 import exceptions
from keystoneauth1 import session as sessions
from keystoneauth1.identity import v3

ACCOUNTS = {
    "admin": ("admin", {"admin", "manager", "member", "reader"}),
    "project-admin": ("demo", {"admin", "manager", "member", "reader"}),
    "project-member": ("demo", {"member", "reader"}),
    "project-reader": ("demo", {"reader"}),
    "other-member": ("other", {"member", "reader"}),
    "nova": ("service", {"service"}),
    "ironic": ("service", {"admin", "manager", "member", "reader", "service"}),
}


@pytest.mark.parametrize("name", ACCOUNTS)
def test_accounts_have_their_roles_on_their_project(log_in, name):
    project, roles = ACCOUNTS[name]
    access = log_in(name, project_name=project).auth.get_access(sessions.Session())
    assert access.username == name
    assert access.project_name == project
    assert set(access.role_names) == roles
    assert access.project_domain_id == "default"


def test_without_a_scope_it_is_the_users_project_or_nothing(log_in):
    assert (
        log_in("project-member", unscoped=False).auth.get_access(sessions.Session()).project_name
        == "demo"
    )
    access = log_in("system-reader", unscoped=True).auth.get_access(sessions.Session())
    assert not access.scoped
    assert not access.service_catalog.catalog


def test_the_catalog_leads_to_the_services(server, log_in):
    session = log_in()
    assert session.get_endpoint(service_type="baremetal") == f"{server.url}/baremetal"
    for interface in ("public", "internal", "admin"):
        found = session.get_endpoint(service_type="network", interface=interface)
        assert found == f"{server.url}/networking"
    with pytest.raises(exceptions.EndpointNotFound):
        session.get_endpoint(service_type="network", region_name="elsewhere")


def test_a_token_expires(server, log_in, clock):
    token = log_in().get_token()
    url = f"{server.url}/v1/nodes"
    assert requests.get(url, headers={"X-Auth-Token": token}, timeout=5).status_code == 200
    clock.advance(3601)
    answer = requests.get(url, headers={"X-Auth-Token": token}, timeout=5)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == f'Keystone uri="{server.url}/identity"'
    assert answer.json()["error"]["code"] == 401


def test_tokens_are_shown_and_revoked(server, log_in):
    admin, reader = log_in(), log_in("project-reader")
    url = f"{server.url}/identity/v3/auth/tokens"
    subject = {"X-Subject-Token": reader.get_token()}
    assert admin.get(url, headers=subject).json()["token"]["user"]["name"] == "project-reader"
    assert reader.get(url, headers=subject).headers["X-Subject-Token"] == reader.get_token()
    assert "catalog" not in admin.get(f"{url}?nocatalog", headers=subject).json()["token"]
    assert admin.head(url, headers=subject).status_code == 200
    with pytest.raises(exceptions.Forbidden):
        reader.get(url, headers={"X-Subject-Token": admin.get_token()})
    assert admin.delete(url, headers=subject).status_code == 204
    with pytest.raises(exceptions.NotFound):
        admin.get(url, headers=subject)
    answer = requests.get(
        f"{server.url}/v1/nodes",
        headers={"X-Auth-Token": subject["X-Subject-Token"]},
        timeout=5,
    )
    assert answer.status_code == 401


def test_application_credentials(server, log_in):
    member = log_in("project-member")
    user = member.get_user_id()
    url = f"{server.url}/identity/v3/users/{user}/application_credentials"
    made = member.post(url, json={"application_credential": {"name": "ci"}}).json()
    credential = made["application_credential"]
    assert credential["secret"]
    assert [role["name"] for role in credential["roles"]] == ["member", "reader"]
    with pytest.raises(exceptions.Conflict):
        member.post(url, json={"application_credential": {"name": "ci"}})
    shown = member.get(f"{url}/{credential['id']}").json()["application_credential"]
    assert "secret" not in shown
    by_id = v3.ApplicationCredential(
        f"{server.url}/identity/v3", credential["secret"], credential["id"]
    )
    by_name = v3.ApplicationCredential(
        f"{server.url}/identity/v3",
        credential["secret"],
        application_credential_name="ci",
        username="project-member",
        user_domain_name="Default",
    )
    for auth in (by_id, by_name):
        assert auth.get_access(sessions.Session()).project_name == "demo"
    wrong = v3.ApplicationCredential(f"{server.url}/identity/v3", "wrong", credential["id"])
    with pytest.raises(exceptions.Unauthorized):
        wrong.get_access(sessions.Session())
    token = by_id.get_token(sessions.Session())
    assert member.delete(f"{url}/{credential['id']}").status_code == 204
    answer = requests.get(f"{server.url}/v1/nodes", headers={"X-Auth-Token": token}, timeout=5)
    assert answer.status_code == 401


def test_a_token_gives_a_token_that_lasts_no_longer(server, log_in, clock):
    first = log_in("admin")
    token = first.get_token()
    clock.advance(600)
    auth = v3.Token(f"{server.url}/identity/v3", token, system_scope="all")
    access = auth.get_access(sessions.Session())
    assert access.system
    assert access.expires == first.auth.get_access(first).expires
    assert set(access._data["token"]["methods"]) == {"password", "token"}


@pytest.mark.parametrize("path", ["", "/v3", "/v3/users", "/v3/nowhere"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_every_answer_has_a_request_id(server, method, path):
    url = f"{server.url}/identity{path}"
    answers = [requests.request(method, url, timeout=5) for _ in range(2)]
    ids = {answer.headers["x-openstack-request-id"] for answer in answers}
    assert len(ids) == 2
    assert all(one.startswith("req-") for one in ids)
    assert answers[0].headers["Vary"] == "X-Auth-Token"
    assert (method == "GET") == bool(answers[0].content)
