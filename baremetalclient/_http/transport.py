"""One request and its response, over a keystoneauth1 session; failures as our own exceptions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import advice, urls
from baremetalclient._http.response import Response
from baremetalclient._http.urls import without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from keystoneauth1.session import Session

    from baremetalclient._http.retry import Deadline

USER_AGENT = "baremetalclient"
DEFAULT_TIMEOUT = 120.0
"""Seconds to wait for a connection and between bytes if neither client nor session sets them.

Ironic itself waits up to 60 seconds for a conductor before it responds.
"""
MAX_REDIRECTS = 5
_CHUNK = 128 * 1024
_SHORTEST_TIMEOUT = 0.001


class ConnectionLost(Exception):
    """The connection was lost before the response was complete; the server may have acted."""


def exchange(
    session: Session,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    data: bytes,
    timeout: float | None,
    max_size: int,
    deadline: Deadline | None = None,
) -> Response:
    """Send a request once and return the response, whatever its status.

    If the token is no longer valid, it is renewed and the request is sent with the new one.
    Redirects are not followed, nothing else is retried and nothing is logged.

    :param session: the keystoneauth1 session.
    :param method: the HTTP method.
    :param url: the whole URL.
    :param headers: the headers.
    :param data: the body, possibly empty.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param max_size: the bytes that the body of the response may have, decompressed.
    :param deadline: when the whole exchange has to be over, authentication included.
    :raises ConnectionRefused: if nothing listens at the endpoint.
    :raises ConnectionError: if the request was not sent.
    :raises ConnectionLost: if the connection was lost before the response was complete.
    :raises InvalidResponse: if the body of the response is larger.
    :raises HttpError: if authentication failed.
    """
    send = partial(_exchange, session, method, url, headers, data, timeout, max_size, deadline)
    response, sent = send()
    # keystoneauth1 would do the same, but without regard to the deadline and to other threads.
    if response.status == 401 and _renew_token(session, sent, deadline):
        return send()[0]
    return response


def _renew_token(session: Session, sent: Mapping[str, Any], deadline: Deadline | None) -> bool:
    """Invalidate a token that was refused; False if the plugin has no other.

    Other threads may have sent the same token and renewed it meanwhile: theirs is kept.
    """
    if getattr(session, "auth", None) is None:
        return False

    def is_current() -> bool:
        return all(sent.get(name) == value for name, value in _auth_headers(session, deadline))

    return not is_current() or session.invalidate() or not is_current()


def _exchange(
    session: Session,
    method: str,
    url: str,
    headers: Mapping[str, str],
    data: bytes,
    timeout: float | None,
    max_size: int,
    deadline: Deadline | None,
) -> tuple[Response, Mapping[str, Any]]:
    """Send a request once; return the response, and the headers that were sent."""
    # Beforehand, so that a failure to get a token is not taken for a lost connection.
    _auth_headers(session, deadline)
    if deadline is not None and deadline.remaining() <= 0:
        raise exc.ConnectionError(
            f"The deadline of the call has passed, so {method} {without_credentials(url)} was not "
            "sent."
        )
    try:
        response = session.request(
            url,
            method,
            raise_exc=False,
            log=False,
            redirect=False,
            allow_reauth=False,
            connect_retries=0,
            user_agent=headers.get("User-Agent", USER_AGENT),
            stream=True,
            headers=dict(headers),
            data=data or None,
            timeout=_timeout(session, timeout, deadline),
        )
        body = _read(response.raw, max_size, deadline)
    except Exception as error:
        raise _translate(error, url) from error
    request = f"{method} {without_credentials(url)}"
    if len(body) > max_size:
        response.raw.close()
        raise exc.InvalidResponse(
            f"The response to {request} (HTTP {response.status_code}) is larger than "
            f"{max_size:,} bytes. Is this the endpoint of the right service? If it is, increase "
            "max_response_size of the client."
        )
    return Response(response.status_code, response.headers, body, request), response.request.headers


def _timeout(session: Session, timeout: float | None, deadline: Deadline | None) -> float:
    """Return the seconds to wait for a connection and between bytes."""
    given = getattr(session, "timeout", None) if timeout is None else timeout
    seconds = DEFAULT_TIMEOUT if given is None else given
    return (
        seconds if deadline is None else min(seconds, max(deadline.remaining(), _SHORTEST_TIMEOUT))
    )


def _read(raw: Any, max_size: int, deadline: Deadline | None) -> bytes:
    """Read the body, up to the deadline even if the server sends it byte by byte.

    Only so much is decoded at a time that a small compressed body can't fill the memory.
    """
    known = deadline is None and "Content-Encoding" not in raw.headers
    if known and raw.length_remaining is not None and raw.length_remaining <= max_size:
        return bytes(raw.read())
    read = raw.read if deadline is None else raw.read1
    parts, size = [], 0
    while size <= max_size and (part := read(_CHUNK, decode_content=True)):
        parts.append(part)
        size += len(part)
        if deadline is not None and deadline.remaining() <= 0 and raw.length_remaining != 0:
            raise TimeoutError("timed out: the deadline of the call has passed")
    if raw.length_remaining and size <= max_size:
        raise OSError(f"the body is incomplete: {raw.length_remaining} bytes are missing")
    return b"".join(parts)


class _BoundedSession:
    """A proxy of a session for a plugin, whose requests have a timeout and need no token.

    :param session: the session.
    :param deadline: when the requests have to be over, None for the default timeout.
    """

    def __init__(self, session: Session, deadline: Deadline | None) -> None:
        self._session = session
        self._deadline = deadline

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._session, name)
        if name not in ("request", "get", "head", "post", "put", "patch", "delete"):
            return found

        def send(url: str, *arguments: Any, **options: Any) -> Any:
            options.setdefault("timeout", _timeout(self._session, None, self._deadline))
            if options.get("auth") is None:
                # The plugin would wait for ever for the token that it is about to get.
                options |= {"authenticated": False, "allow_reauth": False}
            if "redirect" in options:  # the plugin sees to redirects itself, as SAML needs
                return found(url, *arguments, **options)
            for _ in range(MAX_REDIRECTS + 1):
                response = found(url, *arguments, **options, redirect=False)
                location = response.headers.get("Location")
                if not location or response.status_code not in urls.REDIRECTS:
                    break
                # Other than for a service, keystoneauth1 repeats a POST as a POST.
                url = urls.redirect_target("GET", url, response.status_code, location)
            return response

        return send


def _auth_headers(session: Session, deadline: Deadline | None) -> Iterable[tuple[str, str]]:
    try:
        return get_token(session, deadline).items()
    except Exception as error:  # plugins raise all kinds
        raise authentication_failure(error) from error


def get_token(session: Session, deadline: Deadline | None) -> Mapping[str, str]:
    """Let the authentication plugin get a token unless it has one; exceptions are keystoneauth1's.

    :param session: the session with the plugin.
    :param deadline: when the token has to be there.
    :returns: the headers with the token, if there is any.
    """
    auth = getattr(session, "auth", None)
    if auth is None:
        return {}
    headers: Mapping[str, str] | None = auth.get_headers(_BoundedSession(session, deadline))
    return headers or {}


def authentication_failure(error: Exception) -> exc.ClientException:
    """Return our exception for a failure to authenticate.

    :param error: the exception of keystoneauth1 or of an authentication plugin.
    """
    from keystoneauth1 import exceptions

    from baremetalclient._http import failures

    causes = list(_causes(error))
    what = without_credentials(advice.authentication_message(error, causes))
    if isinstance(error, exceptions.HttpError):
        status = error.http_status
        url = without_credentials(error.url or "")
        kind = failures.identity_error(status)
        return kind(what, http_status=status, url=url, method=error.method)
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return failures.IdentityRefused(what)
    if isinstance(error, exceptions.ConnectionError):
        return failures.connection(error).identity(what)
    if isinstance(error, exceptions.DiscoveryFailure):
        return failures.DiscoveryFailure(what)
    return failures.AuthorizationFailure(what)


def _translate(error: Exception, url: str) -> Exception:
    import requests
    import urllib3
    from keystoneauth1 import exceptions

    from baremetalclient._http import failures

    shown = without_credentials(url)
    causes = list(_causes(error))
    if any(isinstance(cause, urllib3.exceptions.ProxyError) for cause in causes):
        why = without_credentials(advice.reason_of(error, causes))
        return failures.connection(error).reading(
            f"Cannot connect to {shown} by way of the proxy that the environment names "
            f"(HTTP_PROXY, HTTPS_PROXY or ALL_PROXY; NO_PROXY names exceptions): {why}"
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return failures.ConnectionRefused(
            f"Connection to {shown} refused. Is the endpoint right, and is the service running?"
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
            why = without_credentials(str(cause))
            return exc.ValidationError(f"The request to {shown} cannot be sent: {why}")
    if type(error) is ValueError:  # which requests lets out when it looks at a Location
        return exc.InvalidResponse(f"The response to {shown} redirects to no URL: {error}.")
    unsent = (
        urllib3.exceptions.NewConnectionError,
        urllib3.exceptions.ConnectTimeoutError,
        urllib3.exceptions.SSLError,
    )
    for cause in causes:
        if isinstance(cause, unsent):
            why = without_credentials(advice.reason_of(cause, causes))
            return failures.connection(error).reading(f"Cannot connect to {shown}: {why}")
    network = (
        OSError,
        exceptions.ConnectionError,
        requests.exceptions.RequestException,
        urllib3.exceptions.HTTPError,
    )
    if isinstance(error, network):
        return ConnectionLost(without_credentials(str(causes[-1])) or type(causes[-1]).__name__)
    if isinstance(error, exceptions.ClientException):
        return authentication_failure(error)
    return error


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its causes, the root cause last, without credentials in messages."""
    seen: list[BaseException] = []
    waiting: list[object] = [error]
    while waiting:
        current = waiting.pop(0)
        if not isinstance(current, BaseException) or any(current is other for other in seen):
            continue
        seen.append(current)
        # Libraries put whole URLs into their messages, which tracebacks show.
        current.args = tuple(
            without_credentials(item) if isinstance(item, str) else item for item in current.args
        )
        yield current
        waiting += [
            getattr(current, "reason", None),
            *current.args,
            current.__cause__,
            current.__context__,
        ]
