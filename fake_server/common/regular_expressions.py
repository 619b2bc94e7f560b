"""Regular expressions of requests, some of which would take for ever."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

#: How long a text may be compared with an expression.
SECONDS = 1.0


class RegularExpressionError(ValueError):
    """An expression is invalid, or takes too long."""


def occurs(expression: str, text: str, *, at_start: bool = False) -> bool:
    """Return whether a text matches a regular expression of Python.

    Other threads go on meanwhile.

    :param at_start: whether the match has to begin where the text does.
    :raises RegularExpressionError: if the expression is invalid, or takes longer than
        :data:`SECONDS`.
    """
    compiled = _compiled(expression)
    compare = compiled.match if at_start else compiled.search
    try:
        return compare(text, concurrent=True, timeout=SECONDS) is not None
    except TimeoutError:
        raise RegularExpressionError(f"it takes longer than {SECONDS:g} s") from None


@cache
def _compiled(expression: str) -> regex.Pattern[str]:
    import regex

    try:
        re.compile(expression)  # for the texts of its errors, which Ironic and Nova pass on
        return regex.compile(expression)
    except (re.error, regex.error, OverflowError, RecursionError) as exc:
        raise RegularExpressionError(str(exc)) from exc
