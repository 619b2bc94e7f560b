"""Tokens, as keystoneauth asks for them."""

from __future__ import annotations

import pytest
import requests
from keystoneauth1 import exceptions, noauth
from keystoneauth1 import session as sessions
from keystoneauth1.identity import v3

ACCOUNTS = {
    "admin": ("admin", {"admin", "manager", "member", "reader"}),
    "project-admin": ("demo", {"admin", "manager", "member", "reader"}),
    "project-member": ("demo", {"member", "reader"}),
    "project-reader": ("demo", {"reader"}),
    "other-member": ("other", {"member", "reader"}),
    "nova": ("service", {"service"}),
}


@pytest.mark.parametrize("name", ACCOUNTS)
def test_accounts_have_their_roles_on_their_project(log_in, name):
    project, roles = ACCOUNTS[name]
    access = log_in(name, project_name=project).auth.get_access(sessions.Session())
    assert access.username == name
    assert access.project_name == project
    assert set(access.role_names) == roles
    assert access.project_domain_id == "default"


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("admin", {"admin", "manager", "member", "reader"}),
        ("system-member", {"member", "reader"}),
        ("system-reader", {"reader"}),
    ],
)
def test_accounts_have_their_roles_on_the_system(log_in, name, roles):
    access = log_in(name, system_scope="all").auth.get_access(sessions.Session())
    assert access.system
    assert access.project_id is None
    assert set(access.role_names) == roles


@pytest.mark.parametrize(
    ("name", "password", "scope"),
    [
        ("admin", "wrong", {"project_name": "admin"}),
        ("nobody", "secret", {"project_name": "admin"}),
        ("project-member", "secret", {"project_name": "other"}),
        ("project-member", "secret", {"project_name": "nowhere"}),
        ("project-member", "secret", {"system_scope": "all"}),
        ("project-member", "secret", {"domain_id": "default"}),
        ("admin", "secret", {"domain_name": "elsewhere"}),
    ],
)
def test_what_gives_no_token(log_in, name, password, scope):
    with pytest.raises(exceptions.Unauthorized):
        log_in(name, password, **scope).get_token()


def test_without_a_scope_it_is_the_users_project_or_nothing(log_in):
    assert (
        log_in("project-member", unscoped=False).auth.get_access(sessions.Session()).project_name
        == "demo"
    )
    access = log_in("system-reader", unscoped=True).auth.get_access(sessions.Session())
    assert not access.scoped
    assert not access.service_catalog.catalog


def test_a_domain_is_a_scope_for_who_has_a_role_on_the_system(log_in):
    access = log_in("admin", domain_id="default").auth.get_access(sessions.Session())
    assert access.domain_id == "default"


def test_the_catalog_leads_to_the_services(server, log_in):
    session = log_in()
    assert session.get_endpoint(service_type="baremetal") == f"{server.url}/baremetal"
    for interface in ("public", "internal", "admin"):
        found = session.get_endpoint(service_type="network", interface=interface)
        assert found == f"{server.url}/networking"
    with pytest.raises(exceptions.EndpointNotFound):
        session.get_endpoint(service_type="network", region_name="elsewhere")


def test_a_token_gives_a_token_that_lasts_no_longer(server, log_in, clock):
    first = log_in("admin")
    token = first.get_token()
    clock.advance(600)
    auth = v3.Token(f"{server.url}/identity/v3", token, system_scope="all")
    access = auth.get_access(sessions.Session())
    assert access.system
    assert access.expires == first.auth.get_access(first).expires
    assert set(access._data["token"]["methods"]) == {"password", "token"}


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


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"auth": 5}',
        b'{"auth": {"identity": {}}}',
        b'{"auth": {"identity": {"methods": []}}}',
        b'{"auth": {"identity": {"methods": ["password"]}}}',
        b'{"auth": {"identity": {"methods": ["password"], "password": {"user": {}}}}}',
        b'{"auth": {"identity": {"methods": ["token"], "token": {"id": 5}}}}',
    ],
)
def test_what_is_no_request_for_a_token(server, body):
    answer = requests.post(f"{server.url}/identity/v3/auth/tokens", data=body, timeout=5)
    assert answer.status_code == 400
    assert answer.json()["error"]["title"] == "Bad Request"


@pytest.mark.parametrize("methods", [["saml2"], ["password", "totp"], [5]])
def test_other_ways_to_authenticate(server, methods):
    body = {"auth": {"identity": {"methods": methods}}}
    answer = requests.post(f"{server.url}/identity/v3/auth/tokens", json=body, timeout=5)
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


def test_an_application_credential_may_have_fewer_roles(server, log_in):
    member = log_in("project-member")
    url = f"{server.url}/identity/v3/users/{member.get_user_id()}/application_credentials"
    values = {"name": "read", "roles": [{"name": "reader"}], "secret": "x"}
    made = member.post(url, json={"application_credential": values}).json()
    auth = v3.ApplicationCredential(
        f"{server.url}/identity/v3", "x", made["application_credential"]["id"]
    )
    assert auth.get_access(sessions.Session()).role_names == ["reader"]
    values = {"name": "more", "roles": [{"name": "admin"}]}
    with pytest.raises(exceptions.BadRequest, match="admin"):
        member.post(url, json={"application_credential": values})


def test_nobody_reads_the_directory_but_who_may(server, log_in):
    paths = ("projects", "users", "roles", "services", "endpoints", "role_assignments", "domains")
    for path in paths:
        url = f"{server.url}/identity/v3/{path}"
        assert log_in("system-reader").get(url).json()[path]
        with pytest.raises(exceptions.Forbidden):
            log_in("project-member").get(url)
        with pytest.raises(exceptions.Unauthorized):
            sessions.Session(noauth.NoAuth()).get(url)


def test_each_item_of_a_list_can_be_shown(server, log_in):
    kinds = ("project", "user", "domain", "role", "service", "endpoint", "region")
    for kind in kinds:
        url = f"{server.url}/identity/v3/{kind}s"
        for item in log_in("system-reader").get(url).json()[f"{kind}s"]:
            assert log_in("system-reader").get(item["links"]["self"]).json() == {kind: item}


def test_members_show_only_what_is_their_own_or_open(server, log_in):
    session = log_in("project-member")
    for kind, own in (("project", session.get_project_id()), ("user", session.get_user_id())):
        url = f"{server.url}/identity/v3/{kind}s"
        assert session.get(f"{url}/{own}").json()[kind]["id"] == own
        with pytest.raises(exceptions.Forbidden):
            session.get(f"{url}/other")
    for path in ("domains/default", "regions/RegionOne"):
        assert session.get(f"{server.url}/identity/v3/{path}").ok
    for kind in ("role", "service", "endpoint"):
        with pytest.raises(exceptions.Forbidden):
            session.get(f"{server.url}/identity/v3/{kind}s/other")


def test_unknown_addresses_and_methods(server, log_in):
    url = f"{server.url}/identity/v3"
    with pytest.raises(exceptions.NotFound):
        log_in().get(f"{url}/groups-of-nobody")
    with pytest.raises(exceptions.MethodNotAllowed):
        log_in().delete(f"{url}/users")
    with pytest.raises(exceptions.NotFound, match="Could not find user: x"):
        log_in().get(f"{url}/users/x")
