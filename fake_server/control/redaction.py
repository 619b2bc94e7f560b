"""Hiding the secrets of requests and answers before they are shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from fake_server.common import json_text
from fake_server.common.masking import MASK, mask

if TYPE_CHECKING:
    from collections.abc import Iterable

_SECRET_HEADERS = frozenset(
    {
        "authorization",
        "cookie",
        "proxy-authorization",
        "set-cookie",
        "x-auth-token",
        "x-fake-token",
        "x-service-token",
        "x-subject-token",
    }
)
#: What is said of a body that isn't JSON, and could hold anything.
_WITHHELD = "(not shown: this isn't JSON)"


def headers(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return headers, with credentials masked."""
    return [(name, MASK if name.lower() in _SECRET_HEADERS else value) for name, value in pairs]


def query(text: str) -> str:
    """Return a query, its secrets masked."""
    pairs = parse_qsl(text, keep_blank_values=True)
    masked = [(name, str(mask({name: value})[name])) for name, value in pairs]
    return text if masked == pairs else urlencode(masked)


def body(content: bytes) -> str:
    """Return the text of a body in JSON, its secrets masked; those of a JSON patch, too."""
    if not content:
        return ""
    try:
        value = json_text.parse(content)
    except ValueError:
        return _WITHHELD
    if isinstance(value, list):
        value = [_operation(item) for item in value]
    return json.dumps(mask({"": value})[""])


def _operation(item: Any) -> Any:
    """Return an operation of a patch, with its value masked where its path names a secret."""
    if not isinstance(item, dict) or not isinstance(item.get("path"), str) or "value" not in item:
        return item
    value = item["value"]
    for name in reversed(item["path"].strip("/").split("/")):
        value = mask({name: value})[name]
    return {**item, "value": value}
