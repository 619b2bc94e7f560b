"""How values look in cells: JSON in tables, and never a raw control character."""

from __future__ import annotations

import json
from typing import Any

from baremetalclient._http.text import printable


def table_cell(value: Any) -> Any:
    """Return what stands in a table for `value`.

    :param value: a decoded JSON value.
    :returns: JSON text for a dictionary or list, nothing for null, text made printable.
    """
    if value is None:
        return ""
    if isinstance(value, (dict, list, tuple)):
        return printable(json.dumps(value, ensure_ascii=False))
    return plain_cell(value)


def plain_cell(value: Any) -> Any:
    """Return what stands for `value` in output that scripts split: ``value``, ``csv``, ``shell``.

    :param value: a decoded JSON value.
    :returns: text made printable, anything else as it is.
    """
    return printable(value) if isinstance(value, str) else value
