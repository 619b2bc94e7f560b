"""What has to be equal of two answers, and where it isn't."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import requests

#: Headers that clients look at.
HEADERS = (
    "Allow",
    "Content-Type",
    "Location",
    "X-OpenStack-Ironic-API-Maximum-Version",
    "X-OpenStack-Ironic-API-Minimum-Version",
    "X-OpenStack-Ironic-API-Version",
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?")
_REQUEST_ID = re.compile(r"req-[0-9a-f-]+")
#: Fields that hold what an Ironic keeps to itself, and who works on a node right now.
_OWN = frozenset({"driver_internal_info", "reservation"})
_MISSING = object()


def view(answer: requests.Response, base: str) -> dict[str, Any]:
    """Return what has to be equal of an answer of a server at an address."""
    headers = {name: answer.headers[name] for name in HEADERS if name in answer.headers}
    if "Allow" in headers:
        headers["Allow"] = ", ".join(sorted(re.split(r"[,\s]+", headers["Allow"])))
    if "Content-Type" in headers:
        headers["Content-Type"] = headers["Content-Type"].lower()
    shown = {"status": answer.status_code, "headers": headers, "body": _body(answer)}
    found: dict[str, Any] = _neutral(shown, base)
    return found


def differences(theirs: Any, ours: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield each place where two views differ, with both values; missing ones are ``<missing>``."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in [*theirs, *(key for key in ours if key not in theirs)]:
            here = f"{place}.{key}" if place else str(key)
            yield from differences(theirs.get(key, _MISSING), ours.get(key, _MISSING), here)
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for position, (one, other) in enumerate(zip(theirs, ours, strict=True)):
            yield from differences(one, other, f"{place}[{position}]")
    elif theirs != ours or isinstance(theirs, bool) is not isinstance(ours, bool):
        yield place, _shown(theirs), _shown(ours)


def _body(answer: requests.Response) -> Any:
    try:
        document = json_text.parse(answer.content)
    except ValueError:
        return answer.text
    if isinstance(document, dict) and isinstance(document.get("error_message"), str):
        try:
            document["error_message"] = json_text.parse(document["error_message"])
        except ValueError:
            return document
    return document


def _neutral(value: Any, base: str, key: str = "") -> Any:
    """Return a value without what differs between any two Ironics."""
    if key in _OWN and value:
        return "<own>"
    if key.endswith("_at"):
        return "<time>"
    if isinstance(value, dict):
        return {name: _neutral(item, base, name) for name, item in value.items()}
    if isinstance(value, list):
        found = [_neutral(item, base) for item in value]
        # Ironic prints these in any order.
        return sorted(found) if key == "hosts" or key.startswith("enabled_") else found
    if isinstance(value, str):
        text = _REQUEST_ID.sub("<request>", value.replace(base, "<url>"))
        return _TIME.sub("<time>", text)
    return value


def _shown(value: Any) -> Any:
    return "<missing>" if value is _MISSING else value
