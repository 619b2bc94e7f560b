"""Durations with units, such as ``10m``."""

from __future__ import annotations

import argparse
import re

_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}
_FORM = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ms|s|m|h|)", re.ASCII)
#: About 30 years, the maximum of the controls.
_MOST = 1e9


def seconds(text: str) -> float:
    """Return the seconds of a duration: ``90``, ``90s``, ``500ms``, ``10m`` or ``1.5h``."""
    match = _FORM.fullmatch(text)
    found = float(match[1]) * _UNITS[match[2]] if match else -1.0
    if not 0 <= found <= _MOST:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a duration such as 90, 90s, 500ms, 10m or 1.5h"
        )
    return found
