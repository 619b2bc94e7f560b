"""Hiding the secrets of requests, answers and exceptions before they are shown."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from fake_server.common import json_text
from fake_server.common.masking import MASK, SECRET_NAMES, cover, is_secret, mask_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_SECRET_HEADERS = frozenset(
    {
        "authorization",
        "cookie",
        "proxy-authorization",
        "set-cookie",
        "x-account-meta-temp-url-key",
        "x-account-meta-temp-url-key-2",
        "x-auth-token",
        "x-container-meta-temp-url-key",
        "x-container-meta-temp-url-key-2",
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
#: Fields that are secrets though nothing in their names tells, with what they are in.
_BY_PLACE = frozenset({("token", "id"), ("instance_info", "image_url")})
#: What is said of a body that isn't JSON, and could hold anything.
_WITHHELD = "(not shown: this isn't JSON)"


#: Characters of the shortest value that is masked where it is found: others are all over the text.
_SHORTEST = 3
#: How many values are masked where they are found, the last ones.
_MOST = 1000
_WORD = re.compile(r"[\w-]+")
#: Names of secrets that are part of other words.
_WHOLE = frozenset({"sig", "signature"})
#: What signs a URL, and a password in it.
_SIGNED = re.compile(r"(?<=[?&])((?:sig|signature)=)([^&#\s\"'<>]+)", re.IGNORECASE)
_USER = re.compile(r"(?<=://)([^\s/?#@:\"'<>]*):([^\s/?#@\"'<>]+)(?=@)")
#: What precedes a token or a password in a header.
_SCHEME = re.compile(r"(?:Basic|Bearer) ", re.IGNORECASE)


class Redactor:
    """Hides secrets in what is shown of requests: by their names, and by their values.

    :param secrets: what was a secret somewhere in the same log, the oldest first.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = list(filter(None, dict.fromkeys(secrets)))[-_MOST:]
        self._words = frozenset(secret for secret in known if _WORD.fullmatch(secret))
        self._others = sorted({*known} - self._words, key=len, reverse=True)

    def headers(self, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return headers, with credentials masked, also those in the queries of addresses."""
        return [
            (name, MASK if name.lower() in _SECRET_HEADERS else self.text(value))
            for name, value in pairs
        ]

    def text(self, value: str) -> str:
        """Return a text, what looks like ``token=…`` masked, and what is a secret elsewhere."""
        value = mask_text(value, _SECRETS)
        if "://" in value:
            value = _SIGNED.sub(rf"\1{MASK}", _USER.sub(rf"\1:{MASK}", value))
        for secret in self._others:
            value = value.replace(secret, MASK)
        if not self._words:
            return value
        # Within a word, it would tell of all that holds the same letters.
        return _WORD.sub(lambda found: MASK if found[0] in self._words else found[0], value)

    def query(self, written: str) -> str:
        """Return a query, its secrets masked."""
        pairs = parse_qsl(written, keep_blank_values=True)
        masked = [
            (name, MASK if _hides((name,), value) else self.text(value)) for name, value in pairs
        ]
        return written if masked == pairs else urlencode(masked)

    def value(self, found: Any) -> Any:
        """Return a value of JSON, its secrets masked."""
        return _covered(found, lambda _: MASK, self.text)

    def body(self, content: bytes) -> str:
        """Return the text of a body in JSON, its secrets masked; those of a JSON patch, too."""
        if not content:
            return ""
        try:
            return json.dumps(self.value(json_text.parse(content)))
        except ValueError:
            return _WITHHELD


def secrets_of(
    headers: Iterable[tuple[str, str]], query: str, bodies: Iterable[bytes | None]
) -> list[str]:
    """Return what has the name of a secret in a request and its answer."""
    values: list[Any] = [
        *(_SCHEME.sub("", value) for name, value in headers if name.lower() in _SECRET_HEADERS),
        *(value for name, value in parse_qsl(query) if _hides((name,), value)),
        *(found for _, value in parse_qsl(query) for found in _of_urls(value)),
    ]
    for content in filter(None, bodies):
        with suppress(ValueError):
            _covered(
                json_text.parse(content),
                values.append,
                lambda text: values.extend(_of_urls(text)),
            )
    return _worth_hiding(values)


def texts_if_secret(names: tuple[str, ...], value: Any) -> list[str]:
    """Return the texts in a value that are secrets by its name; none if it isn't one.

    :param names: that of what it is in, and its own, which may be that of a header in WSGI.
    """
    header = names[-1].removeprefix("HTTP_").replace("_", "-").lower()
    if header in _SECRET_HEADERS or _hides(names, value):
        return _worth_hiding([value])
    return []


def _worth_hiding(values: Iterable[Any]) -> list[str]:
    return [text for value in values for text in _texts(value) if len(text) >= _SHORTEST]


def _of_urls(text: str) -> list[str]:
    """Return the secrets of the URLs in a text."""
    if "://" not in text:
        return []
    return [found for form in (_USER, _SIGNED) for _, found in form.findall(text)]


def _covered(value: Any, hide: Callable[[Any], Any], shown: Callable[[str], object]) -> Any:
    """Return the content of a body, which may be a JSON patch; see :func:`.masking.cover`."""
    if isinstance(value, list):
        return [_operation(item, hide, shown) for item in value]
    return cover(value, _hides, hide, shown)


def _operation(item: Any, hide: Callable[[Any], Any], shown: Callable[[str], object]) -> Any:
    """Return an operation of a patch, with its value hidden where its path names a secret."""
    covered = cover(item, _hides, hide, shown)
    if isinstance(item, dict) and isinstance(item.get("path"), str) and "value" in item:
        value = item["value"]
        names = tuple(item["path"].strip("/").split("/"))
        if any(_hides(names[: end + 1], value) for end in range(len(names))):
            covered["value"] = hide(value)
    return covered


def _hides(names: tuple[str, ...], value: Any) -> bool:
    """Return whether a value is a secret: by its name, or by the field that it is in."""
    named = is_secret(names[-1], _SECRETS) or names[-1].lower() in _WHOLE
    by_name = named and not isinstance(value, dict)
    return by_name or names[-2:] in _BY_PLACE


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
