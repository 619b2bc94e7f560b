"""Fields of nodes and ports by their path, ``driver_info/address`` or ``extra.rack``."""

from __future__ import annotations

import re
from ast import literal_eval
from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.tables import allocations
from fake_server.common.formats import is_mac

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.db.store import Record, Transaction

_IDENTITY = ("id", "uuid")
_GROUP = re.compile(r"[a-zA-Z0-9_\-.]*", re.ASCII)


class Attributes:
    """The fields of a row, changed in place.

    What isn't a field is kept by nobody, as in Ironic. What the objects of Ironic convert or refuse
    is converted or refused.

    :param table: where the row is from.
    :param row: the node or port.
    """

    def __init__(self, tx: Transaction, table: sa.Table, row: Record) -> None:
        self._tx = tx
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
            found = _fitting(self._table.c[name], value)
            self._check_reference(self._table.c[name], found)
            self._row[name] = found
        elif name == "traits" and value is not None:
            raise ValueError(
                "An object of type ironic.objects.node.TraitList is required in field traits, not "
                f"a {_kind(value)}"
            )
        elif name == "conductor_affinity" and value is not None:
            int(value)

    def extend(self, path: str, value: Any, *, unique: bool) -> bool:
        """Append to the list at a path; return whether it is one.

        :param unique: whether a value that is in the list isn't appended again.
        """
        name, *keys = _split(path)
        if keys:
            found = self._parent(name, keys).setdefault(keys[-1], [])
        else:
            found = None if name == "traits" else self._row.get(name, [])
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
        if name == "traits" and not keys:
            return
        if name not in self._row:
            kind = self._table.name.removesuffix("s").title()
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")
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

    def _check_reference(self, column: sa.Column[Any], value: Any) -> None:
        """Raise ValueError for the ``id`` of what there isn't."""
        targets = [key.column for key in column.foreign_keys]
        if column.name == "allocation_id":
            targets.append(allocations.c.id)
        for target in targets if value is not None else ():
            if self._tx.scalar(sa.select(target).where(target == value)) is None:
                raise ValueError("(sqlite3.IntegrityError) FOREIGN KEY constraint failed")


def _conductor_group(value: Any) -> str:
    if not _GROUP.fullmatch(str(value)) or value is None:
        raise ValueError(f"Expected a conductor group but received {value}.")
    return str(value).lower()


def _address(value: Any) -> str:
    if not is_mac(str(value)):
        raise ValueError(f"Expected a MAC address but received {value}.")
    return str(value).lower()


def _moment(column: sa.Column[Any], value: Any) -> datetime:
    if not isinstance(value, str):
        raise ValueError(
            f"A datetime.datetime is required in field {column.name}, not a {_kind(value)}"
        )
    try:
        # As Ironic's databases store it: the time zone is dropped.
        return datetime.fromisoformat(value).replace(tzinfo=None)
    except ValueError:
        raise ValueError(f"Unable to parse date string {value!r}") from None


#: How values are converted in fields that aren't converted by their type alone.
_CONVERTED: Mapping[str, Callable[[Any], str]] = {
    "address": _address,
    "conductor_group": _conductor_group,
    "instance_uuid": str,
}


def _fitting(column: sa.Column[Any], value: Any) -> Any:
    """Return a value as Ironic makes it fit a field; raise ValueError if it can't."""
    if value is None and column.nullable and column.name not in ("conductor_group", "pxe_enabled"):
        return None
    if value is None and column.name != "conductor_group":
        raise ValueError(f"Field `{column.name}' cannot be None")
    if isinstance(column.type, sa.DateTime):
        return _moment(column, value)
    convert = _CONVERTED.get(column.name)
    if convert and not (column.name == "conductor_group" and isinstance(value, dict | list)):
        return convert(value)
    if isinstance(column.type, sa.JSON):
        return dict(literal_eval(value) if isinstance(value, str) else value)
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
