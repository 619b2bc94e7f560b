"""One exchange with a server, and what can be said when it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient import exc
from baremetalclient.urls import without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keystoneauth1.session import Session

USER_AGENT = "baremetalclient"


class Raw(NamedTuple):
    """An answer as it came.

    :param status: the HTTP status.
    :param headers: the headers, whose names may be written in any case.
    :param body: the whole body.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Dropped(Exception):
    """The request may have reached the server, and the answer was lost."""


def exchange(
    session: Session,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    data: bytes,
    timeout: float | None,
) -> Raw:
    """Send one request, once, and return the answer, whatever its status.

    Redirects are not followed, nothing is retried and nothing is logged on the way.

    :param session: the keystoneauth1 session.
    :param method: the HTTP method.
    :param url: the whole URL.
    :param headers: the headers.
    :param data: the body, possibly empty.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :raises ConnectionRefused: if nobody listens.
    :raises ConnectionError: if the request cannot have been sent.
    :raises Dropped: if the answer was lost.
    :raises HttpError: if the identity service refuses to authenticate.
    """
    _authenticate(session)
    options: dict[str, Any] = {"headers": dict(headers), "data": data or None}
    if timeout is not None:
        options["timeout"] = timeout
    try:
        response = session.request(
            url,
            method,
            raise_exc=False,
            log=False,
            redirect=False,
            connect_retries=0,
            user_agent=USER_AGENT,
            stream=True,
            **options,
        )
        body = response.raw.read(decode_content=True)
    except Exception as error:
        raise _translated(error, url) from error
    return Raw(response.status_code, response.headers, body)


def _authenticate(session: Session) -> None:
    """Get a token beforehand, so that a failure to get one is not taken for a lost answer."""
    if getattr(session, "auth", None) is None:
        return
    from keystoneauth1 import exceptions

    try:
        session.get_auth_headers()
    except exceptions.ClientException as error:
        raise authentication_failure(error) from error


def authentication_failure(error: Exception) -> exc.ClientException:
    """Return what a failure of the identity service means here.

    :param error: an exception of keystoneauth1.
    """
    from keystoneauth1 import exceptions

    what = f"Authentication failed: {error}"
    if isinstance(error, exceptions.HttpError):
        status = error.http_status
        kind = exc.for_status(status)
        return kind(what, http_status=status, url=error.url, method=error.method)
    if any(isinstance(cause, ConnectionRefusedError) for cause in _causes(error)):
        return exc.ConnectionRefused(what)
    if isinstance(error, exceptions.ConnectionError):
        return exc.ConnectionError(what)
    return exc.AuthorizationFailure(what)


def _translated(error: Exception, url: str) -> Exception:
    import requests
    import urllib3
    from keystoneauth1 import exceptions

    shown = without_credentials(url)
    causes = list(_causes(error))
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return exc.ConnectionRefused(
            f"Nobody listens at {shown}: the connection was refused. "
            "Is the endpoint right, and is the service running?"
        )
    unsendable = (
        requests.exceptions.InvalidHeader,
        requests.exceptions.InvalidURL,
        requests.exceptions.InvalidSchema,
        requests.exceptions.MissingSchema,
        UnicodeError,
    )
    for cause in causes:
        if isinstance(cause, unsendable):
            return exc.ValidationError(f"The request to {shown} cannot be sent: {cause}")
    unsent = (
        urllib3.exceptions.NewConnectionError,
        urllib3.exceptions.ConnectTimeoutError,
        urllib3.exceptions.SSLError,
        urllib3.exceptions.ProxyError,
    )
    for cause in causes:
        if isinstance(cause, unsent):
            return exc.ConnectionError(f"No connection to {shown}: {cause}")
    network = (
        OSError,
        exceptions.ConnectionError,
        requests.exceptions.RequestException,
        urllib3.exceptions.HTTPError,
    )
    if isinstance(error, network):
        return Dropped(str(causes[-1]) or type(causes[-1]).__name__)
    if isinstance(error, exceptions.ClientException):
        return authentication_failure(error)
    return error


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what led to it, the root last."""
    seen: list[BaseException] = []
    waiting: list[object] = [error]
    while waiting:
        current = waiting.pop(0)
        if not isinstance(current, BaseException) or any(current is one for one in seen):
            continue
        seen.append(current)
        yield current
        waiting += [
            getattr(current, "reason", None),
            *current.args,
            current.__cause__,
            current.__context__,
        ]
