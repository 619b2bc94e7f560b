"""Durations with units, such as ``10m``."""

from __future__ import annotations

import re

_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_FORM = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ms|s|m|h|d|)", re.ASCII)
#: About 30 years, the maximum of the controls.
_MOST = 1e9


def parse(text: str) -> float:
    """Return the seconds of a duration: ``90``, ``90s``, ``500ms``, ``10m``, ``1.5h`` or ``2d``.

    :raises ValueError: for another text.
    """
    match = _FORM.fullmatch(text)
    found = float(match[1]) * _UNITS[match[2]] if match else -1.0
    if not 0 <= found <= _MOST:
        raise ValueError(f"{text!r} is not a duration such as 90, 90s, 500ms, 10m, 1.5h or 2d")
    return found
