"""What lists are narrowed by: values of columns, as the query of a request has them."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from fake_server.clock import parse_moment
from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from fake_server.db.store import Record

_COMPARISONS = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
    "eq": operator.eq,
    "neq": operator.ne,
}


def matching(rows: list[Record], filters: Mapping[str, str]) -> list[Record]:
    """Return the rows that have the values that a query asks for.

    :raises BadRequest: for what is no time.
    """
    for name, text in filters.items():
        rows = [row for row in rows if _matches(row, name, text)]
    return rows


def has(values: Mapping[str, str], text: str) -> bool:
    """Return whether values have all that a text such as ``{"name": "value"}`` names."""
    try:
        wanted: Any = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False  # Python can't read it, or not so deep
    return isinstance(wanted, dict) and wanted.items() <= values.items()


def _matches(row: Record, name: str, text: str) -> bool:
    if name == "consumes_quota":
        return bool(parse_boolean(text))
    value = row.get(name)
    if isinstance(value, dict):
        return has(value, text)
    if isinstance(value, bool):
        return value == bool(parse_boolean(text))
    if name in ("created_at", "updated_at"):
        return all(_compares(name, value, part) for part in text.split(","))
    return name in row and str(value) == text


def _compares(name: str, moment: datetime | None, text: str) -> bool:
    word, separator, time = text.partition(":")
    if word not in _COMPARISONS:
        raise BadRequest(f"Invalid {word} operator")
    try:
        wanted = parse_moment(time)
    except ValueError:
        raise BadRequest(f"Invalid {time if separator else name} value") from None
    return moment is not None and bool(_COMPARISONS[word](moment, wanted))
