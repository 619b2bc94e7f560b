"""Fields of nodes and ports by their path, ``driver_info/address`` or ``extra.rack``."""

from __future__ import annotations

from ast import literal_eval
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from fake_server.db.store import Record

_IDENTITY = ("id", "uuid")


class Attributes:
    """The fields of a row, changed in place.

    What isn't a field is kept by nobody, as in Ironic.

    :param table: where the row is from.
    :param row: the node or port.
    """

    def __init__(self, table: sa.Table, row: Record) -> None:
        self._table = table
        self._row = row

    def put(self, path: str, value: Any) -> None:
        """Set a field, or what is at a path in one."""
        name, *keys = _split(path)
        if keys:
            self._parent(name, keys)[keys[-1]] = value
        elif name in _IDENTITY:
            raise ValueError(f"{name} can't be changed")
        elif name in self._row:
            self._row[name] = _fitting(self._table.c[name], value)

    def extend(self, path: str, value: Any, *, unique: bool) -> bool:
        """Append to the list at a path; return whether it is one.

        :param unique: whether a value that is in the list isn't appended again.
        """
        name, *keys = _split(path)
        if keys:
            found = self._parent(name, keys).setdefault(keys[-1], [])
        else:
            found = self._row.get(name, [])
        if not isinstance(found, list):
            return False
        if not unique or value not in found:
            found.append(value)
        return True

    def remove(self, path: str) -> None:
        """Remove what is at a path in a field; fields themselves stay, as in Ironic.

        :raises AttributeError: for what isn't a field.
        :raises KeyError: for what isn't there.
        """
        name, *keys = _split(path)
        if name not in self._row:
            raise AttributeError(f"There is no field {name}.")
        if not keys:
            return
        found = self._row[name]
        for key in keys[:-1]:
            found = found[key]
        del found[keys[-1]]

    def _parent(self, name: str, keys: list[str]) -> Any:
        found = self._row[name]
        for key in keys[:-1]:
            found = found.setdefault(key, {})
        return found


def _fitting(column: sa.Column[Any], value: Any) -> Any:
    """Return a value as Ironic makes it fit a field; raise ValueError if it can't."""
    if value is None:
        return None
    if isinstance(column.type, sa.JSON):
        found = literal_eval(value) if isinstance(value, str) else value
        if not isinstance(found, dict):
            raise ValueError(f"A dict is required in field {column.name}, not a {_kind(found)}")
        return found
    if isinstance(column.type, sa.Boolean):
        return bool(value)
    if isinstance(column.type, sa.Integer):
        return int(value)
    if not isinstance(value, int | float | str):
        raise ValueError(f"A string is required in field {column.name}, not a {_kind(value)}")
    return str(value)


def _kind(value: Any) -> str:
    return type(value).__name__


def _split(path: str) -> list[str]:
    return path.strip("/").split("/") if "/" in path else path.split(".")
