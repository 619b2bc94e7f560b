"""A Bare Metal API in this process, without sockets."""

from __future__ import annotations

import json
from typing import Any

from fake_server.app import Application
from fake_server.baremetal import microversions
from fake_server.clock import Clock
from fake_server.settings import ENABLED_INTERFACES, Settings
from fake_server.tests import databases
from fake_server.tests.wsgi import request

LATEST = f"{microversions.MAJOR}.{microversions.MAXIMUM}"


class Api:
    """Sends requests to an application of its own.

    :param options: those of the server's settings; there is no agent unless they say so.
    """

    def __init__(self, **options: Any) -> None:
        self.clock = Clock("manual", start=1_700_000_000)
        interfaces = {**ENABLED_INTERFACES, "deploy": ("fake", "direct", "ramdisk")}
        settings = Settings(**{"agent": "none", "interfaces": interfaces, **options})
        self.app = Application(settings, db=databases.new(), clock=self.clock)

    def __call__(
        self, method: str, path: str, body: Any = None, version: str = LATEST, **environ: str
    ) -> tuple[int, Any]:
        """Send a request; return status and body, the text alone where that is an error.

        :param environ: what else is in the WSGI environment.
        """
        # The controls answer to the names of the loopback interface only.
        host = "localhost" if path.startswith("/_fake/") else "fake"
        named = {"HTTP_HOST": host, "HTTP_X_OPENSTACK_IRONIC_API_VERSION": version}
        response = self.app.answer(request(method, path, body, **named, **environ))
        answer = json.loads(response.body) if response.body else None
        if isinstance(answer, dict) and "error_message" in answer:
            fault = json.loads(answer["error_message"]) if method != "HEAD" else {}
            answer = fault.get("faultstring", fault)
        return response.status, answer

    def keep(self) -> None:
        """Keep the present state and time, for :meth:`go_back`."""
        self.app.control.snapshots.take("kept")
        self._kept = self.clock.seconds()

    def go_back(self) -> None:
        """Return to the state and the time that were kept, as often as wanted."""
        self.app.control.snapshots.restore("kept")
        self.clock.switch("manual", start=self._kept)

    def enrol(self, name: str = "n", **fields: Any) -> str:
        """Enrol a node and return its UUID."""
        status, node = self("POST", "/v1/nodes", {"driver": "fake-hardware", "name": name} | fields)
        assert status == 201, node
        return node["uuid"]

    def node(self, ident: str = "n") -> dict[str, Any]:
        """Return a node."""
        status, node = self("GET", f"/v1/nodes/{ident}")
        assert status == 200, node
        return node

    def provision(
        self, *verbs: str, ident: str = "n", version: str = LATEST, **arguments: Any
    ) -> tuple[int, Any]:
        """Ask for verbs, one after the other; return the answer to the last."""
        for verb in verbs:
            body = {"target": verb, **arguments}
            answer = self("PUT", f"/v1/nodes/{ident}/states/provision", body, version)
        return answer

    def state(self, ident: str = "n") -> str:
        """Return a node's provision state."""
        return self.node(ident)["provision_state"]

    def patch(self, path: str, value: Any, ident: str = "n") -> tuple[int, Any]:
        """Set one field of a node."""
        return self(
            "PATCH", f"/v1/nodes/{ident}", [{"op": "add", "path": f"/{path}", "value": value}]
        )
