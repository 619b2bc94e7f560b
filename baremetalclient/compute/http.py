"""Requests to one Compute endpoint, and the version that they are sent in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.retry import RetryPolicy
from baremetalclient._http.sender import NOT_GIVEN, Sender
from baremetalclient.microversion import Version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from keystoneauth1.session import Session

    from baremetalclient._http.response import Response
    from baremetalclient._http.retry import Deadline

LOWEST = Version(2, 37)
"""The first version in which a server can be told to have no network."""
ATTACH_MODE = Version(2, 105)
"""The version with attach modes, and the newest that is asked for."""


class ComputeHTTPClient:
    """Sends requests in the newest version that both sides know; threads may share it.

    :param session: the keystoneauth1 session that authenticates and connects.
    :param endpoint: the URL of the service, with or without ``/v2.1``.
    :param policy: when to try again.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param headers: headers for every request.
    """

    def __init__(
        self,
        session: Session,
        endpoint: str,
        *,
        policy: RetryPolicy | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._base = _with_version(endpoint)
        self._policy = policy or RetryPolicy()
        self._sender = Sender(session, self._base, self._policy, timeout=timeout, headers=headers)
        self._offered: tuple[Version, Version] | None = None

    @property
    def offered(self) -> tuple[Version, Version]:
        """The lowest and the highest version that the service offers; it is asked once.

        :raises InvalidResponse: if it does not say so.
        """
        return self._range(None)

    def _range(self, deadline: Deadline | None) -> tuple[Version, Version]:
        if self._offered is not None:
            return self._offered
        response = self._sender.send("GET", f"{self._base}/", deadline=deadline)
        found = response.object().get("version") or {}
        try:
            lowest, highest = (Version.parse(found[name]) for name in ("min_version", "version"))
        except (TypeError, KeyError, exc.ValidationError):
            raise response.invalid("the versions of a Compute API") from None
        self._offered = lowest, highest
        return self._offered

    @property
    def version(self) -> Version:
        """The version in use: the newest that both sides know.

        :raises UnsupportedVersion: if the service is too old.
        """
        highest = self.offered[1]
        if highest < LOWEST:
            raise exc.UnsupportedVersion(
                f"Version {LOWEST} of the Compute API is needed, and this cloud's Nova offers "
                f"{self.offered[0]} to {highest}.",
                required=LOWEST,
                server_range=self.offered,
            )
        return min(highest, ATTACH_MODE)

    def require_attach_mode(self) -> None:
        """Refuse a cloud that does not know attach modes.

        :raises UnsupportedVersion: if its Nova is too old.
        """
        if self.version < ATTACH_MODE:
            raise exc.UnsupportedVersion(
                f"Attach modes came with version {ATTACH_MODE} of the Compute API, and this "
                f"cloud's Nova offers {self.offered[0]} to {self.offered[1]}. Without one, volumes "
                "are attached to read and write.",
                feature="attach_mode",
                required=ATTACH_MODE,
                version=self.version,
                server_range=self.offered,
            )

    def _ask(
        self,
        method: str,
        path: str,
        body: Any = NOT_GIVEN,
        deadline: Deadline | None = None,
    ) -> Response:
        deadline = self._policy.start_deadline(deadline)
        self._range(deadline)
        headers = {"OpenStack-API-Version": f"compute {self.version}"}
        return self._sender.send(method, self._base + path, headers, body=body, deadline=deadline)


def _with_version(endpoint: str) -> str:
    base = endpoint.rstrip("/")
    urls.without_version(base)  # refuses what is no URL
    return base if "/v2" in base else f"{base}/v2.1"
