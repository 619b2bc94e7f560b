"""Requests to one Bare Metal endpoint, over a keystoneauth1 session.

Nothing is sent twice that might have been done once; nothing that comes back is trusted; no secret
reaches a log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.retry import RetryPolicy
from baremetalclient._http.sender import NOT_GIVEN, Sender
from baremetalclient.microversion import (
    CLIENT_MAX,
    CLIENT_MIN,
    HOW_TO_ASK,
    Version,
    VersionRequest,
    negotiate,
    parse_request,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keystoneauth1.session import Session

    from baremetalclient._http.response import Response
    from baremetalclient._http.retry import Deadline
    from baremetalclient._resource.schema import Feature

VERSION_HEADER = "X-OpenStack-Ironic-API-Version"
MINIMUM_HEADER = "X-OpenStack-Ironic-API-Minimum-Version"
MAXIMUM_HEADER = "X-OpenStack-Ironic-API-Maximum-Version"
REQUEST_ID_HEADER = "X-OpenStack-Request-ID"


class HTTPClient:
    """Sends requests to one endpoint; threads may share it.

    :param session: the keystoneauth1 session that authenticates and connects.
    :param endpoint: the URL of the service, with or without ``/v1``.
    :param version: the version of the API to use, or several acceptable ones, or None.
    :param at_most: whether a single version that is too new may be lowered to the server's.
    :param policy: when to try again.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param additional_headers: headers for every request.
    """

    def __init__(
        self,
        session: Session,
        endpoint: str,
        *,
        version: VersionRequest = None,
        at_most: bool = False,
        policy: RetryPolicy | None = None,
        timeout: float | None = None,
        additional_headers: Mapping[str, str] | None = None,
    ) -> None:
        self.session = session
        self.endpoint = urls.without_version(endpoint)
        self._sender = Sender(
            session,
            self.endpoint,
            policy or RetryPolicy(),
            timeout=timeout,
            headers=additional_headers,
        )
        self.requested = parse_request(version)
        self._at_most = at_most
        # Threads may set it at once: a lock would have to be held during a request.
        self._range: tuple[Version, Version] | None = None

    def server_range(self, deadline: float | Deadline | None = None) -> tuple[Version, Version]:
        """Return the lowest and the highest version that the server offers.

        The server is asked with a request of its own, unless an earlier response has told.

        :param deadline: the seconds that it may take, or the deadline of the whole call.
        :raises InvalidResponse: if the response does not tell the versions.
        """
        if self._range is None:
            response = self._sender.send("GET", f"{self.endpoint}/v1", deadline=deadline)
            self._range = _range_of(response)
        return self._range

    @property
    def knows_server_range(self) -> bool:
        """Whether the server has told which versions it offers."""
        return self._range is not None

    def version(
        self, requested: VersionRequest = None, deadline: float | Deadline | None = None
    ) -> Version:
        """Return the version of the API for a call.

        Until the server tells which versions it offers, it is assumed to offer those that the
        client knows; it is asked only where none of these will do.

        :param requested: what the call itself asks for, None for what the client was made with.
        :param deadline: the seconds that it may take, or the deadline of the whole call.
        :raises UnsupportedVersion: if client and server have no acceptable version in common.
        """
        wanted = self.requested if requested is None else parse_request(requested)
        lower = self._at_most and requested is None
        if len(wanted) == 1 and not lower:
            return negotiate(wanted, CLIENT_MIN, CLIENT_MAX)
        try:
            return _negotiated(wanted, self._range or (CLIENT_MIN, CLIENT_MAX), lower=lower)
        except exc.UnsupportedVersion:
            return _negotiated(wanted, self.server_range(deadline), lower=lower)

    def negotiated_version(self) -> Version:
        """Return the version that client and server have agreed on, asking the server if needed.

        :raises UnsupportedVersion: if they have none in common.
        """
        return _negotiated(self.requested, self.server_range(), lower=self._at_most)

    def start_deadline(self, deadline: float | Deadline | None) -> Deadline | None:
        """Return the deadline of a call that starts now, None if it has no limit.

        :param deadline: the seconds that the call may take, None for those that the client was
            made with, or the deadline of a call that this one is part of.
        """
        return self._sender.policy.start_deadline(deadline)

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = NOT_GIVEN,
        features: Sequence[Feature] = (),
        os_ironic_api_version: VersionRequest = None,
        global_request_id: str | None = None,
        deadline: float | Deadline | None = None,
    ) -> Response:
        """Send a request and return its response.

        A version that the server refuses is replaced by one that it offers, and the request is
        sent again: a refused version has changed nothing.

        :param method: the HTTP method.
        :param path: the path from ``/v1`` on, with its query, quoted already.
        :param body: what to send as JSON.
        :param features: what the version of the API has to have.
        :param os_ironic_api_version: see :class:`.CallOptions`, also for the following.
        :raises UnsupportedVersion: if the version lacks a feature, or the server the version.
        :raises HttpError: if the response is an error.
        :raises ConnectionError: if there is no response.
        """
        deadline = self.start_deadline(deadline)
        headers = {}
        if global_request_id is not None:
            headers[REQUEST_ID_HEADER] = global_request_id
        version = self.version(os_ironic_api_version, deadline)
        while True:
            missing = [feature for feature in features if version < feature.since]
            if missing:
                raise self._lacking(missing, version, os_ironic_api_version, deadline)
            headers[VERSION_HEADER] = str(version)
            try:
                response = self._sender.send(
                    method, self.endpoint + path, headers, body, deadline=deadline
                )
            except exc.NotAcceptable as error:
                lower = self._lower_version(error, version, os_ironic_api_version, deadline)
                if lower is None:
                    raise self._not_acceptable(error, version) from error
                version = lower
            else:
                if self._range is None:
                    self._range = _range_in(response.headers)
                return response

    def _lower_version(
        self,
        error: exc.NotAcceptable,
        refused: Version,
        requested: VersionRequest,
        deadline: Deadline | None,
    ) -> Version | None:
        """Return a version in place of one that the server refused, None if there is none."""
        offered = _range_in(getattr(error.response, "headers", {}))
        if offered is not None:
            self._range = offered
        else:
            self.server_range(deadline)
        version = self.version(requested, deadline)
        return version if version < refused else None

    def _lacking(
        self,
        missing: Sequence[Feature],
        version: Version,
        requested: VersionRequest,
        deadline: Deadline | None,
    ) -> exc.UnsupportedVersion:
        newest = max(missing, key=lambda feature: feature.since)
        asked = self.requested if requested is None else parse_request(requested)
        try:
            offered: tuple[Version, Version] | None = self.server_range(deadline)
        except exc.ClientException:
            offered = None
        names = " and ".join(dict.fromkeys(feature.name for feature in missing))
        story = [
            f"Bare Metal API version {newest.since} or later is needed for {names}; "
            f"{version} is in use (asked for: {', '.join(map(str, asked)) or 'the latest'}).",
        ]
        if offered:
            story.append(f"The server offers {offered[0]} to {offered[1]}.")
        if offered and offered[1] < newest.since:
            story.append("It has to be upgraded.")
        else:
            story.append(f"Ask for {newest.since} or later ({HOW_TO_ASK}).")
        return exc.UnsupportedVersion(
            " ".join(story),
            feature=newest.name,
            required=newest.since,
            version=version,
            server_range=offered,
        )

    def _not_acceptable(self, error: exc.NotAcceptable, version: Version) -> exc.ClientException:
        if self._range is None:
            return error
        lowest, highest = self._range
        if lowest <= version <= highest:
            story = (
                f"The server does not do this with Bare Metal API version {version} "
                f"({error.method} {error.url}): {error.message}"
            )
        else:
            story = f"The server does not offer Bare Metal API version {version}."
        return exc.UnsupportedVersion(
            f"{story} It offers {lowest} to {highest}. Ask for another ({HOW_TO_ASK}).",
            version=version,
            server_range=self._range,
        )


def _negotiated(
    wanted: tuple[Version, ...], offered: tuple[Version, Version], *, lower: bool
) -> Version:
    if lower and len(wanted) == 1:
        return negotiate((), *offered, client_max=min(wanted[0], CLIENT_MAX))
    return negotiate(wanted, *offered)


def _range_in(headers: Mapping[str, str]) -> tuple[Version, Version] | None:
    try:
        return Version.parse(headers[MINIMUM_HEADER]), Version.parse(headers[MAXIMUM_HEADER])
    except (KeyError, exc.ValidationError):
        return None


def _range_of(response: Response) -> tuple[Version, Version]:
    offered = _range_in(response.headers)
    if offered is not None:
        return offered
    version = response.object().get("version")
    found = version if isinstance(version, dict) else {}
    try:
        return Version.parse(found["min_version"]), Version.parse(found["version"])
    except (KeyError, exc.ValidationError):
        raise response.invalid("one of a service that tells its versions") from None
