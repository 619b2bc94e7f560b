"""One request and its response, over a keystoneauth1 session; nothing is retried or logged."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.response import Response
from baremetalclient._http.urls import without_credentials

if TYPE_CHECKING:
    from collections.abc import Mapping

    from keystoneauth1.session import Session

    from baremetalclient._http.retry import Deadline

LOG = logging.getLogger(__name__)

USER_AGENT = "baremetalclient"
DEFAULT_TIMEOUT = 120.0
"""Seconds to wait for a connection and between bytes if neither client nor session sets them.

Ironic itself waits up to 60 seconds for a conductor before it responds.
"""
MAX_REDIRECTS = 5
_CHUNK = 128 * 1024
_SHORTEST_TIMEOUT = 0.001


_sessions: WeakSet[Session] = WeakSet()


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
    request = f"{method} {without_credentials(url)}"
    for may_renew in (True, False):
        # Beforehand, so that a failure to get a token is not taken for a lost connection.
        token = _auth_headers(session, deadline)
        if deadline is not None and deadline.remaining() <= 0:
            raise exc.ConnectionError(
                f"The deadline of the call has passed, so {request} was not sent."
            )
        try:
            found = session.request(
                url,
                method,
                raise_exc=False,
                log=False,
                logger=LOG,
                redirect=False,
                authenticated=False,
                allow_reauth=False,
                connect_retries=0,
                user_agent=headers.get("User-Agent", USER_AGENT),
                stream=True,
                headers={**headers, **token},
                data=data or None,
                timeout=_timeout(session, timeout, deadline),
            )
            body = _read(found.raw, max_size, deadline)
        except Exception as error:
            from baremetalclient._http.library_errors import connection_failure

            raise connection_failure(error, url) from error
        if len(body) > max_size:
            found.raw.close()
            raise exc.InvalidResponse(
                f"The response to {request} (HTTP {found.status_code}) is larger than "
                f"{max_size:,} bytes. Is this the endpoint of the right service? If it is, "
                "increase max_response_size of the client."
            )
        response = Response(found.status_code, found.headers, body, request)
        # keystoneauth1 would do the same, but without regard to the deadline and to other threads.
        refused = response.status == 401 and may_renew
        if not (refused and _renew_token(session, found.request.headers, deadline)):
            break
    return response


def _renew_token(session: Session, sent: Mapping[str, Any], deadline: Deadline | None) -> bool:
    """Invalidate a token that was refused; False if the plugin has no other.

    Other threads may have sent the same token and renewed it meanwhile: theirs is kept.
    """
    if getattr(session, "auth", None) is None:
        return False

    def is_current() -> bool:
        token = _auth_headers(session, deadline).items()
        return all(sent.get(name) == value for name, value in token)

    return not is_current() or session.invalidate() or not is_current()


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


def _auth_headers(session: Session, deadline: Deadline | None) -> Mapping[str, str]:
    try:
        return get_token(session, deadline)
    except Exception as error:  # plugins raise all kinds
        from baremetalclient._http.library_errors import authentication_failure

        raise authentication_failure(error) from error


def get_token(session: Session, deadline: Deadline | None) -> Mapping[str, str]:
    """Let the authentication plugin get a token unless it has one; exceptions are keystoneauth1's.

    :param deadline: when the token has to be there.
    :returns: the headers with the token, if there is any.
    """
    auth = getattr(session, "auth", None)
    if auth is None:
        return {}
    headers: Mapping[str, str] | None = auth.get_headers(_BoundedSession(session, deadline))
    return headers or {}


def keep_out_of_children(session: Session) -> None:
    """Let child processes open connections of their own instead of using those of a session.

    After a fork, parent and child would read each other's responses from a connection of both.
    """
    _sessions.add(session)


def _forget_connections() -> None:
    from requests.adapters import HTTPAdapter

    adapters = (one for session in _sessions for one in session.session.adapters.values())
    for adapter in set[Any](one for one in adapters if isinstance(one, HTTPAdapter)):
        # Another thread of the parent may hold the locks of the old pools for ever.
        adapter.init_poolmanager(adapter._pool_connections, adapter._pool_maxsize)
        adapter.proxy_manager.clear()


if hasattr(os, "register_at_fork"):  # there is no fork on Windows
    os.register_at_fork(after_in_child=_forget_connections)
