"""Requests to one service, with retries and redirects.

A request is sent again only if it cannot have changed anything before; no secret is logged.
"""

from __future__ import annotations

import json
import logging
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

from baremetalclient import exc
from baremetalclient._http import log, retry, transport, urls
from baremetalclient._http.error_responses import error_from
from baremetalclient._http.redact import secrets_in
from baremetalclient._http.response import ConnectionLost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from keystoneauth1.session import Session

    from baremetalclient._http.response import Response
    from baremetalclient._http.retry import Deadline, RetryPolicy

LOG = logging.getLogger(__name__)

NOT_GIVEN: Any = object()


class Sender:
    """Send requests; safe to share between threads.

    :param session: the keystoneauth1 session that authenticates and connects.
    :param policy: when to try again.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param headers: headers for every request.
    :param logger: what retries and, at level DEBUG, requests and responses are logged with.
    """

    def __init__(
        self,
        session: Session,
        policy: RetryPolicy,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        from baremetalclient._http.session import with_cached_environment

        self.session = with_cached_environment(session)
        transport.keep_out_of_children(self.session)
        self.policy = policy
        self._logger = logger or LOG
        self._timeout = timeout
        self._headers = dict(headers or {})

    def __reduce__(self) -> NoReturn:
        # A token would be in the pickle, and connections can't be.
        raise TypeError(
            "A client can't be pickled or copied deeply: it holds credentials and connections. "
            "Make one in each process, and hand over what it takes to make it."
        )

    def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: Any = NOT_GIVEN,
        *,
        deadline: float | Deadline | None = None,
    ) -> Response:
        """Send a request, retry it where that is safe, and return the response.

        :param headers: headers of this request.
        :param body: what to send as JSON, or the bytes to send.
        :param deadline: the seconds that it may take with all retries, None for those of the
            policy, or the deadline of a call that this request is part of.
        :raises ValidationError: if the body cannot be written as JSON.
        :raises HttpError: if the server responds with an error.
        :raises OutcomeUnknown: if the connection was lost during a request that changes something.
        :raises ConnectionError: if there is no response.
        """
        sent = {"Accept": "application/json", **self._headers, **(headers or {})}
        data, secrets = b"", set[str]()
        if isinstance(body, bytes):
            data = body
        elif body is not NOT_GIVEN:
            sent["Content-Type"] = "application/json"
            data, secrets = _encoded(body), secrets_in(body)
        deadline = self.policy.start_deadline(deadline)
        timed_out = False
        for attempt in count(1):
            try:
                return self._send_once(method, url, sent, data, deadline, secrets)
            except (exc.NodeLocked, exc.ServiceUnavailable, exc.TooManyRequests) as refusal:
                error: exc.ClientException = refusal
                retry_after = getattr(refusal.response, "headers", {}).get("Retry-After")
                if isinstance(refusal, exc.TooManyRequests) and not retry_after:
                    raise
            except ConnectionLost as lost:
                error = _lost(method, urls.without_credentials(url), lost)
                error.__cause__ = lost
                if isinstance(error, exc.OutcomeUnknown):
                    raise error from lost
                retry_after = None
            except exc.ConnectionError as unsent:
                if attempt > self.policy.connect_retries:
                    raise
                error, retry_after = unsent, None
            if _timed_out(error):
                if timed_out:  # a server that hangs would take a timeout each time
                    raise error
                timed_out = True
            delay = self.policy.delay(attempt, retry_after, deadline)
            if delay is None:
                raise error
            self._logger.warning(
                "Retrying in %.1f s (retry %d of %d): %s %s: %s",
                delay,
                attempt,
                self.policy.max_retries,
                method,
                urls.without_credentials(url),
                error,
                extra={"retry": attempt},
            )
            retry.sleep(delay)
        raise AssertionError("unreachable")

    def _send_once(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        data: bytes,
        deadline: Deadline | None,
        secrets: set[str],
    ) -> Response:
        for _ in range(transport.MAX_REDIRECTS + 1):
            log.log_request(self._logger, method, url, headers, data)
            response = transport.exchange(
                self.session,
                method,
                url,
                headers=headers,
                data=data,
                timeout=self._timeout,
                max_size=self.policy.max_response_size,
                deadline=deadline,
            )
            log.log_response(self._logger, response, secrets)
            if response.status < 300:
                return response
            shown = urls.without_credentials(url)
            location = response.headers.get("Location")
            if location and response.status in urls.REDIRECTS:
                url = urls.redirect_target(method, url, response.status, location)
                continue
            todo = ""
            if response.status == 401:
                from baremetalclient._http.library_errors import for_unauthorized

                todo = for_unauthorized(self.session, response.headers.get("WWW-Authenticate", ""))
            raise error_from(response, method=method, url=shown, secrets=secrets, todo=todo)
        raise exc.HTTPRedirection(
            f"Too many redirects: {method} {shown}",
            url=shown,
            method=method,
            http_status=response.status,
        )


def _encoded(body: Any) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise exc.ValidationError(f"The values cannot be written as JSON: {error}.") from None


def _timed_out(error: exc.ClientException) -> bool:
    if not isinstance(error, exc.ConnectionError):
        return False
    from baremetalclient._http.exceptions import ConnectTimeout

    return isinstance(error, ConnectTimeout)


def _lost(method: str, url: str, lost: ConnectionLost) -> exc.ConnectionError:
    from baremetalclient._http.exceptions import connection

    kind = connection(lost.__cause__)
    if method in ("GET", "HEAD"):
        return kind.reading(f"The connection was lost: {lost} ({method} {url}).")
    return kind.changing(
        f"The connection was lost before the response to {method} {url} ({lost}), so the change "
        f"may have been made or not. It was not retried. Check {url.split('?')[0]} before you "
        "repeat it."
    )
