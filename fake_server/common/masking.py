"""Mask secrets in what is shown, as Ironic does.

The outcome is that of oslo.utils' ``mask_dict_password``, whose import takes a quarter of a second,
as it compiles all its patterns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

MASK = "******"
#: What takes the place of secrets where Ironic leaves the choice to oslo.utils, and in its rules.
HIDDEN = "***"

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
    (r"""({0}[0-9]*\s*[=]\s*["'])[^"']*(["'])""", r"\g<1>{}\g<2>"),
    (r"""({0}[0-9]*\s*[=]\s*["])[^"]*(["])""", r"\g<1>{}\g<2>"),
    (r"""({0}[0-9]*\s*[=]\s*['])[^']*(['])""", r"\g<1>{}\g<2>"),
    (r"""({0}[0-9]*\s+["'])[^"']*(["'])""", r"\g<1>{}\g<2>"),
    (r"""([-]{{2}}{0}[0-9]*\s+)[^'^"^=^\s]+([\s]*)""", r"\g<1>{}\g<2>"),
    (r"""(<{0}[0-9]*>)[^<]*(</{0}[0-9]*>)""", r"\g<1>{}\g<2>"),
    (r"""(["']{0}[0-9]*["']\s*:\s*["'])[^"']*(["'])""", r"\g<1>{}\g<2>"),
    (r"""(['"][^"']*{0}[0-9]*['"]\s*:\s*u?['"])[^"']*(['"])""", r"\g<1>{}\g<2>"),
    (
        r"""(['"][^'"]*{0}[0-9]*['"]\s*,\s*'--?[A-z]+'\s*,\s*u?['"])[^"']*(['"])""",
        r"\g<1>{}\g<2>",
    ),
    (r"""({0}[0-9]*\s*--?[A-z]+\s*)\S+(\s*)""", r"\g<1>{}\g<2>"),
    (r"""({0}[0-9]*\s*[=]\s*)[^\s^'^"]+""", r"\g<1>{}"),
    (r"""(['"][^"']*{0}[0-9]*['"]\s*:\s*u?['"].*['"])[^"']*(['"])""", r"\g<1>"),
)


def mask(
    values: Mapping[str, Any], secrets: tuple[str, ...] = SECRET_NAMES, instead: str = MASK
) -> dict[str, Any]:
    """Return an object with its secrets masked, at any depth.

    A value is a secret by its name; in other text, what looks like ``password=…`` is one.

    :param secrets: what the name of a secret holds, in lower case.
    :param instead: what takes the place of one.
    """
    masked: dict[str, Any] = cover(
        values,
        lambda names, value: is_secret(names[-1], secrets) and not isinstance(value, Mapping),
        lambda _: instead,
        lambda text: mask_text(text, secrets, instead),
    )
    return masked


def cover(
    value: Any,
    hides: Callable[[tuple[str, ...], Any], bool],
    hide: Callable[[Any], Any],
    shown: Callable[[str], object] | None = None,
    names: tuple[str, ...] = (),
) -> Any:
    """Return a value of JSON with what an object's entries hide covered, at any depth.

    :param hides: gets the names that lead to the value of an entry, and that value.
    :param hide: gets such a value, and returns what is shown instead.
    :param shown: gets other text, and returns what is shown of it.
    :param names: the names that lead to this value.
    """
    if isinstance(value, Mapping):
        found = {}
        for name, item in value.items():
            path = (*names, name)
            found[name] = hide(item) if hides(path, item) else cover(item, hides, hide, shown, path)
        return found
    if isinstance(value, list):
        return [cover(item, hides, hide, shown, names) for item in value]
    return shown(value) if shown is not None and isinstance(value, str) else value


@lru_cache(maxsize=4096)
def is_secret(name: str, secrets: tuple[str, ...] = SECRET_NAMES) -> bool:
    """Return whether a value of this name is a secret."""
    lowered = name.lower()
    return any(secret in lowered for secret in secrets)


def mask_text(text: str, secrets: tuple[str, ...] = SECRET_NAMES, instead: str = MASK) -> str:
    """Return a text in which what looks like ``password=…`` is masked; see :func:`mask`."""
    for name in secrets:
        if name in text.lower():
            for pattern, replacement in _patterns(name, instead):
                text = pattern.sub(replacement, text)
    return text


@cache
def _patterns(name: str, instead: str) -> list[tuple[re.Pattern[str], str]]:
    flags = re.DOTALL | re.IGNORECASE
    return [
        (re.compile(form.format(name), flags), replacement.format(instead))
        for form, replacement in _SPELLINGS
    ]
