"""Requests to the Bare Metal API, with negotiation of microversions."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.retry import RetryPolicy
from baremetalclient._http.sender import NOT_GIVEN, Sender
from baremetalclient.microversion import (
    CLIENT_MAX,
    CLIENT_MIN,
    HOW_TO_REQUEST,
    IRONICCLIENT,
    Version,
    VersionRequest,
    negotiate,
    parse_request,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from keystoneauth1.session import Session

    from baremetalclient._http.response import Response
    from baremetalclient._http.retry import Deadline
    from baremetalclient.microversion import Feature

VERSION_HEADER = "X-OpenStack-Ironic-API-Version"
REQUEST_ID_HEADER = "X-OpenStack-Request-ID"
MINIMUM_HEADER = "X-OpenStack-Ironic-API-Minimum-Version"
MAXIMUM_HEADER = "X-OpenStack-Ironic-API-Maximum-Version"

LOG = logging.getLogger(__name__)
_IN_USE = (
    "Bare Metal API version %s is in use, the newest that client and server support, since the "
    "program requested none. To request one: %s."
)

_LACKING: Mapping[int | None, type[exc.UnsupportedVersion]] = {
    404: exc.VersionLacksPath,
    405: exc.VersionLacksMethod,
}
"""The exceptions for a missing feature, by the status with which the server would respond."""


class HTTPClient:
    """Send requests to one endpoint; safe to share between threads.

    :param session: the keystoneauth1 session that authenticates and connects.
    :param endpoint: the URL of the service, with or without ``/v1``; or a function that returns it
        before a deadline, called when the first request needs it.
    :param version: the version of the API to use, or several acceptable ones, or None.
        A log record at level INFO tells once which one is in use if None is requested.
    :param allow_downgrade: whether a single version may be lowered to one of the server.
    :param policy: when to retry.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param additional_headers: headers for every request.
    :param logger: what retries and, at level DEBUG, requests and responses are logged with.
    """

    def __init__(
        self,
        session: Session,
        endpoint: str | Callable[[Deadline | None], str],
        *,
        version: VersionRequest = None,
        allow_downgrade: bool = False,
        policy: RetryPolicy | None = None,
        timeout: float | None = None,
        additional_headers: Mapping[str, str] | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        self.session = session
        self._endpoint = endpoint if callable(endpoint) else urls.without_version(endpoint)
        self._sender = Sender(
            session,
            policy or RetryPolicy(),
            timeout=timeout,
            headers=additional_headers,
            logger=logger,
        )
        self.requested = parse_request(version)
        # That client asks for its version, and takes a lower one of an older server.
        self._allow_downgrade = allow_downgrade or version == IRONICCLIENT
        self._tells_version = version is None
        # Without a lock, which would be held during a request; threads may set it twice.
        self._range: tuple[Version, Version] | None = None

    @property
    def endpoint(self) -> str:
        """The URL of the service without ``/v1``, looked up if it was not yet.

        :raises EndpointNotFound: if the service catalog does not have it.
        """
        return self._find_endpoint(None)

    def _find_endpoint(self, deadline: Deadline | None) -> str:
        if callable(self._endpoint):
            self._endpoint = urls.without_version(self._endpoint(deadline))
        return self._endpoint

    def server_range(self, deadline: float | Deadline | None = None) -> tuple[Version, Version]:
        """Return the lowest and the highest version that the server offers.

        They are requested once, unless an earlier response had them.

        :param deadline: the seconds that it may take, or the deadline of the whole call.
        :raises InvalidResponse: if the response has no versions.
        """
        if self._range is None:
            deadline = self.start_deadline(deadline)
            url = f"{self._find_endpoint(deadline)}/v1"
            response = self._sender.send("GET", url, deadline=deadline)
            self._range = _range_of(response)
        return self._range

    @property
    def knows_server_range(self) -> bool:
        """Whether the versions that the server offers are known."""
        return self._range is not None

    def version(
        self, requested: VersionRequest = None, deadline: float | Deadline | None = None
    ) -> Version:
        """Return the version of the API for a call.

        As long as the versions of the server are unknown, those of the client are assumed; they
        are requested only if none of the client's is acceptable.

        :param requested: the version that the call requests, None for that of the client.
        :param deadline: the seconds that it may take, or the deadline of the whole call.
        :raises UnsupportedVersion: if client and server have no acceptable version in common.
        """
        wanted = self.requested if requested is None else parse_request(requested)
        lower = self._allow_downgrade and requested is None
        if len(wanted) == 1 and not lower:
            return _known(wanted[0])
        try:
            return _negotiated(wanted, self._range or (CLIENT_MIN, CLIENT_MAX), lower=lower)
        except exc.UnsupportedVersion:
            return _negotiated(wanted, self.server_range(deadline), lower=lower)

    def negotiated_version(self) -> Version:
        """Return the version negotiated with the server, whose versions are requested if needed.

        :raises UnsupportedVersion: if client and server have no acceptable version in common.
        """
        return _negotiated(self.requested, self.server_range(), lower=self._allow_downgrade)

    def start_deadline(self, deadline: float | Deadline | None) -> Deadline | None:
        """Return the deadline of a call that starts now, None for no limit.

        :param deadline: the seconds that the call may take, None for those of the client, or the
            deadline of a call that this one is part of.
        """
        return self._sender.policy.start_deadline(deadline)

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = NOT_GIVEN,
        headers: Mapping[str, str] | None = None,
        features: Sequence[Feature] = (),
        os_ironic_api_version: VersionRequest = None,
        global_request_id: str | None = None,
        deadline: float | Deadline | None = None,
    ) -> Response:
        """Send a request and return the response.

        If the server refuses the version, the request is sent again with one that it offers; the
        refused request has changed nothing.

        :param path: the path from ``/v1`` on, with the query, quoted already.
        :param body: what to send as JSON, or the bytes to send.
        :param headers: other headers of this request.
        :param features: the features that the version of the API has to have.
        :param os_ironic_api_version: see :class:`.CallOptions`, also for the following.
        :raises UnsupportedVersion: if the version lacks a feature, or the server lacks the version.
        :raises HttpError: if the server responds with an error.
        :raises ConnectionError: if there is no response.
        """
        deadline = self.start_deadline(deadline)
        headers = dict(headers or {})
        if global_request_id is not None:
            headers[REQUEST_ID_HEADER] = global_request_id
        version = self.version(os_ironic_api_version, deadline)
        url = self._find_endpoint(deadline) + path
        while True:
            missing = [feature for feature in features if version < feature.since]
            if missing:
                raise self._missing_features(
                    method, missing, version, os_ironic_api_version, deadline
                )
            headers[VERSION_HEADER] = str(version)
            try:
                response = self._sender.send(method, url, headers, body, deadline=deadline)
            except exc.NotAcceptable as error:
                lower = self._lower_version(error, version, os_ironic_api_version, deadline)
                if lower is None:
                    raise self._not_acceptable(error, version) from error
                version = lower
            else:
                if self._range is None:
                    self._range = _range_in(response.headers)
                if self._tells_version:
                    self._tells_version = False
                    LOG.info(_IN_USE, version, HOW_TO_REQUEST)
                return response

    def _lower_version(
        self,
        error: exc.NotAcceptable,
        refused: Version,
        requested: VersionRequest,
        deadline: Deadline | None,
    ) -> Version | None:
        """Return a lower version that the server offers, None if there is none."""
        offered = _range_in(getattr(error.response, "headers", {}))
        if offered is not None:
            self._range = offered
        else:
            self.server_range(deadline)
        version = self.version(requested, deadline)
        return version if version < refused else None

    def _missing_features(
        self,
        method: str,
        missing: Sequence[Feature],
        version: Version,
        requested: VersionRequest,
        deadline: Deadline | None,
    ) -> exc.UnsupportedVersion:
        newest = max(missing, key=lambda feature: feature.since)
        versions = self.requested if requested is None else parse_request(requested)
        try:
            offered: tuple[Version, Version] | None = self.server_range(deadline)
        except exc.ClientException:
            offered = None
        names = " and ".join(dict.fromkeys(feature.name for feature in missing))
        message = (
            f"Bare Metal API version {newest.since} or later is needed for {names}, but "
            f"{version} is in use (requested: {', '.join(map(str, versions)) or 'the latest'})."
        )
        if offered:
            message += f" The server offers {offered[0]} to {offered[1]}."
        if offered and offered[1] < newest.since:
            message += " It has to be upgraded."
        else:
            message += f" Request {newest.since} or later ({HOW_TO_REQUEST})."
        # The server looks for the path before it reads the arguments.
        statuses = (feature.missing.get(method) for feature in missing)
        status = next(filter(None, statuses), None)
        return _LACKING.get(status, exc.UnsupportedVersion)(
            message,
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
            message = (
                f"The server refused {error.method} {error.url} with Bare Metal API version "
                f"{version}: {error.message}"
            )
        else:
            message = f"The server does not offer Bare Metal API version {version}."
        return exc.UnsupportedVersion(
            f"{message} It offers {lowest} to {highest}. Request another one ({HOW_TO_REQUEST}).",
            version=version,
            server_range=self._range,
        )


def _negotiated(
    wanted: tuple[Version, ...], offered: tuple[Version, Version], *, lower: bool
) -> Version:
    if lower and len(wanted) == 1:
        highest = min(wanted[0], offered[1], CLIENT_MAX)
        if highest >= max(offered[0], CLIENT_MIN):
            return highest
    return negotiate(wanted, *offered)


def _known(wanted: Version) -> Version:
    """Return a version that was requested, if this client knows it."""
    if CLIENT_MIN <= wanted <= CLIENT_MAX:
        return wanted
    raise exc.UnsupportedVersion(
        f"Bare Metal API version {wanted} was requested, and this client knows {CLIENT_MIN} to "
        f"{CLIENT_MAX}. Request one of these, or 'latest' ({HOW_TO_REQUEST}).",
        version=wanted,
    )


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
        raise response.invalid("one with the versions of a Bare Metal API") from None
