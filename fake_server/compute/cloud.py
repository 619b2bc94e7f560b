"""The other services, asked over their APIs as Nova asks them, but within the process."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common.caller import Caller
from fake_server.common.wsgi import ConnectionDropped, internal_request
from fake_server.identity.roles import ROLES, identify

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from fake_server.common.wsgi import Request, Response

#: The user as which Nova calls the other services.
SERVICE = Caller(
    identify("user", "nova"),
    "nova",
    frozenset(ROLES),
    system=True,
    service_roles=frozenset({"service"}),
)
#: Nova as all but Ironic know it, which have no use for tokens for the whole system.
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


@contextmanager
def refused_as(error: Callable[[str], Exception], problem: str = "") -> Iterator[None]:
    """Raise an error that begins with the problem where a service refuses what the block asks."""
    try:
        yield
    except Refused as exc:
        raise error(f"{problem}{exc}") from exc


class Cloud:
    """Calls of the services' APIs, as Nova itself by default.

    Each of ``baremetal``, ``placement``, ``network``, ``volume`` and ``image`` takes the method,
    the path, the body, ``caller`` and ``ignored``: statuses for which there is no answer, but no
    error either.
    It returns the decoded answer, and raises Refused for an error.

    :param ask: answers a request.
    """

    def __init__(self, ask: Callable[[Request], Response]) -> None:
        self._ask = ask
        self.baremetal = partial(self._send, "/baremetal/v1")
        self.placement = partial(self._send, "/placement", caller=IN_PROJECT)
        self.network = partial(self._send, "/networking/v2.0", caller=IN_PROJECT)
        self.volume = partial(self._send, "/volume/v3", caller=IN_PROJECT)
        self.image = partial(self._send, "/image/v2", caller=IN_PROJECT)

    def _send(
        self,
        service: str,
        method: str,
        path: str,
        body: Any = None,
        *,
        caller: Caller | None = SERVICE,
        ignored: Collection[int] = (),
    ) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        headers = {**_VERSIONS, "CONTENT_TYPE": "application/json" if data else ""}
        request = internal_request(caller, method, service + path, data, headers=headers)
        try:
            response = self._ask(request)
        except ConnectionDropped as exc:
            raise Refused(503, f"The connection to {service} was dropped.") from exc
        if response.status in ignored:
            return None
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
    # Glance names its message directly.
    found = next((value for value in answer.values() if isinstance(value, dict)), answer)
    return str(found.get("message", ""))
