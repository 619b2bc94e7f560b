"""JSON as clients, agents and files write it, which may be anything; copies of its values."""

from __future__ import annotations

import json
import math
import re
from itertools import accumulate
from typing import Any, NoReturn

#: How deep lists and objects may be nested.
MOST_LEVELS = 200
# All but brackets: texts, in which they are none, and what is between them.
_OTHERS = re.compile(r'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)|[^][{}"]++', re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


class NotInJSON(ValueError):
    """A value that Python reads, but JSON does not have."""


def copied(value: Any) -> Any:
    """Return a copy that shares no object or list; ``deepcopy`` takes five times as long."""
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


def is_deeper(text: str, levels: int) -> bool:
    """Return whether a text of JSON is nested deeper than so many levels, without parsing it."""
    if text.count("[") + text.count("{") <= levels:
        return False
    return max(accumulate(map(_STEPS.__getitem__, _OTHERS.sub("", text))), default=0) > levels


def parse(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    :param text: the text; bytes are UTF-8.
    :raises NotInJSON: for ``NaN``, infinities (``1e999`` is one), and halves of surrogate pairs.
    :raises ValueError: for other texts that are not JSON, and for those that are nested too deeply.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    if is_deeper(text, MOST_LEVELS):
        raise ValueError(f"it is nested more than {MOST_LEVELS} levels deep")
    try:
        value = _DECODER.decode(text)
        if "\\u" in text or not text.isascii():
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as exc:
        raise NotInJSON(str(exc)) from None
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise NotInJSON(f"{name} is not a JSON value")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise NotInJSON(f"{digits} is too large a number")
    return value


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
