"""Masking of secrets in logs, messages and output."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

MASK = "******"
"""What stands for a secret, in what the client prints as in what Ironic shows."""

# Other words may be put before these, as in ``bmcpassword``, but not behind: ``tokenizer``.
_SENSITIVE_NAME = (
    r"(?:(?i:passw(?:or)?d|passphrase|passcode|temp_url_sig|secret|token|credential|authorization|cookie|configdrive"
    r"|auth[_-]?user(?:name)?|admin[_-]?pass|snmp[_-]community"
    r"|(?:api|auth|encryption|kg|priv|private)[_-]?key)"
    r"|(?:(?<![A-Za-z])(?i:chap)|Chap))(?i:s?)(?![a-z])"
)
_SECRET_NAME = re.compile(_SENSITIVE_NAME)
# Those below are compiled when they are first needed, which commands seldom do.
# As in {"password": "…", in password=… or in {"path": "/password", "value": "…".
# What follows a name is bounded, and an option is looked for at its beginning: otherwise, the time
# that a long text takes would grow with its square.
_SECRET_FOLLOWS = rf"{_SENSITIVE_NAME}\w{{0,64}}[\"']?\s*[:=,]"
# As in --password …, password=…, password:=… or {"password": …; an object goes on to the end.
_SECRET_ARGUMENT = (
    rf"((?<![\w-])--(?:config-drive|[\w-]*{_SENSITIVE_NAME}[\w-]{{0,64}})[ =]"
    rf"|{_SENSITIVE_NAME}[\w./-]{{0,64}}(?::?=|[\"']?\s*[:=]\s*))"
    r"('[^']*'|\"[^\"]*\"|[{\[](?s:.*)|[^\s,)}]+)"
)
# The password of a URL, and what signs it, so that whoever has it needs no other.
_IN_URL = (
    r"//[^/?#\s:@]*:([^/?#\s@]+)@"
    r"|[?&](?i:temp_url_sig|x-amz-signature|x-amz-security-token|signature|sig)=([^&#\s\"'<>]+)"
)
_MIN_LENGTH = 3
_remembered: set[str] = set()
_MOST_LOGGED = 1000
_logged: dict[str, None] = {}
"""The last secrets that were masked in the log, in their order."""


def remember(secret: str) -> None:
    """Mask a text wherever it occurs in logs and messages of this process from now on.

    :param secret: a secret that may be the value of a key with any name; not masked if empty.
    """
    if secret:
        # The text itself, and what JSON makes of it.
        _remembered.update((secret, json.dumps(secret)[1:-1]))


def mask_log(secrets: set[str], text: str) -> str:
    """Return a text for the log with secrets masked, those as well that were masked before.

    :param secrets: the secrets of this text; they are masked from now on, wherever they occur.
    """
    for secret in secrets:
        for written in (secret, json.dumps(secret)[1:-1]):
            _logged.pop(written, None)
            _logged[written] = None
    while len(_logged) > _MOST_LOGGED:
        _logged.pop(next(iter(_logged)), None)
    return mask_texts(set(_logged), text)


def is_secret(name: str) -> bool:
    """Whether a key or a header of this name holds a secret."""
    return _SECRET_NAME.search(name) is not None


def masked(value: Any) -> Any:
    """Return decoded JSON with its secrets masked.

    :param value: a decoded body of a request or a response, which may be a JSON patch.
    """
    if isinstance(value, dict):
        if _patches_secret(value):
            return {key: MASK if key == "value" else item for key, item in value.items()}
        return {
            key: MASK if is_secret(str(key)) and _holds_text(item) else masked(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [masked(item) for item in value]
    return MASK if isinstance(value, str) and value in _remembered else value


def masked_text(text: str) -> str:
    """Return a text that is not valid JSON, up to what may be the first secret in it."""
    text = mask_texts(set(), text)
    found = re.search(_SECRET_FOLLOWS, text)
    return f"{text[: found.end()]} {MASK}" if found else text


def masked_command_line(text: str) -> str:
    """Return the text of a command line, or of its parsed options, with secrets masked."""
    return re.sub(_SECRET_ARGUMENT, rf"\1{MASK}", mask_log(secrets_in(text), text))


def masked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return HTTP headers with their secrets masked."""
    return {name: MASK if is_secret(name) else value for name, value in headers.items()}


def secrets_of_headers(headers: Mapping[str, str]) -> set[str]:
    """Return the secret values of HTTP headers."""
    return {
        value for name, value in headers.items() if is_secret(name) and len(value) >= _MIN_LENGTH
    }


def secrets_in(value: Any) -> set[str]:
    """Return the secret texts in decoded JSON, except very short ones.

    In other texts, these are the passwords and signatures of URLs.
    """
    if isinstance(value, dict):
        hidden: set[str] = set()
        for key, item in value.items():
            if is_secret(str(key)) or (key == "value" and _patches_secret(value)):
                hidden |= _texts(item)
            else:
                hidden |= secrets_in(item)
        return hidden
    if isinstance(value, list | tuple):
        return set().union(*map(secrets_in, value))
    if isinstance(value, str) and "://" in value:
        found = (match[1] or match[2] for match in re.finditer(_IN_URL, value))
        return {one for one in found if len(one) >= _MIN_LENGTH}
    return set()


def mask_texts(secrets: set[str], text: str) -> str:
    """Return a text with all occurrences of secrets masked."""
    known = {secret for secret in _remembered if len(secret) >= _MIN_LENGTH}
    for secret in sorted(secrets | known, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def _patches_secret(operation: dict[Any, Any]) -> bool:
    path = operation.get("path")
    return "op" in operation and "value" in operation and isinstance(path, str) and is_secret(path)


def _holds_text(value: object) -> bool:
    """Whether there is something to mask that the server has not masked already."""
    if isinstance(value, str):
        return value.strip("*") != ""
    return value not in (None, [], {}) and not isinstance(value, bool)


def _texts(value: object) -> set[str]:
    if isinstance(value, str):
        return {value} if len(value) >= _MIN_LENGTH and value.strip("*") else set()
    if isinstance(value, dict):
        return set().union(*map(_texts, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(_texts, value))
    number = isinstance(value, int) and not isinstance(value, bool)
    return {str(value)} if number and len(str(value)) >= _MIN_LENGTH else set()
