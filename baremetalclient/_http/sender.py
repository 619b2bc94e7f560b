"""Requests to one service: sent once or, where that can do no harm, again.

Nothing is sent twice that might have been done once, and no secret reaches a log.
"""

from __future__ import annotations

import json
import logging
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from baremetalclient import exc
from baremetalclient._http import log, transport, urls
from baremetalclient._http.errors import error_from
from baremetalclient._http.redact import secrets_in
from baremetalclient._http.response import Answer
from baremetalclient._http.text import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from keystoneauth1.session import Session

    from baremetalclient._http.retry import Deadline, RetryPolicy

LOG = logging.getLogger("baremetalclient.v1.http")

NOT_GIVEN: Any = object()
_MOST_REDIRECTS = 5


class Sender:
    """Sends requests to one endpoint; threads may share it.

    :param session: the keystoneauth1 session that authenticates and connects.
    :param endpoint: the URL of the service; redirects may not leave its host.
    :param policy: when to try again.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param headers: headers for every request.
    """

    def __init__(
        self,
        session: Session,
        endpoint: str,
        policy: RetryPolicy,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.session = session
        self.endpoint = endpoint
        self.policy = policy
        self._timeout = timeout
        self._headers = dict(headers or {})

    def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: Any = NOT_GIVEN,
        *,
        deadline: float | Deadline | None = None,
    ) -> Answer:
        """Send a request, again where that can do no harm, and return its answer.

        :param method: the HTTP method.
        :param url: the whole URL.
        :param headers: headers of this request.
        :param body: what to send as JSON.
        :param deadline: the seconds that it may take with all its retries, None for those of the
            policy, or the deadline of a call that takes further requests.
        :raises ValidationError: if the body cannot be written as JSON.
        :raises HttpError: if the answer is an error.
        :raises OutcomeUnknown: if the answer to a change was lost.
        :raises ConnectionError: if there is no answer.
        """
        sent = {"Accept": "application/json", **self._headers, **(headers or {})}
        data, secrets = b"", set[str]()
        if body is not NOT_GIVEN:
            sent["Content-Type"] = "application/json"
            data, secrets = _encoded(body), secrets_in(body)
        deadline = self.policy.start_deadline(deadline)
        for attempt in count(1):
            try:
                return self._send_once(method, url, sent, data, deadline, secrets)
            except (exc.NodeLocked, exc.ServiceUnavailable) as refusal:
                error: exc.ClientException = refusal
                retry_after = getattr(refusal.response, "headers", {}).get("Retry-After")
            except transport.Dropped as lost:
                if method not in ("GET", "HEAD"):
                    raise _outcome_unknown(method, url, lost) from lost
                shown = urls.without_credentials(url)
                error = exc.ConnectionError(f"The connection was lost: {lost} ({method} {shown}).")
                error.__cause__ = lost
                retry_after = None
            delay = self.policy.delay(attempt, retry_after, deadline)
            if delay is None:
                raise error
            LOG.warning(
                "%s %s: %s Trying again in %.1f s (retry %d of %d).",
                method,
                urls.without_credentials(url),
                error,
                delay,
                attempt,
                self.policy.max_retries,
            )
            self.policy.sleep(delay)
        raise AssertionError("unreachable")

    def _send_once(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        data: bytes,
        deadline: Deadline | None,
        secrets: set[str],
    ) -> Answer:
        for _ in range(_MOST_REDIRECTS + 1):
            log.log_request(method, url, headers, data)
            raw = transport.exchange(
                self.session,
                method,
                url,
                headers=headers,
                data=data,
                timeout=self._timeout,
                deadline=deadline,
            )
            log.log_answer(raw, secrets)
            shown = urls.without_credentials(url)
            if raw.status < 300:
                return Answer(raw.status, raw.headers, raw.body, f"{method} {shown}")
            if raw.status in (301, 302, 303, 307, 308) and raw.headers.get("Location"):
                url = self._redirected(method, url, raw)
                continue
            error = error_from(
                raw.status, raw.headers, raw.body, method=method, url=shown, secrets=secrets
            )
            error.response = raw
            raise error
        raise exc.HTTPRedirection(f"The server redirects in circles: {method} {shown}", url=shown)

    def _redirected(self, method: str, url: str, raw: transport.Raw) -> str:
        target = urljoin(url, raw.headers["Location"])
        downgrade = urlsplit(url).scheme == "https" and urlsplit(target).scheme != "https"
        if urls.same_host(target, self.endpoint) and not downgrade:
            if method in ("GET", "HEAD") or raw.status in (307, 308):
                return target
            why = "which would turn the change into a plain GET"
        else:
            why = "which is not the endpoint and was not given the token"
        raise exc.HTTPRedirection(
            f"The server redirects {method} {urls.without_credentials(url)} to "
            f"{printable(urls.without_credentials(target))}, {why}. "
            "If you trust it, use it as the endpoint",
            url=urls.without_credentials(url),
            method=method,
            http_status=raw.status,
        )


def _encoded(body: Any) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise exc.ValidationError(f"The values cannot be written as JSON: {error}.") from None


def _outcome_unknown(method: str, url: str, lost: Exception) -> exc.OutcomeUnknown:
    shown = urls.without_credentials(url)
    resource = shown.split("?")[0]
    return exc.OutcomeUnknown(
        f"The answer to {method} {shown} was lost ({lost}), so the change may have happened or "
        f"not. It was not sent again. Look at {resource} before you repeat it."
    )
