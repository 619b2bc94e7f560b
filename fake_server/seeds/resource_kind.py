"""A kind of resource in a seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

    from fake_server.seeds.checks import Check


@dataclass(frozen=True, slots=True, eq=False)
class ResourceKind:
    """A kind of resource.

    :param key: key of their list.
    :param fields: what a seed may set, mostly columns, and what their values may be.
    :param required: those that it has to set.
    :param links: fields that aren't columns but name another resource, or are stored apart.
    :param children: the kinds of what belongs to it, in the order in which they are stored.
    :param parent: the column with the identifier of what it belongs to, if it belongs to something.
    :param new: what the columns of a new row hold that have no default in the database.
    :param traits: where its traits are, if it has some.
    :param step_number: what the number of each of its steps is called, if it has steps.
    """

    key: str
    table: sa.Table
    fields: Mapping[str, Check]
    required: tuple[str, ...] = ()
    links: Mapping[str, Check] = field(default_factory=lambda: MappingProxyType({}))
    children: tuple[ResourceKind, ...] = ()
    parent: str | None = None
    new: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    traits: sa.Table | None = None
    step_number: str | None = None

    def defaults(self) -> dict[str, Any]:
        """Return a row in which nothing is set."""
        row = {
            column.name: column.default.arg if column.default is not None else None  # type: ignore[attr-defined]
            for column in self.table.columns
        }
        return row | dict(self.new)
