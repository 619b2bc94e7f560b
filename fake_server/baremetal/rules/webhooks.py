"""Call the web service that a rule names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.errors import RuleActionExecutionFailure

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task

_RETRIED = (429, 500, 502, 503, 504)


def call(
    task: Task,
    url: str,
    headers: Any = None,
    proxies: Any = None,
    timeout: Any = 5,
    retries: Any = 3,
    backoff_factor: Any = 0.3,
) -> None:
    """Send a GET request.

    :param timeout: seconds to wait for an answer.
    :param retries: maximum number of retries after failures.
    :param backoff_factor: seconds to wait before the first time, more before others.
    :raises RuleActionExecutionFailure: for wrong parameters, or if no good answer comes.
    """
    failure = task.outcomes.of(
        partial(_send, url, headers, proxies, timeout, retries, backoff_factor)
    )
    if failure is not None:
        raise RuleActionExecutionFailure(reason=failure)


def _send(
    url: str, headers: Any, proxies: Any, timeout: Any, retries: Any, backoff_factor: Any
) -> str | None:
    """Send the request; return what went wrong, if anything did."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.util.retry import Retry

    try:
        seconds = float(timeout)
        if seconds <= 0:
            raise ValueError("timeout must be greater than zero")
        strategy = Retry(
            total=int(retries),
            backoff_factor=float(backoff_factor),
            status_forcelist=_RETRIED,
            allowed_methods=["GET"],
            raise_on_status=False,
        )
        with requests.Session() as session:
            for scheme in ("http://", "https://"):
                session.mount(scheme, HTTPAdapter(max_retries=strategy))
            answer = session.get(url, timeout=seconds, headers=headers, proxies=proxies)
            answer.raise_for_status()
    except requests.RequestException as exc:
        return f"Request to {url} failed: {exc}"
    except ValueError as exc:
        return f"Invalid parameter: {exc}"
    return None
