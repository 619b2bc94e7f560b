"""The other services, asked over their APIs as Nova asks them, but within the process."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

from fake_server.common.caller import Caller
from fake_server.common.wsgi import ConnectionDropped, Request
from fake_server.identity.roles import ROLES, identify

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Response

#: The user as which Nova calls the other services.
SERVICE = Caller(identify("user", "nova"), "nova", frozenset(ROLES), system=True)
#: Nova as Neutron knows it, which has no use for tokens for the whole system.
IN_PROJECT = replace(SERVICE, system=False, project_id=identify("project", "service"))
_VERSIONS = {
    "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "latest",
    # 3.44 is the version that Nova asks for.
    "HTTP_OPENSTACK_API_VERSION": "volume 3.44, placement 1.39",
}


class Refused(Exception):
    """Another service refused a request.

    :param status: HTTP status.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Cloud:
    """Calls of the services' APIs.

    :param ask: answers a request.
    """

    def __init__(self, ask: Callable[[Request], Response]) -> None:
        self._ask = ask

    def baremetal(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request to Ironic and return the decoded body; raise Refused for an error."""
        return self._send("/baremetal/v1", method, path, body)

    def placement(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request to Placement, as :meth:`baremetal` does to Ironic."""
        return self._send("/placement", method, path, body)

    def network(
        self, method: str, path: str, body: Any = None, *, caller: Caller | None = IN_PROJECT
    ) -> Any:
        """Send a request to Neutron, by default as Nova itself."""
        return self._send("/networking/v2.0", method, path, body, caller)

    def storage(
        self, method: str, path: str, body: Any = None, *, caller: Caller | None = SERVICE
    ) -> Any:
        """Send a request to Cinder, by default as Nova itself."""
        return self._send("/volume/v3", method, path, body, caller)

    def _send(
        self, service: str, method: str, path: str, body: Any, caller: Caller | None = SERVICE
    ) -> Any:
        path, _, query = path.partition("?")
        data = b"" if body is None else json.dumps(body).encode()
        request = Request(
            {
                "REQUEST_METHOD": method,
                "PATH_INFO": service + path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": "application/json" if data else "",
                "CONTENT_LENGTH": str(len(data)),
                "wsgi.input": BytesIO(data),
                "wsgi.url_scheme": "http",
                "HTTP_HOST": "localhost",
                "HTTP_ACCEPT": "application/json",
                **_VERSIONS,
            }
        )
        request.caller = caller
        try:
            response = self._ask(request)
        except ConnectionDropped as exc:
            raise Refused(503, f"The connection to {service} was dropped.") from exc
        answer = json.loads(response.body) if response.body else None
        if response.status >= 400:
            raise Refused(response.status, _reason(answer) or f"HTTP {response.status}")
        return answer


def listed(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the list that an answer is about, whatever the dialect calls it."""
    return next(value for value in answer.values() if isinstance(value, list))


def _reason(answer: Any) -> str:
    """Return what an error of whichever service says."""
    if "error_message" in answer:
        text = answer["error_message"]
        try:
            return str(json.loads(text)["faultstring"])
        except (ValueError, KeyError, TypeError):
            return str(text)
    if isinstance(answer.get("errors"), list):
        return " ".join(str(answer["errors"][0].get("detail", "")).split())
    found = next(value for value in answer.values() if isinstance(value, dict))
    return str(found.get("message", ""))
