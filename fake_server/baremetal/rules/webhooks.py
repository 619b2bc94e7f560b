"""Calling a web service that a rule names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import RuleActionExecutionFailure

if TYPE_CHECKING:
    from ..conductor.task import Task

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
    :param retries: how often it is sent again if it fails.
    :param backoff_factor: seconds to wait before the first time, more before others.
    :raises RuleActionExecutionFailure: for wrong parameters, or if no good answer comes.
    """
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
        raise RuleActionExecutionFailure(reason=f"Request to {url} failed: {exc}") from exc
    except ValueError as exc:
        raise RuleActionExecutionFailure(reason=f"Invalid parameter: {exc}") from exc
