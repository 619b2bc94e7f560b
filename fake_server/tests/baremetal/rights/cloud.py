"""The cloud of the matrix in a fake server with a Keystone."""

from __future__ import annotations

import json
from typing import Any

from fake_server.app import Application
from fake_server.baremetal.tables import node_history, nodes
from fake_server.clock import Clock
from fake_server.settings import Settings
from fake_server.tests import databases
from fake_server.tests.baremetal.rights import matrix
from fake_server.tests.wsgi import request

_PASSWORD = "secret"
#: Scopes that are no projects: what a token is asked for with, and where roles are given.
_WIDER: dict[str, tuple[dict[str, Any], str]] = {
    "system": ({"system": {"all": True}}, "system"),
    "domain": ({"domain": {"id": "default"}}, "domains/default"),
}


class Cloud:
    """A server with the people of the matrix.

    :param options: those of the server's settings.
    """

    def __init__(self, **options: Any) -> None:
        self.clock = Clock("manual", start=1_700_000_000)
        settings = Settings(
            **{"auth": "keystone", "agent": "none", "hardware_types": ("fake-hardware",), **options}
        )
        self.app = Application(settings, db=databases.new(), clock=self.clock)
        self._admin = self._token("admin", {"system": {"all": True}})
        listed = self._identity("GET", "projects")["projects"]
        self.projects = {project["name"]: project["id"] for project in listed}
        self._tokens = {name: self._enrol(name, *matrix.PEOPLE[name]) for name in matrix.PEOPLE}

    def fill(self) -> None:
        """Make what is in the cloud, and keep that state."""
        for method, path, body in matrix.things(self.projects):
            status, answer = self("system-admin", method, f"/v1/{path}", body)
            assert status < 300, (method, path, body, answer)
        with self.app.store.transaction() as tx:
            for name in matrix.NODES:
                node = tx.get(nodes, name=name)
                assert node is not None
                entry = {"uuid": matrix.ident(f"{name}-history"), "node_id": node["id"]}
                happened = {"event": "something", "severity": "INFO", "user": "u"}
                tx.insert(node_history, entry | happened | {"created_at": node["created_at"]})
        self.app.control.snapshots.take("filled")

    def go_back(self) -> None:
        """Return to the state that was kept."""
        self.app.control.snapshots.restore("filled")

    def __call__(
        self, person: str | None, method: str, path: str, body: Any = None
    ) -> tuple[int, Any]:
        """Send a request as somebody, or without a token; return status and body."""
        return self._send(method, path, body, self._tokens[person] if person else None)

    def _send(self, method: str, path: str, body: Any, token: str | None) -> tuple[int, Any]:
        named = {"HTTP_X_OPENSTACK_IRONIC_API_VERSION": matrix.VERSION}
        named |= {"HTTP_X_AUTH_TOKEN": token} if token else {}
        response = self.app.answer(request(method, path, body, **named))
        return response.status, json.loads(response.body) if response.body else None

    def _identity(self, method: str, path: str, body: Any = None) -> Any:
        status, answer = self._send(method, f"/identity/v3/{path}", body, self._admin)
        assert status < 300, (method, path, answer)
        return answer

    def _enrol(self, name: str, scope: str, roles: tuple[str, ...]) -> str:
        """Make a user with roles in one scope, and return a token of it."""
        user = {"name": f"matrix-{name}", "password": _PASSWORD, "domain_id": "default"}
        ident = self._identity("POST", "users", {"user": user})["user"]["id"]
        if not scope:
            return self._token(user["name"], None)
        if scope in ("system", "domain"):
            wanted, where = _WIDER[scope]
        else:
            project = self.projects[scope]
            wanted, where = {"project": {"id": project}}, f"projects/{project}"
        for role in roles:
            self._identity("PUT", f"{where}/users/{ident}/roles/{self._role(role)}")
        return self._token(user["name"], wanted)

    def _role(self, name: str) -> str:
        found = self._identity("GET", f"roles?name={name}")["roles"]
        if not found:
            return str(self._identity("POST", "roles", {"role": {"name": name}})["role"]["id"])
        return str(found[0]["id"])

    def _token(self, name: str, scope: Any) -> str:
        user = {"name": name, "domain": {"id": "default"}, "password": _PASSWORD}
        auth = {"identity": {"methods": ["password"], "password": {"user": user}}}
        body = {"auth": auth | ({"scope": scope} if scope else {})}
        response = self.app.answer(request("POST", "/identity/v3/auth/tokens", body))
        assert response.status == 201, (name, response.body)
        return dict(response.headers)["X-Subject-Token"]
