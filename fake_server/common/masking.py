"""Mask secrets in what is shown, as Ironic does.

The outcome is that of oslo.utils' ``mask_dict_password``, whose import takes a quarter of a second,
as it compiles all its patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

MASK = "******"

#: What the name of a secret holds for Ironic, in lower case.
SECRET_NAMES = (
    "adminpass",
    "admin_pass",
    "password",
    "admin_password",
    "auth_token",
    "new_pass",
    "auth_password",
    "secret_uuid",
    "secret",
    "sys_pswd",
    "token",
    "configdrive",
    "chappassword",
    "encrypted_key",
    "private_key",
    "fernetkey",
    "sslkey",
    "passphrase",
    "cephclusterfsid",
    "octaviaheartbeatkey",
    "rabbitcookie",
    "cephmanilaclientkey",
    "pacemakerremoteauthkey",
    "designaterndckey",
    "cephadminkey",
    "heatauthencryptionkey",
    "cephclientkey",
    "keystonecredential",
    "barbicansimplecryptokek",
    "cephrgwkey",
    "swifthashsuffix",
    "migrationsshkey",
    "cephmdskey",
    "cephmonkey",
    "chapsecret",
)
#: How text spells out a secret, and what takes its place; applied in this order.
_SPELLINGS = (
    (r"""({0}[0-9]*\s*[=]\s*["'])[^"']*(["'])""", rf"\g<1>{MASK}\g<2>"),
    (r"""({0}[0-9]*\s*[=]\s*["])[^"]*(["])""", rf"\g<1>{MASK}\g<2>"),
    (r"""({0}[0-9]*\s*[=]\s*['])[^']*(['])""", rf"\g<1>{MASK}\g<2>"),
    (r"""({0}[0-9]*\s+["'])[^"']*(["'])""", rf"\g<1>{MASK}\g<2>"),
    (r"""([-]{{2}}{0}[0-9]*\s+)[^'^"^=^\s]+([\s]*)""", rf"\g<1>{MASK}\g<2>"),
    (r"""(<{0}[0-9]*>)[^<]*(</{0}[0-9]*>)""", rf"\g<1>{MASK}\g<2>"),
    (r"""(["']{0}[0-9]*["']\s*:\s*["'])[^"']*(["'])""", rf"\g<1>{MASK}\g<2>"),
    (r"""(['"][^"']*{0}[0-9]*['"]\s*:\s*u?['"])[^"']*(['"])""", rf"\g<1>{MASK}\g<2>"),
    (
        r"""(['"][^'"]*{0}[0-9]*['"]\s*,\s*'--?[A-z]+'\s*,\s*u?['"])[^"']*(['"])""",
        rf"\g<1>{MASK}\g<2>",
    ),
    (r"""({0}[0-9]*\s*--?[A-z]+\s*)\S+(\s*)""", rf"\g<1>{MASK}\g<2>"),
    (r"""({0}[0-9]*\s*[=]\s*)[^\s^'^"]+""", rf"\g<1>{MASK}"),
    (r"""(['"][^"']*{0}[0-9]*['"]\s*:\s*u?['"].*['"])[^"']*(['"])""", r"\g<1>"),
)


def mask(values: Mapping[str, Any], secrets: Iterable[str] = SECRET_NAMES) -> dict[str, Any]:
    """Return an object with its secrets masked, at any depth.

    A value is a secret by its name; in other text, what looks like ``password=…`` is one.

    :param secrets: what the name of a secret holds, in lower case.
    """
    return {name: _mask_item(name, value, secrets) for name, value in values.items()}


def is_secret(name: str, secrets: Iterable[str] = SECRET_NAMES) -> bool:
    """Return whether a value of this name is a secret."""
    lowered = name.lower()
    return any(secret in lowered for secret in secrets)


def _mask_item(name: str, value: Any, secrets: Iterable[str]) -> Any:
    masked = is_secret(name, secrets) and not isinstance(value, Mapping)
    return MASK if masked else _mask_value(value, secrets)


def _mask_value(value: Any, secrets: Iterable[str]) -> Any:
    if isinstance(value, Mapping):
        return mask(value, secrets)
    if isinstance(value, list):
        return [_mask_value(item, secrets) for item in value]
    return _mask_text(value, secrets) if isinstance(value, str) else value


def _mask_text(text: str, secrets: Iterable[str]) -> str:
    for name in secrets:
        if name in text.lower():
            for pattern, replacement in _patterns(name):
                text = pattern.sub(replacement, text)
    return text


@cache
def _patterns(name: str) -> list[tuple[re.Pattern[str], str]]:
    flags = re.DOTALL | re.IGNORECASE
    return [(re.compile(form.format(name), flags), instead) for form, instead in _SPELLINGS]
