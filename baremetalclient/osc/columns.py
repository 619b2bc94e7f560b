"""Formatting of values in cells: JSON in tables, and no raw control characters."""

from __future__ import annotations

import json
from typing import Any

from baremetalclient._http.text import printable


def table_cell(value: Any) -> Any:
    """Return the text of a value in a table.

    :param value: a decoded JSON value.
    :returns: JSON for a dictionary or list, text made printable, anything else as it is.
    """
    if isinstance(value, (dict, list, tuple)):
        return printable(json.dumps(value, ensure_ascii=False))
    return plain_cell(value)


def plain_cell(value: Any) -> Any:
    """Return a value for the formats ``value``, ``csv`` and ``shell``, which scripts read.

    :param value: a decoded JSON value.
    :returns: text made printable, anything else as it is.
    """
    return printable(value) if isinstance(value, str) else value
