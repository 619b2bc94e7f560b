"""Values that every service knows: UUIDs, MAC addresses and standard traits."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from uuid import UUID

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}$")


def is_uuid(value: Any) -> bool:
    """Return whether a value is a UUID in any of the usual spellings."""
    if isinstance(value, str) and _UUID.fullmatch(value):
        return True
    try:
        digits = UUID(value).hex
    except (TypeError, ValueError, AttributeError):
        return False
    spelled = value.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
    return bool(digits == spelled.lower())


def is_mac(value: Any) -> bool:
    """Return whether a value is a MAC address with colons."""
    return isinstance(value, str) and bool(_MAC.match(value.lower()))


@cache
def standard_traits() -> frozenset[str]:
    """Return the traits of os-traits, which is imported when they are first needed."""
    import os_traits  # type: ignore[import-untyped]

    return frozenset(os_traits.get_traits())
