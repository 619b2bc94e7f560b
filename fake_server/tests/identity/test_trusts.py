"""Trusts, as Blazar and Heat use them by keystoneauth and openstacksdk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import openstack
import pytest
from keystoneauth1 import exceptions
from keystoneauth1 import session as sessions
from keystoneauth1.identity import v3


@pytest.fixture
def giver(log_in):
    return log_in("project-member")


@pytest.fixture
def by_trust(server):
    """Make sessions of other-member by a trust."""

    def make(ident):
        auth = v3.Password(
            f"{server.url}/identity/v3",
            username="other-member",
            password="secret",
            user_domain_name="Default",
            trust_id=ident,
        )
        return sessions.Session(auth=auth)

    return make


@pytest.fixture
def make(giver, log_in):
    """Give a trust to other-member; return it."""
    access = giver.auth.get_access(giver)
    taker = log_in("other-member", project_name="other")

    def make(**values):
        trust = {
            "trustor_user_id": access.user_id,
            "trustee_user_id": taker.get_user_id(),
            "project_id": access.project_id,
            "impersonation": True,
            "roles": [{"name": "member"}],
            **values,
        }
        return openstack.connection.Connection(session=giver).identity.create_trust(**trust)

    return make


def test_the_one_who_is_trusted_passes_as_the_one_who_trusts(giver, by_trust, make):
    trust = make()
    access = by_trust(trust.id).auth.get_access(sessions.Session())
    assert access.trust_scoped
    assert access.trust_id == trust.id
    assert access.username == "project-member"
    assert access.project_id == giver.get_project_id()
    assert set(access.role_names) == {"member", "reader"}


def test_what_is_made_by_a_trust_belongs_to_its_project(giver, by_trust, make):
    session = by_trust(make().id)
    made = openstack.connection.Connection(session=session).block_storage.create_volume(size=1)
    own = openstack.connection.Connection(session=giver).block_storage.get_volume(made.id)
    assert own.user_id == giver.get_user_id()


def test_a_trust_ends_by_itself_and_its_tokens_with_it(clock, by_trust, make):
    ends = datetime.fromtimestamp(clock.seconds(), UTC) + timedelta(seconds=60)
    trust = make(expires_at=f"{ends:%Y-%m-%dT%H:%M:%S.%fZ}")
    session = by_trust(trust.id)
    access = session.auth.get_access(sessions.Session())
    assert abs(access.expires - ends) < timedelta(seconds=1)
    clock.advance(61)
    with pytest.raises(exceptions.Unauthorized):
        session.auth.get_auth_ref(sessions.Session())


def test_the_last_moment_of_all_can_be_the_end_of_a_trust(make):
    assert make(expires_at="9999-12-31T23:59:59.999999Z").expires_at.startswith(
        "9999-12-31T23:59:59"
    )


def test_a_trust_without_an_end_is_not_passed_on_with_one(server, log_in, by_trust, make):
    session = by_trust(make(allow_redelegation=True).id)
    third = log_in("project-reader").get_user_id()
    body = {
        "trustor_user_id": session.get_user_id(),
        "trustee_user_id": third,
        "impersonation": True,
        "project_id": session.get_project_id(),
        "roles": [{"name": "member"}],
        "expires_at": "2090-01-01T00:00:00Z",
    }
    url = f"{server.url}/identity/v3/OS-TRUST/trusts"
    with pytest.raises(exceptions.BadRequest, match="can't be passed on with one"):
        session.post(url, json={"trust": body})
    del body["expires_at"]
    assert session.post(url, json={"trust": body}).json()["trust"]["redelegation_count"] == 0


@pytest.mark.parametrize(
    "name", ["id", "number", "deleted_at", "extra", "redelegated_trust_id", "links"]
)
def test_what_the_server_itself_says_of_a_trust_is_not_taken_from_clients(
    giver, server, make, name
):
    url = f"{server.url}/identity/v3/OS-TRUST/trusts"
    like = make()
    body = {"trustor_user_id": like.trustor_user_id, "trustee_user_id": like.trustee_user_id}
    made = giver.post(url, json={"trust": {**body, "impersonation": False, name: "x"}})
    ident = made.json()["trust"]["id"]
    assert ident != "x"
    found = giver.get(f"{url}/{ident}").json()["trust"]
    assert found["deleted_at"] is None
    assert found["redelegated_trust_id"] is None


@pytest.mark.parametrize("of_domain", ["trustee", "project"])
def test_trusts_end_with_the_domain_of_their_users_and_projects(server, log_in, make, of_domain):
    # As keystone/trust/core.py does for users that go, and keystone/resource/core.py for projects.
    admin, url = log_in(), f"{server.url}/identity/v3"

    def post(kind, **values):
        return admin.post(f"{url}/{kind}s", json={kind: values}).json()[kind]["id"]

    domain = post("domain", name="d")
    user = post("user", name="u", domain_id=domain)
    project = post("project", name="p", domain_id=domain)
    if of_domain == "trustee":
        trust = make(trustee_user_id=user)
    else:
        giver = log_in("project-member").get_user_id()
        roles = admin.get(f"{url}/roles?name=member").json()["roles"]
        admin.put(f"{url}/projects/{project}/users/{giver}/roles/{roles[0]['id']}")
        trust = make(project_id=project)
    assert admin.get(f"{url}/OS-TRUST/trusts/{trust.id}").status_code == 200
    admin.patch(f"{url}/domains/{domain}", json={"domain": {"enabled": False}})
    admin.delete(f"{url}/domains/{domain}")
    with pytest.raises(exceptions.NotFound):
        admin.get(f"{url}/OS-TRUST/trusts/{trust.id}")


def test_openstacksdk_lists_and_deletes_trusts(giver, by_trust, make):
    trust = make()
    identity = openstack.connection.Connection(session=giver).identity
    assert [one.id for one in identity.trusts(trustor_user_id=giver.get_user_id())] == [trust.id]
    assert identity.get_trust(trust.id).roles[0]["name"] == "member"
    identity.delete_trust(trust.id)
    with pytest.raises(exceptions.Unauthorized):
        by_trust(trust.id).get_token()
