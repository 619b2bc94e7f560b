"""A cloud in this process, asked over its Networking API by users of several roles."""

from __future__ import annotations

import json
from typing import Any

from fake_server.app import Application
from fake_server.clock import Clock
from fake_server.settings import Settings
from fake_server.tests import databases
from fake_server.tests.wsgi import request

#: Name and project of users by role.
USERS = {
    "admin": ("admin", "admin"),
    "service": ("nova", "service"),
    "member": ("project-member", "demo"),
    "reader": ("project-reader", "demo"),
    "other": ("other-member", "other"),
}


class Cloud:
    """Sends requests to a server with Keystone, as the user of a role.

    :param options: those of the server's settings.

    Beside the roles of users there is ``system``: that of the administrator of the system.
    """

    def __init__(self, **options: Any) -> None:
        settings = Settings(auth="keystone", **options)
        self.clock = Clock("manual", start=1_700_000_000)
        self.app = Application(settings, db=databases.new(), clock=self.clock)
        self._tokens: dict[str, str] = {}
        self.projects: dict[str, str] = {}

    def __call__(
        self, role: str, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, Any]:
        """Send a request to Neutron; return status and body."""
        headers = {"HTTP_X_AUTH_TOKEN": self.token(role), **headers}
        response = self._send(method, f"/networking/v2.0{path}", body, headers)
        return response.status, json.loads(response.body) if response.body else None

    def baremetal(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request that succeeds to Ironic, as its administrator; return the body."""
        status, answer = self.ask_baremetal(method, path, body)
        assert status < 300, answer
        return answer

    def ask_baremetal(
        self, method: str, path: str, body: Any = None, role: str = "admin"
    ) -> tuple[int, Any]:
        """Send a request to Ironic, as its administrator or another; return status and body."""
        headers = {
            "HTTP_X_AUTH_TOKEN": self.token(role),
            "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.115",
        }
        response = self._send(method, f"/v1{path}", body, headers)
        return response.status, json.loads(response.body) if response.body else None

    def make(self, role: str, kind: str, **values: Any) -> dict[str, Any]:
        """Create something and return it."""
        status, answer = self(role, "POST", f"/{kind}s", {kind: values})
        assert status == 201, answer
        return answer[kind]

    def project(self, role: str) -> str:
        """Return the id of a user's project."""
        self.token(role)
        return self.projects[role]

    def token(self, role: str) -> str:
        """Return a token of a user."""
        if role not in self._tokens:
            name, project = USERS.get(role, ("admin", None))
            domain = {"id": "default"}
            password = {"user": {"name": name, "password": "secret", "domain": domain}}
            scope = {"project": {"name": project, "domain": domain}}
            if project is None:
                scope = {"system": {"all": True}}
            identity = {"methods": ["password"], "password": password}
            body = {"auth": {"identity": identity, "scope": scope}}
            response = self._send("POST", "/identity/v3/auth/tokens", body, {})
            self._tokens[role] = dict(response.headers)["X-Subject-Token"]
            if project is not None:
                self.projects[role] = json.loads(response.body)["token"]["project"]["id"]
        return self._tokens[role]

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        return self.app.answer(request(method, path, body, **headers))
