"""Failures to connect and to authenticate, as exceptions of this library and of keystoneauth1.

Programs for python-ironicclient catch the classes of keystoneauth1, which it lets through, and
``AmbiguousAuthSystem`` where the endpoint is looked up. This module is loaded only if something
fails, since the exceptions of keystoneauth1 take long to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import urllib3
from keystoneauth1 import exceptions as ksa

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keystoneauth1.loading import Opt


class ConnectionRefused(exc.ConnectionRefused, ksa.ConnectFailure):
    """Nothing listens at the endpoint; nothing was sent."""


class ConnectFailure(exc.ConnectionError, ksa.ConnectFailure):
    """There was no connection, or it was lost while a response was read."""


class ConnectTimeout(exc.ConnectionError, ksa.ConnectTimeout):
    """There was no response in time."""


class TLSFailure(exc.ConnectionError, ksa.SSLError):
    """TLS failed; nothing was sent."""


class IncompleteResponse(exc.ConnectionError, ksa.UnknownConnectionError):
    """The response was cut."""


class ChangeLost(exc.OutcomeUnknown, ksa.ConnectFailure):
    """The connection was lost during a change."""


class ChangeTimeout(exc.OutcomeUnknown, ksa.ConnectTimeout):
    """There was no response to a change in time."""


class ChangeIncomplete(exc.OutcomeUnknown, ksa.UnknownConnectionError):
    """The response to a change was cut."""


class InvalidEndpoint(exc.EndpointException, ksa.UnknownConnectionError):
    """The endpoint is not a URL."""


class EndpointNotFound(exc.EndpointNotFound, exc.AmbiguousAuthSystem, ksa.EndpointNotFound):
    """The service catalog has no endpoint of the service."""


class NoCredentials(exc.AmbiguousAuthSystem, ksa.MissingRequiredOptions):
    """The options of the authentication plugin are not sufficient.

    :param options: the options that are missing.
    """

    def __init__(self, message: str, options: Sequence[Opt] = ()) -> None:
        exc.AmbiguousAuthSystem.__init__(self, message)
        self.options = options


class AuthSystemNotFound(exc.AuthSystemNotFound, ksa.NoMatchingPlugin):
    """There is no authentication plugin with this name."""

    def __init__(self, name: str) -> None:
        exc.AuthSystemNotFound.__init__(self, name)
        self.name = name


class IdentityUnauthorized(exc.Unauthorized, exc.AmbiguousAuthSystem, ksa.Unauthorized):
    """The identity service refuses the credentials (401)."""


class IdentityForbidden(exc.Forbidden, exc.AmbiguousAuthSystem, ksa.Forbidden):
    """The identity service forbids it (403)."""


class IdentityNotFound(exc.NotFound, exc.AmbiguousAuthSystem, ksa.NotFound):
    """The identity service is not at this URL (404)."""


class IdentityClientError(exc.HTTPClientError, exc.AmbiguousAuthSystem, ksa.HTTPClientError):
    """The identity service does not accept the request (4xx)."""


class IdentityUnavailable(exc.ServiceUnavailable, exc.AmbiguousAuthSystem, ksa.ServiceUnavailable):
    """The identity service cannot respond at the moment (503)."""


class IdentityServerError(exc.HttpServerError, exc.AmbiguousAuthSystem, ksa.HttpServerError):
    """The identity service failed (5xx)."""


class IdentityRefused(exc.ConnectionRefused, exc.AmbiguousAuthSystem, ksa.ConnectFailure):
    """Nothing listens at the URL of the identity service."""


class IdentityConnectFailure(exc.ConnectionError, exc.AmbiguousAuthSystem, ksa.ConnectFailure):
    """There was no connection to the identity service, or it was lost."""


class IdentityTimeout(exc.ConnectionError, exc.AmbiguousAuthSystem, ksa.ConnectTimeout):
    """The identity service did not respond in time."""


class IdentityTLSFailure(exc.ConnectionError, exc.AmbiguousAuthSystem, ksa.SSLError):
    """TLS with the identity service failed."""


class IdentityUnknown(exc.ConnectionError, exc.AmbiguousAuthSystem, ksa.UnknownConnectionError):
    """The response of the identity service was cut, or its URL is wrong."""


class DiscoveryFailure(exc.AuthorizationFailure, exc.AmbiguousAuthSystem, ksa.DiscoveryFailure):
    """The URL of the identity service is that of something else."""


class AuthorizationFailure(exc.AuthorizationFailure, exc.AmbiguousAuthSystem, ksa.ClientException):
    """Authentication is not possible."""


class _Connection(NamedTuple):
    """The classes for one kind of failure of a connection."""

    kinds: tuple[type[Exception], ...]
    reading: type[exc.ConnectionError]
    changing: type[exc.OutcomeUnknown]
    identity: type[exc.ConnectionError]


_CONNECTIONS = (
    _Connection((ksa.ConnectTimeout,), ConnectTimeout, ChangeTimeout, IdentityTimeout),
    _Connection((ksa.SSLError,), TLSFailure, ChangeLost, IdentityTLSFailure),
    _Connection(
        (ksa.ConnectFailure, TimeoutError, urllib3.exceptions.TimeoutError),
        ConnectFailure,
        ChangeLost,
        IdentityConnectFailure,
    ),
)
_OTHER = _Connection((), IncompleteResponse, ChangeIncomplete, IdentityUnknown)
_IDENTITY = {
    401: IdentityUnauthorized,
    403: IdentityForbidden,
    404: IdentityNotFound,
    503: IdentityUnavailable,
}


def connection(cause: BaseException | None) -> _Connection:
    """Return the classes for a failure of a connection.

    :param cause: the exception of keystoneauth1, or of urllib3 if the body was read.
    """
    return next((found for found in _CONNECTIONS if isinstance(cause, found.kinds)), _OTHER)


def identity_error(status: int) -> type[exc.HttpError]:
    """Return the class for an error of the identity service.

    :param status: the HTTP status of its response.
    """
    return _IDENTITY.get(status, IdentityClientError if status < 500 else IdentityServerError)
