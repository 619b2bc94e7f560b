"""Base of the clients of services other than the Bare Metal service."""

from __future__ import annotations

import abc
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.retry import RetryPolicy
from baremetalclient._http.sender import NOT_GIVEN, Sender

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keystoneauth1.session import Session

    from baremetalclient._http.response import Response
    from baremetalclient._http.retry import Deadline


_ObjectT = TypeVar("_ObjectT", bound=Mapping[str, Any])
_OtherT = TypeVar("_OtherT", bound=Mapping[str, Any])


class Service(abc.ABC):
    """A client of one service; safe to share between threads.

    :param session: the keystoneauth1 session that authenticates and connects.
    :param endpoint: the URL of the service, with or without the version in its path.
    :param policy: when to retry.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param headers: headers for every request.
    """

    version_path: ClassVar[str]
    """The version in the path of the endpoint, such as ``/v3``."""

    def __init__(
        self,
        session: Session,
        endpoint: str,
        *,
        policy: RetryPolicy | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        base = endpoint.rstrip("/")
        urls.without_version(base)  # raises for anything but an HTTP URL
        major = re.escape(self.version_path.partition(".")[0])
        versioned = re.search(rf"{major}(\.\d+)?(/|$)", urlsplit(base).path)
        self._base = base if versioned else base + self.version_path
        self._policy = policy or RetryPolicy()
        self._sender = Sender(session, self._policy, timeout=timeout, headers=headers)

    @abc.abstractmethod
    def _version_header(self, deadline: Deadline | None) -> str:
        """Return the value of the header ``OpenStack-API-Version``."""

    def _request(
        self,
        method: str,
        path: str,
        body: Any = NOT_GIVEN,
        deadline: float | Deadline | None = None,
    ) -> Response:
        end = self._policy.start_deadline(deadline)
        headers = {"OpenStack-API-Version": self._version_header(end)}
        return self._sender.send(method, self._base + path, headers, body, deadline=end)

    def _request_object(
        self,
        method: str,
        path: str,
        key: str,
        body: Any = NOT_GIVEN,
        ident: str = "id",
        deadline: float | Deadline | None = None,
    ) -> dict[str, Any]:
        """Send a request and return the object under a key of the response."""
        response = self._request(method, path, body, deadline)
        found = response.object().get(key)
        if not isinstance(found, dict) or not isinstance(found.get(ident), str):
            raise response.invalid(f"an object {key!r} with {ident!r}")
        return found


def find(
    get: Callable[[str], _ObjectT],
    named: Callable[[str], Sequence[_OtherT]],
    name: str,
    kind: str,
) -> _ObjectT | _OtherT:
    """Return an object by its id or name.

    :param get: returns an object by its id.
    :param named: returns the objects with a name.
    :param name: the id or name.
    :param kind: the type of the objects, for messages.
    :raises NotFound: if there is none.
    :raises NoUniqueMatch: if there are several.
    """
    try:
        return get(name)
    except (exc.NotFound, exc.BadRequest):  # some servers refuse an id that is not a UUID
        found = named(name)
    if not found:
        raise exc.NotFound(f"No {kind} with a name or ID of {name!r} exists.", http_status=404)
    if len(found) > 1:
        ids = ", ".join(str(item["id"]) for item in found)
        raise exc.NoUniqueMatch(f"More than one {kind} exists with the name {name!r}: {ids}.")
    return found[0]
