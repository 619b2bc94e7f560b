"""Hiding the secrets of requests and answers before they are shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from fake_server.common import json_text
from fake_server.common.masking import MASK, SECRET_NAMES, mask

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
#: What the name of a secret holds; beside Ironic's, those of the other services and of its drivers:
#: one-time passcodes, credentials of Keystone, transfers of volumes, SNMP, signatures of URLs.
_SECRETS = (
    *SECRET_NAMES,
    *("passcode", "blob", "auth_key", "priv_key", "kg_key", "community"),
    *("temp_url_sig", "x-amz-signature"),
)
#: What is said of a body that isn't JSON, and could hold anything.
_WITHHELD = "(not shown: this isn't JSON)"


def headers(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return headers, with credentials masked, also those in the queries of addresses."""
    return [
        (name, MASK if name.lower() in _SECRET_HEADERS else text(value)) for name, value in pairs
    ]


def text(value: str) -> str:
    """Return a text, what looks like ``token=…`` masked."""
    return str(_masked("", value))


def query(written: str) -> str:
    """Return a query, its secrets masked."""
    pairs = parse_qsl(written, keep_blank_values=True)
    masked = [(name, str(_masked(name, value))) for name, value in pairs]
    return written if masked == pairs else urlencode(masked)


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
    return json.dumps(_masked("", _without_tokens(value)))


def _masked(name: str, value: Any) -> Any:
    return mask({name: value}, _SECRETS)[name]


def _without_tokens(value: Any) -> Any:
    """Return a value with the tokens masked that are the ``id`` of a ``token``, as in Keystone."""
    if isinstance(value, list):
        return [_without_tokens(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {name: _without_tokens(item) for name, item in value.items()}
    token = found.get("token")
    if isinstance(token, dict) and "id" in token:
        found["token"] = {**token, "id": MASK}
    return found


def _operation(item: Any) -> Any:
    """Return an operation of a patch, with its value masked where its path names a secret."""
    if not isinstance(item, dict) or not isinstance(item.get("path"), str) or "value" not in item:
        return item
    value = item["value"]
    for name in reversed(item["path"].strip("/").split("/")):
        value = _masked(name, value)
    return {**item, "value": value}
