"""Integers and booleans as clients write them; each service says in its words what is wrong."""

from __future__ import annotations

from typing import Any

TRUE = ("1", "t", "true", "on", "y", "yes")
FALSE = ("0", "f", "false", "off", "n", "no")


def parse_boolean(value: Any) -> bool | None:
    """Return the boolean that a value spells, None for anything else.

    ``bool_from_string`` of oslo.utils does the same, but takes 40 ms to import.
    """
    word = str(value).strip().lower()
    return True if word in TRUE else False if word in FALSE else None


def parse_integer(
    value: Any, *, minimum: int | None = None, maximum: int | None = None, strict: bool = False
) -> int | None:
    """Return the integer that a value stands for, None for anything else.

    :param minimum: the least that is one.
    :param maximum: the greatest that is one.
    :param strict: whether only integers of JSON and digits without a sign are taken, instead of
        all that ``int`` takes. Digits of other alphabets are none then.
    """
    digits = isinstance(value, str) and value.isascii() and value.isdigit()
    if strict and not digits and type(value) is not int:
        return None
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return None  # Python also refuses to read thousands of digits
    if (minimum is not None and number < minimum) or (maximum is not None and number > maximum):
        return None
    return number
