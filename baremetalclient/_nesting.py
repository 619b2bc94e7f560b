"""How deeply documents may be nested: the code that walks through them is recursive."""

from __future__ import annotations

import re

#: How deep lists and objects may be nested, in JSON and in YAML.
MOST_LEVELS = 200
#: Texts, in which brackets are none, and brackets.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)


def is_too_deep(text: str) -> bool:
    """Return whether a text of JSON is nested too deeply, without decoding it."""
    if text.count("[") + text.count("{") <= MOST_LEVELS:
        return False
    level = 0
    for token in _TOKENS.finditer(text):
        level += 1 if token[0] in "[{" else -1 if token[0] in "]}" else 0
        if level > MOST_LEVELS:
            return True
    return False
