"""The people of a cloud: each with a token of Keystone, and what policies know of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fake_server.tests.compute.conftest import Cloud

_DEFAULT = {"id": "default"}
#: What a credential with access rules is for.
ALLOWED = ("compute", "GET", "/v2.1/servers")
#: Accounts that every server has, by what the matrix calls them, with the scopes of their tokens.
_ACCOUNTS: dict[str, tuple[str, str | None]] = {
    "admin": ("admin", "admin"),
    "system-admin": ("admin", "system"),
    "system-member": ("system-member", "system"),
    "system-reader": ("system-reader", "system"),
    "owner-admin": ("project-admin", "demo"),
    "owner-member": ("project-member", "demo"),
    "owner-reader": ("project-reader", "demo"),
    "other-member": ("other-member", "other"),
    "service": ("nova", "service"),
    "unscoped": ("project-member", None),
}
#: Further people: their roles, and where they have them.
_OTHERS = {
    "owner-manager": ("manager", "demo"),
    "owner-custom": ("custom", "demo"),
    "other-admin": ("admin", "other"),
    "other-reader": ("reader", "other"),
    "domain-admin": ("admin", "domain"),
    "domain-reader": ("reader", "domain"),
}


@dataclass(frozen=True)
class Person:
    """Somebody who sends requests.

    :param token: of Keystone.
    :param credentials: what policies know, by the names of oslo.context.
    :param limited: whether the token has access rules, for :data:`ALLOWED` alone.
    """

    token: str
    credentials: dict[str, Any]
    limited: bool = False

    @property
    def project(self) -> str | None:
        """The project that the token is for."""
        found: str | None = self.credentials["project_id"]
        return found

    @property
    def is_admin(self) -> bool:
        """Whether services find things of all projects for this person."""
        return "admin" in self.credentials["roles"]


def everybody(cloud: Cloud) -> dict[str, Person]:
    """Return all people; those that no server has from the start are made."""
    people = {name: _with_password(cloud, *of) for name, of in _ACCOUNTS.items()}
    cloud.token = people["admin"].token
    roles = {role["name"]: role["id"] for role in cloud.get("identity", "/roles")["roles"]}
    roles["custom"] = _made(cloud, "role", {"name": "custom"})
    projects = {one["name"]: one["id"] for one in cloud.get("identity", "/projects")["projects"]}
    for name, (role, scope) in _OTHERS.items():
        user = _made(cloud, "user", {"name": name, "password": "secret", "domain_id": "default"})
        place = "domains/default" if scope == "domain" else f"projects/{projects[scope]}"
        path = f"/{place}/users/{user}/roles/{roles[role]}"
        assert cloud.send("identity", "PUT", path)[0] == 204
        people[name] = _with_password(cloud, name, scope)
        cloud.token = people["admin"].token
    rule = dict(zip(("service", "method", "path"), ALLOWED, strict=True))
    for name, more in (("owner-credential", {}), ("owner-limited", {"access_rules": [rule]})):
        people[name] = _with_credential(cloud, people["owner-member"], name, more)
    return people


def _made(cloud: Cloud, kind: str, body: dict[str, Any]) -> str:
    status, found = cloud.send("identity", "POST", f"/{kind}s", {kind: body})
    assert status == 201, found
    return str(found[kind]["id"])


def _with_password(cloud: Cloud, name: str, scope: str | None) -> Person:
    user = {"name": name, "domain": _DEFAULT, "password": "secret"}
    scopes: dict[str | None, Any] = {
        "system": {"system": {"all": True}},
        "domain": {"domain": _DEFAULT},
        None: "unscoped",
    }
    wanted = scopes.get(scope, {"project": {"name": scope, "domain": _DEFAULT}})
    return _person(cloud, {"methods": ["password"], "password": {"user": user}}, wanted)


def _with_credential(cloud: Cloud, owner: Person, name: str, more: dict[str, Any]) -> Person:
    path = f"/users/{owner.credentials['user_id']}/application_credentials"
    cloud.token = owner.token
    body = {"application_credential": {"name": name, "secret": "s3cret", **more}}
    status, found = cloud.send("identity", "POST", path, body)
    assert status == 201, found
    credential = {"id": found["application_credential"]["id"], "secret": "s3cret"}
    method = "application_credential"
    person = _person(cloud, {"methods": [method], method: credential}, None)
    return Person(person.token, person.credentials, limited=bool(more))


def _person(cloud: Cloud, identity: dict[str, Any], scope: Any) -> Person:
    cloud.token = None
    body: dict[str, Any] = {"auth": {"identity": identity}}
    if scope is not None:
        body["auth"]["scope"] = scope
    status, found = cloud.send("identity", "POST", "/auth/tokens", body)
    assert status == 201, found
    token = found["token"]
    roles = [role["name"] for role in token.get("roles", ())]
    credentials = {
        "user_id": token["user"]["id"],
        "project_id": token.get("project", {}).get("id"),
        "domain_id": token.get("domain", {}).get("id"),
        "system_scope": "all" if "system" in token else None,
        "roles": roles,
        "service_roles": [],
        "is_admin": "admin" in roles,
        "is_admin_project": True,
    }
    return Person(cloud.headers["X-Subject-Token"], credentials)
