"""Exceptions, with the names of ``ironicclient.exc``.

The tree::

    ClientException
    ├── ValidationError            an invalid argument; nothing was sent
    │   ├── InvalidType            ... of a wrong type; a TypeError too
    │   └── InvalidIdentifier      ... that identifies no resource; a BadRequest too
    ├── InvalidAttribute           an unknown field, or arguments that exclude each other
    │   ├── UnknownArgument        an unknown keyword argument; a TypeError too
    │   ├── FieldMissing           a field that the server did not send; an AttributeError too
    │   └── InvalidResponse        a response that is not what the API promises
    ├── UnsupportedVersion         the API version in use lacks a feature or is not offered
    │   ├── VersionLacksPath       ... lacks the path; a NotFound too
    │   └── VersionLacksMethod     ... lacks the method there; a MethodNotAllowed too
    ├── CommandError               wrong arguments on a command line
    │   └── UsageError             arguments that contradict each other; exit code 2
    ├── NoUniqueMatch              several resources with the same name
    ├── StateTransitionFailed      a node or an allocation reached another state
    ├── StateTransitionTimeout     ... or did not reach its state in time
    ├── SomeFailed                 an action on several resources failed for some of them
    ├── LeftBehind                 a workflow failed and could not be rolled back
    ├── AmbiguousAuthSystem        neither credentials nor an endpoint
    ├── AuthorizationFailure
    │   ├── AuthPluginOptionsMissing
    │   └── AuthSystemNotFound
    ├── EndpointException
    │   ├── EndpointNotFound
    │   └── AmbiguousEndpoints
    ├── ConnectionError            no response
    │   ├── ConnectionRefused      nothing listens there; nothing was sent
    │   └── OutcomeUnknown         the connection was lost during a change
    └── HttpError                  a response that is an error
        ├── HTTPRedirection        3xx
        │   └── MultipleChoices
        ├── HTTPClientError        4xx: BadRequest, Unauthorized, Forbidden, NotFound, ...
        │   └── Conflict
        │       └── NodeLocked     another operation holds the node
        └── HttpServerError        5xx: InternalServerError, ServiceUnavailable, ...

Failures to connect and to authenticate are exceptions of keystoneauth1, too: a refused connection
is a ``keystoneauth1.exceptions.ConnectFailure``, a wrong password its ``Unauthorized``. Failures to
authenticate are also an ``AmbiguousAuthSystem``. A warning::

    UserWarning
    └── MoreResultsWarning         a list has only one page, and there are more results
"""

from __future__ import annotations

import copyreg
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class ClientException(Exception):
    """The base of every error that this library raises.

    :param message: the message.
    """

    def __init__(self, message: str = "") -> None:
        # Some classes are those of keystoneauth1, too, whose constructors take other arguments.
        Exception.__init__(self, message)
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        # Constructors make the message of their arguments, so a pickle or a copy needs none.
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class ValidationError(ClientException, ValueError):
    """An argument is invalid; nothing was sent to the server.

    It is a ``ValueError`` too, which python-ironicclient raises for some of these.
    """


class InvalidType(ValidationError, TypeError):
    """An argument has the wrong type; nothing was sent to the server."""


class InvalidAttribute(ClientException):
    """A field is unknown, or arguments exclude each other."""


class UnknownArgument(InvalidAttribute, TypeError):
    """A keyword argument is unknown; nothing was sent to the server."""


class FieldMissing(InvalidAttribute, AttributeError):
    """A resource lacks a field, because the server did not send it.

    :param message: the message.
    :param name: the name of the field.
    :param obj: the resource.
    """

    def __init__(self, message: str = "", *, name: str | None = None, obj: object = None) -> None:
        InvalidAttribute.__init__(self, message)
        self.name = name
        self.obj = obj


class UnsupportedVersion(ClientException):
    """The API version in use lacks a feature, or is not offered at all.

    If a server with this version would respond with 404 or 405, it is also a :class:`NotFound` or
    a :class:`MethodNotAllowed`, though nothing was sent. Else ``http_status`` is 406.

    :param message: the message.
    :param feature: the name of the missing feature, if there is one.
    :param required: the first version that has it.
    :param version: the version in use.
    :param server_range: the lowest and the highest version that the server offers, if known.
    """

    http_status: int = 406

    def __init__(
        self,
        message: str = "",
        *,
        feature: str | None = None,
        required: tuple[int, int] | None = None,
        version: tuple[int, int] | None = None,
        server_range: tuple[tuple[int, int], tuple[int, int]] | None = None,
    ) -> None:
        ClientException.__init__(self, message)
        self.feature = feature
        self.required = required
        self.version = version
        self.server_range = server_range


class InvalidResponse(InvalidAttribute):
    """The response is not what the API promises: not JSON, or other JSON."""


class CommandError(ClientException):
    """The arguments on a command line are wrong."""


class UsageError(CommandError):
    """The arguments of a command contradict each other; the exit code is 2."""


class NoUniqueMatch(ClientException):
    """Several resources have the name that was given."""


class _StateTransitionError(ClientException):
    """The base of failures to reach a state.

    :param message: the message.
    :param state: the state that the resource is in.
    :param reason: the reason that the service gives.
    """

    def __init__(
        self, message: str = "", *, state: str | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message)
        self.state = state
        self.reason = reason


class StateTransitionFailed(_StateTransitionError):
    """A node, an allocation or a server reached another state than the expected one."""


class StateTransitionTimeout(_StateTransitionError):
    """A node, an allocation or a server did not reach the expected state in time."""


class SomeFailed(ClientException):
    """An action on several resources, or a wait for them, failed for some of them.

    :param results: each :class:`.Result` that is not done, with an exception of its own.
    """

    def __init__(self, results: Sequence[Any]) -> None:
        told = "; ".join(f"{one.name or one.uuid}: {one.error or one.result}" for one in results)
        super().__init__(f"{len(results)} not done: {told}")
        self.results = list(results)


class LeftBehind(ClientException):
    """A workflow failed, and some of its steps could not be rolled back.

    The message names what is left; the cause is the failure.
    """


class AmbiguousAuthSystem(ClientException):
    """Neither usable credentials nor an endpoint were given."""


AmbigiousAuthSystem = AmbiguousAuthSystem


class AuthorizationFailure(ClientException):
    """Authentication is not possible."""


class AuthPluginOptionsMissing(AuthorizationFailure):
    """The authentication plugin lacks options.

    :param opt_names: the names of the options that are missing.
    """

    def __init__(self, opt_names: Sequence[str]) -> None:
        super().__init__(f"Authentication failed. Missing options: {', '.join(opt_names)}")
        self.opt_names = list(opt_names)


class AuthSystemNotFound(AuthorizationFailure):
    """There is no authentication plugin with this name.

    :param auth_system: the name.
    """

    def __init__(self, auth_system: str = "?") -> None:
        super().__init__(f"Authentication system not found: {auth_system!r}")
        self.auth_system = auth_system


class EndpointException(ClientException):
    """The endpoint is wrong, or cannot be found in the service catalog."""


class EndpointNotFound(EndpointException):
    """The service catalog has no endpoint of the service."""


class AmbiguousEndpoints(EndpointException):
    """The service catalog has several matching endpoints.

    :param endpoints: the endpoints.
    """

    def __init__(self, endpoints: Sequence[object] = ()) -> None:
        super().__init__(f"Several endpoints match: {', '.join(map(str, endpoints))}")
        self.endpoints = list(endpoints)


class ConnectionError(ClientException):  # noqa: A001 - the name is ironicclient's
    """There was no response."""


class ConnectionRefused(ConnectionError):
    """Nothing listens at the endpoint; nothing was sent."""


class OutcomeUnknown(ConnectionError):
    """A change was sent and the connection was lost, so it may have happened or not."""


_BY_STATUS: dict[int, type[HttpError]] = {}


class HttpError(ClientException):
    """The server responded with an error.

    :param message: the message of the server.
    :param details: details, such as a traceback.
    :param response: the response, if there is one.
    :param request_id: the id of the request in the log of the server.
    :param url: the URL of the request.
    :param method: the HTTP method of the request.
    :param http_status: the status of the response, if it differs from the class's.
    :param retry_after: the seconds after which to retry, as the response says, else 0.
    """

    http_status: int = 0
    message: str = "HTTP Error"
    details: Any = None
    response: Any = None
    request_id: str | None = None
    url: str | None = None
    method: str | None = None
    retry_after: int = 0

    def __init_subclass__(cls, status: int = 0) -> None:
        """Make a class that of an HTTP status.

        :param status: the status; without a message of its own, the words of the class's name.
        """
        super().__init_subclass__()
        if status:
            _BY_STATUS[status] = cls
            cls.http_status = status
            if "message" not in vars(cls):
                cls.message = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__.removeprefix("Http"))

    def __init__(
        self,
        message: str | None = None,
        details: Any = None,
        response: object = None,
        request_id: str | None = None,
        url: str | None = None,
        method: str | None = None,
        http_status: int | None = None,
        retry_after: int = 0,
    ) -> None:
        message = message or type(self).message
        self.http_status = http_status or self.http_status
        self.details = details
        self.response = response
        self.request_id = request_id
        self.url = url
        self.method = method
        self.retry_after = retry_after
        text = f"{message} (HTTP {self.http_status})"
        if request_id:
            text += f" (Request-ID: {request_id})"
        ClientException.__init__(self, text)
        self.message = message


class HTTPRedirection(HttpError):
    """A redirect that was not followed (3xx)."""

    message = "HTTP Redirection"


class MultipleChoices(HTTPRedirection, status=300):
    """Several representations exist (300)."""


class HTTPClientError(HttpError):
    """The request is at fault (4xx)."""

    message = "HTTP Client Error"


class BadRequest(HTTPClientError, status=400):
    """The server does not accept the request (400)."""


class Unauthorized(HTTPClientError, status=401):
    """Authentication is needed or has failed (401)."""


class PaymentRequired(HTTPClientError, status=402):
    """Reserved (402)."""


class Forbidden(HTTPClientError, status=403):
    """The credentials do not permit the request (403)."""


class NotFound(HTTPClientError, status=404):
    """The resource does not exist (404)."""


class MethodNotAllowed(HTTPClientError, status=405):
    """The resource does not support the method (405)."""


class NotAcceptable(HTTPClientError, status=406):
    """The server cannot respond in the format asked for (406)."""


class ProxyAuthenticationRequired(HTTPClientError, status=407):
    """A proxy requires authentication (407)."""


class RequestTimeout(HTTPClientError, status=408):
    """The server did not get the request in time (408)."""


class InvalidIdentifier(ValidationError, BadRequest):
    """An argument cannot be the identifier of a resource; nothing was sent to the server."""

    def __init__(self, message: str = "") -> None:
        HttpError.__init__(self)
        ClientException.__init__(self, message)


class VersionLacksPath(UnsupportedVersion, NotFound):
    """The API version in use does not have the path; nothing was sent."""

    http_status = 404


class VersionLacksMethod(UnsupportedVersion, MethodNotAllowed):
    """The API version in use does not have the method at this path; nothing was sent."""

    http_status = 405


class Conflict(HTTPClientError, status=409):
    """The request contradicts the state of the resource, or another resource (409)."""


class NodeLocked(Conflict):
    """Another operation holds the node; the same request may succeed later (409)."""


class Gone(HTTPClientError, status=410):
    """The resource does not exist any more (410)."""


class LengthRequired(HTTPClientError, status=411):
    """The request has no Content-Length (411)."""


class PreconditionFailed(HTTPClientError, status=412):
    """A condition of the request does not hold (412)."""


class RequestEntityTooLarge(HTTPClientError, status=413):
    """The body is larger than the server accepts (413)."""


class RequestUriTooLong(HTTPClientError, status=414):
    """The URL is longer than the server accepts (414)."""

    message = "Request-URI Too Long"


class UnsupportedMediaType(HTTPClientError, status=415):
    """The server does not accept this type of body (415)."""


class RequestedRangeNotSatisfiable(HTTPClientError, status=416):
    """The requested range does not exist (416)."""


class ExpectationFailed(HTTPClientError, status=417):
    """The server cannot meet the Expect header (417)."""


class UnprocessableEntity(HTTPClientError, status=422):
    """The request is well-formed but cannot be processed (422)."""


class TooManyRequests(HTTPClientError, status=429):
    """The server wants fewer requests (429); with ``Retry-After``, they are sent again."""


class HttpServerError(HttpError):
    """The server is at fault (5xx)."""

    message = "HTTP Server Error"


class InternalServerError(HttpServerError, status=500):
    """The server failed (500)."""


class HttpNotImplemented(HttpServerError, status=501):
    """The server does not support the method (501)."""


class BadGateway(HttpServerError, status=502):
    """A proxy got a bad response from the server (502)."""


class ServiceUnavailable(HttpServerError, status=503):
    """The server cannot respond at the moment (503)."""


class GatewayTimeout(HttpServerError, status=504):
    """A proxy got no response from the server in time (504)."""


class HttpVersionNotSupported(HttpServerError, status=505):
    """The server does not support this version of HTTP (505)."""

    message = "HTTP Version Not Supported"


class MoreResultsWarning(UserWarning):
    """A list without a limit has only one page of the server, and there are more results."""


InvalidEndpoint = EndpointException
CommunicationError = ConnectionError
HTTPBadRequest = BadRequest
HTTPInternalServerError = InternalServerError
HTTPNotFound = NotFound
HTTPServiceUnavailable = ServiceUnavailable


def for_status(status: int) -> type[HttpError]:
    """Return the class of errors for an HTTP status.

    :param status: the status of a response, 300 or above.
    :returns: the class for this status, or the general one for statuses of the same hundred.
    """
    general = (
        HttpServerError if status >= 500 else HTTPClientError if status >= 400 else HTTPRedirection
    )
    return _BY_STATUS.get(status, general)
