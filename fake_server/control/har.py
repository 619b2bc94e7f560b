"""Requests as an HTTP Archive (HAR 1.2), which browsers and proxies read."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.common.redaction import Redactor
    from fake_server.control.recorded_request import RecordedRequest

_PHRASES = {status.value: status.phrase for status in HTTPStatus}


def archive(requests: Iterable[RecordedRequest], redactor: Redactor) -> dict[str, Any]:
    """Return the archive of requests, their secrets masked."""
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "baremetal-fake-server", "version": "1.0"},
            "entries": [_entry(request, redactor) for request in requests],
        }
    }


def _entry(entry: RecordedRequest, redactor: Redactor) -> dict[str, Any]:
    milliseconds = entry.seconds * 1000
    return {
        "startedDateTime": datetime.fromtimestamp(entry.at, UTC).isoformat(),
        "time": milliseconds,
        "request": _request(entry, redactor),
        "response": _response(entry, redactor),
        "cache": {},
        "timings": {"send": 0, "wait": milliseconds, "receive": 0},
    }


def _request(entry: RecordedRequest, redactor: Redactor) -> dict[str, Any]:
    query = redactor.query(entry.query)
    shown: dict[str, Any] = {
        "method": entry.method,
        "url": entry.url + redactor.text(entry.path) + (f"?{query}" if query else ""),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(redactor.headers(entry.headers)),
        "queryString": _pairs(parse_qsl(query, keep_blank_values=True)),
        "headersSize": -1,
        "bodySize": -1 if entry.sent is None else len(entry.sent),
    }
    if entry.sent:
        kind = dict(entry.headers).get("Content-Type", "")
        shown["postData"] = {"mimeType": kind, "params": [], "text": redactor.body(entry.sent)}
    return shown


def _response(entry: RecordedRequest, redactor: Redactor) -> dict[str, Any]:
    headers = {name.lower(): value for name, value in entry.answer_headers}
    size = -1 if entry.answered is None else len(entry.answered)
    content: dict[str, Any] = {"size": size, "mimeType": headers.get("content-type", "")}
    if entry.answered is None:
        content["comment"] = "The body wasn't kept."
    elif entry.answered:
        content["text"] = redactor.body(entry.answered)
    return {
        "status": entry.status,
        "statusText": _PHRASES.get(entry.status, ""),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(redactor.headers(entry.answer_headers)),
        "content": content,
        "redirectURL": redactor.text(headers.get("location", "")),
        "headersSize": -1,
        "bodySize": size,
    }


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]
