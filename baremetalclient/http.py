"""Requests to one Bare Metal endpoint, over a keystoneauth1 session.

Nothing is sent twice that might have been done once; nothing that comes back is trusted; no secret
reaches a log.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypedDict

from baremetalclient import exc, urls
from baremetalclient.microversion import (
    CLIENT_MAX,
    CLIENT_MIN,
    HOW_TO_ASK,
    Version,
    VersionRequest,
    negotiate,
    parse_request,
)
from baremetalclient.retry import RetryPolicy
from baremetalclient.sender import NOT_GIVEN, Sender

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keystoneauth1.session import Session

    from baremetalclient.answer import Answer
    from baremetalclient.fields import Feature

VERSION_HEADER = "X-OpenStack-Ironic-API-Version"
MINIMUM_HEADER = "X-OpenStack-Ironic-API-Minimum-Version"
MAXIMUM_HEADER = "X-OpenStack-Ironic-API-Maximum-Version"
REQUEST_ID_HEADER = "X-OpenStack-Request-ID"


class CallOptions(TypedDict, total=False):
    """What every call to the API takes besides its own arguments.

    :param os_ironic_api_version: the version for this call, or several acceptable ones.
    :param global_request_id: an id of the form ``req-<UUID>`` that goes along with the call.
    :param deadline: seconds that the call may take with all its retries.
    """

    os_ironic_api_version: VersionRequest
    global_request_id: str | None
    deadline: float | None


class HTTPClient:
    """Sends requests to one endpoint; threads may share it.

    :param session: the keystoneauth1 session that authenticates and connects.
    :param endpoint: the URL of the service, with or without ``/v1``.
    :param version: the version of the API to use, or several acceptable ones, or None.
    :param at_most: whether a single version that is too new may be lowered to the server's.
    :param policy: when to try again.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param additional_headers: headers for every request.
    :param global_request_id: an id of the form ``req-<UUID>`` for every request.
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
        global_request_id: str | None = None,
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
        self._global_request_id = global_request_id
        self._range: tuple[Version, Version] | None = None
        self._range_lock = threading.Lock()

    def server_range(self) -> tuple[Version, Version]:
        """Return the lowest and the highest version that the server offers; it is asked once.

        :raises InvalidResponse: if what answers does not know versions.
        """
        with self._range_lock:
            if self._range is None:
                answer = self._sender.send("GET", f"{self.endpoint}/v1")
                self._range = _range_of(answer)
            return self._range

    @property
    def knows_server_range(self) -> bool:
        """Whether the server was asked which versions it offers."""
        return self._range is not None

    def version(self, requested: VersionRequest = None) -> Version:
        """Return the version of the API for a call.

        A single version that was asked for is taken without asking the server.

        :param requested: what the call itself asks for, None for what the client was made with.
        :raises UnsupportedVersion: if client and server have no acceptable version in common.
        """
        wanted = self.requested if requested is None else parse_request(requested)
        if len(wanted) == 1 and not (self._at_most and requested is None):
            return negotiate(wanted, CLIENT_MIN, CLIENT_MAX)
        return self._negotiated(wanted, lower=self._at_most and requested is None)

    def negotiated_version(self) -> Version:
        """Return the version that client and server have agreed on, asking the server if needed.

        :raises UnsupportedVersion: if they have none in common.
        """
        return self._negotiated(self.requested, lower=self._at_most)

    def require(self, feature: Feature, requested: VersionRequest = None) -> Version:
        """Return the version for a call, provided that it has a feature.

        :param feature: what the call needs.
        :param requested: what the call itself asks for.
        :raises UnsupportedVersion: if the version lacks it; nothing was sent.
        """
        version = self.version(requested)
        if version >= feature.since:
            return version
        raise self._lacking(feature, version, requested)

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = NOT_GIVEN,
        features: Sequence[Feature] = (),
        **call: Any,
    ) -> Answer:
        """Send a request and return its answer.

        :param method: the HTTP method.
        :param path: the path from ``/v1`` on, with its query, quoted already.
        :param body: what to send as JSON.
        :param features: what the version of the API has to have.
        :param call: the :class:`CallOptions`.
        :raises UnsupportedVersion: if the version lacks a feature, or the server the version.
        :raises HttpError: if the answer is an error.
        :raises ConnectionError: if there is no answer.
        """
        requested = call.get("os_ironic_api_version")
        version = self.version(requested)
        for feature in features:
            if version < feature.since:
                raise self._lacking(feature, version, requested)
        headers = {VERSION_HEADER: str(version)}
        request_id = call.get("global_request_id") or self._global_request_id
        if request_id is not None:
            headers[REQUEST_ID_HEADER] = request_id
        try:
            return self._sender.send(
                method, self.endpoint + path, headers, body, deadline=call.get("deadline")
            )
        except exc.NotAcceptable as error:
            raise self._not_acceptable(error, version) from error

    def _negotiated(self, wanted: tuple[Version, ...], *, lower: bool) -> Version:
        lowest, highest = self.server_range()
        if lower and len(wanted) == 1:
            return negotiate((), lowest, highest, client_max=min(wanted[0], CLIENT_MAX))
        return negotiate(wanted, lowest, highest)

    def _lacking(
        self, feature: Feature, version: Version, requested: VersionRequest
    ) -> exc.UnsupportedVersion:
        asked = self.requested if requested is None else parse_request(requested)
        try:
            offered: tuple[Version, Version] | None = self.server_range()
        except exc.ClientException:
            offered = None
        story = [
            f"Bare Metal API version {feature.since} or later is needed for {feature.name}; "
            f"{version} is in use (asked for: {', '.join(map(str, asked)) or 'the latest'}).",
        ]
        if offered:
            story.append(f"The server offers {offered[0]} to {offered[1]}.")
        if offered and offered[1] < feature.since:
            story.append("It has to be upgraded.")
        else:
            story.append(f"Ask for {feature.since} or later ({HOW_TO_ASK}).")
        return exc.UnsupportedVersion(
            " ".join(story),
            feature=feature.name,
            required=feature.since,
            version=version,
            server_range=offered,
        )

    def _not_acceptable(self, error: exc.NotAcceptable, version: Version) -> exc.ClientException:
        headers = getattr(error.response, "headers", {})
        try:
            offered = (
                Version.parse(headers[MINIMUM_HEADER]),
                Version.parse(headers[MAXIMUM_HEADER]),
            )
        except (KeyError, exc.ValidationError):
            return error
        if offered[0] <= version <= offered[1]:
            story = (
                f"The server does not do this with Bare Metal API version {version} "
                f"({error.method} {error.url}): {error.message}"
            )
        else:
            story = f"The server does not offer Bare Metal API version {version}."
        return exc.UnsupportedVersion(
            f"{story} It offers {offered[0]} to {offered[1]}. Ask for another ({HOW_TO_ASK}).",
            version=version,
            server_range=offered,
        )


def _range_of(answer: Answer) -> tuple[Version, Version]:
    lowest, highest = answer.headers.get(MINIMUM_HEADER), answer.headers.get(MAXIMUM_HEADER)
    if not (lowest and highest):
        version = answer.object().get("version")
        if isinstance(version, dict):
            lowest, highest = version.get("min_version"), version.get("version")
    try:
        return Version.parse(lowest or ""), Version.parse(highest or "")
    except exc.ValidationError:
        raise answer.invalid("one of a service that tells its versions") from None
