"""Exceptions for error responses.

Ironic puts a fault, itself JSON, into a JSON string; routing errors have ``title`` and
``description`` in the same place; Keystone, the API guidelines and proxies have other formats.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http.escapes import printable
from baremetalclient._http.redact import mask_texts
from baremetalclient._http.retry import parse_retry_after

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._http.response import Response

_LOCKED = re.compile(r"\bis locked by host\b")
_UNKNOWN_ARGUMENT = re.compile(r"\b(?:unexpected|unknown) arguments?\b:?\s*(.*)", re.IGNORECASE)
_NO_JSON: Any = object()
_MAX_LENGTH = 4000
_MOST_TEXT = 65536
"""The characters of a text that are looked at: finding secrets in it takes long."""
_MAX_DEPTH = 6
_TEXT_KEYS = ("faultstring", "description", "detail", "message", "title")
_NESTED_KEYS = ("error_message", "error", "errors", "fault")


def error_from(
    response: Response, *, method: str, url: str, secrets: set[str], todo: str = ""
) -> exc.HttpError:
    """Return the exception for an error response.

    :param response: the response, with a status of 300 or above and any body.
    :param url: the URL of the request, without credentials.
    :param secrets: texts of the request to mask in the message.
    :param todo: what the user can do about it.
    """
    headers, content = response.headers, response.body.decode("utf-8", "replace")
    decoded = _decoded(content)
    if decoded is _NO_JSON:
        message = _plain_text(content[:_MOST_TEXT], headers.get("Content-Type", ""))
        details = None
    else:
        message = _message(decoded, _MAX_DEPTH)[:_MOST_TEXT]
        details = _details(decoded)
    kind = exc.for_status(response.status)
    if response.status == 409 and _LOCKED.search(message):
        kind = exc.NodeLocked
    if not message or message == kind.message:
        message = f"{kind.message}: {method} {url}"
    shown = printable(mask_texts(secrets, message))[:_MAX_LENGTH]
    return kind(
        message=f"{shown.rstrip('.')}. {todo}" if todo else shown,
        details=details and mask_texts(secrets, details),
        request_id=_request_id(headers),
        url=url,
        method=method,
        http_status=response.status,
        response=response,
        retry_after=int(parse_retry_after(headers.get("Retry-After")) or 0),
    )


def _request_id(headers: Mapping[str, str]) -> str | None:
    found = headers.get("openstack-request-id") or headers.get("x-openstack-request-id")
    return found and printable(found)[:_MAX_LENGTH]


def refused_arguments(error: exc.BadRequest) -> set[str]:
    """Return the query arguments that a server reports as unknown."""
    match = _UNKNOWN_ARGUMENT.search(error.message)
    return set(re.findall(r"[\w-]+", match[1])) if match else set()


def _decoded(content: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return _NO_JSON


def _message(value: Any, depth: int) -> str:
    if isinstance(value, str):
        inner = _decoded(value) if value.lstrip()[:1] in ("{", "[") else _NO_JSON
        return value.strip() if inner is _NO_JSON else _message(inner, depth - 1)
    if depth <= 0:
        return ""
    if isinstance(value, list):
        return "; ".join(filter(None, (_message(item, depth - 1) for item in value)))
    if not isinstance(value, dict):
        return ""
    for key in _NESTED_KEYS + _TEXT_KEYS:
        text = _message(value.get(key), depth - 1)
        if text:
            return text
    nested = [item for item in value.values() if isinstance(item, dict)]
    return _message(nested[0], depth - 1) if len(nested) == 1 else ""


def _details(value: Any) -> str | None:
    if isinstance(value, dict):
        fault = value.get("error_message", value)
        if isinstance(fault, str):
            fault = _decoded(fault)
        if isinstance(fault, dict) and isinstance(fault.get("debuginfo"), str):
            return str(fault["debuginfo"])
    return None


def _plain_text(content: str, content_type: str) -> str:
    if "html" in content_type or content.lstrip()[:1] == "<":
        from html import unescape

        title = re.search(r"<title[^>]*>(.*?)</title>", content, re.DOTALL | re.IGNORECASE)
        content = re.sub(r"<(script|style)\b.*?</\1>", " ", content, flags=re.DOTALL)
        content = title[1] if title else re.sub(r"<[^>]+>", " ", content)
        content = unescape(content)
    return " ".join(content.split())[:_MAX_LENGTH]
