"""How deeply documents may be nested: the code that walks through them is recursive."""

from __future__ import annotations

import re
from itertools import accumulate

#: How deep lists and objects may be nested, in JSON and in YAML.
MOST_LEVELS = 200
# All but brackets: texts, in which they are none, and what is between them.
_OTHERS = re.compile(r'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)|[^][{}"]++', re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def is_too_deep(text: str) -> bool:
    """Return whether a text of JSON is nested too deeply, without decoding it."""
    if text.count("[") + text.count("{") <= MOST_LEVELS:
        return False
    return max(accumulate(map(_STEPS.__getitem__, _OTHERS.sub("", text))), default=0) > MOST_LEVELS
