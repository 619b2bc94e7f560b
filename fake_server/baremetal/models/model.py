"""What the models of resources do alike: find, list, insert, change and remove rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.errors import AlreadyExists, Conflict, NotFound
from fake_server.baremetal.models import paging
from fake_server.baremetal.tables import nodes
from fake_server.common import randomness
from fake_server.db.queries import Query
from fake_server.db.store import DuplicateError, UnstorableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fake_server.baremetal.fields import Fields
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

_LABELS = {"uuid": "UUID", "address": "MAC address"}
#: The unique columns beside the UUID, in the order in which errors name them.
_UNIQUE = ("name", "address")


class Model:
    """The operations on a kind of resource.

    Rows of what belongs to nodes have ``node_uuid`` beside the columns of their table.

    :param table: where they are stored.
    :param fields: their description.
    :param noun: what one is called.
    :param named: the unique columns that are named where a new one isn't unique; it is the UUID for
        any other.
    :param query: selects all, if rows have more than columns and ``node_uuid``.
    """

    def __init__(
        self,
        table: sa.Table,
        fields: Fields,
        noun: str,
        *,
        named: Sequence[str] = _UNIQUE,
        query: sa.Select[Any] | None = None,
    ) -> None:
        self.table = table
        self.fields = fields
        self.noun = noun
        self._named = named
        if query is None:
            query = with_nodes(table) if "node_id" in table.c else sa.select(table)
        self.query = query

    def missing(self, ident: Any) -> NotFound:
        """Return the error for one that isn't there."""
        return NotFound(f"{self.noun.capitalize()} {ident} could not be found.")

    def find(self, session: Session, **match: Any) -> Record | None:
        """Return the one with these values, or ``None``."""
        try:
            found = session.tx.ask(_match(self, *match), **match)
        except UnstorableError:
            return None  # no row has what can't be stored
        return found[0] if found else None

    def get_by_id(self, session: Session, number: int) -> Record:
        """Return one by its ``id`` in the database; raise NotFound if there is none."""
        return self._found(number, self.find(session, id=number))

    def get_by_uuid(self, session: Session, uuid: Any) -> Record:
        """Return one; raise NotFound if none has exactly this UUID."""
        return self._found(uuid, self.find(session, uuid=str(uuid)))

    def get_by_name(self, session: Session, name: str) -> Record:
        """Return one by its name; raise NotFound if there is none."""
        return self._found(name, self.find(session, name=name))

    def fetch(self, session: Session, page: paging.Page, *conditions: Any) -> list[Record]:
        """Return a page of those that meet all conditions."""
        return paging.fetch(session, self.table, self.query.where(*conditions), page)

    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Create one, with a new UUID if it has none, and return it.

        :param values: columns.
        :raises Conflict: when it isn't unique.
        """
        row = {
            **values,
            "uuid": values.get("uuid") or randomness.uuid(),
            "created_at": session.clock.now(),
        }
        try:
            session.tx.insert(self.table, row)
        except DuplicateError as exc:
            raise self._not_unique(exc, row, self._named) from exc
        return self.get_by_uuid(session, row["uuid"])

    def update(self, session: Session, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change one and return it as it is then; raise Conflict if it isn't unique any more."""
        if not changes:
            return row
        values = {"updated_at": session.clock.now(), **changes}
        try:
            session.tx.update_row(self.table, row["id"], values)
        except DuplicateError as exc:
            raise self._not_unique(exc, {**row, **values}, _UNIQUE) from exc
        return {**row, **values}

    def delete(self, session: Session, row: Record) -> None:
        """Remove one."""
        session.tx.remove(self.table, id=row["id"])

    def document(self, row: Record) -> dict[str, Any]:
        """Return one as a document that a patch applies to; see :func:`as_document`."""
        found = as_document(self.table, row)
        if found.pop("node_id", None) is not None:
            found["node_uuid"] = row["node_uuid"]
        return found

    def changes(self, before: Record, after: Record) -> dict[str, Any]:
        """Return the columns that a patch has changed; see :func:`changes`."""
        return changes(self.table, before, after, self.fields.changeable)

    def _not_unique(
        self, exc: DuplicateError, row: Mapping[str, Any], named: Sequence[str]
    ) -> Conflict:
        """Return the error for one that has the values of another in unique columns."""
        column = next((name for name in named if name in exc.columns), "uuid")
        return taken(self.noun, column, row)

    def _found(self, ident: Any, row: Record | None) -> Record:
        if row is None:
            raise self.missing(ident)
        return row


def with_nodes(table: sa.Table, *more: Any) -> sa.Select[Any]:
    """Return the query for all rows of a table, with ``node_uuid`` beside its columns.

    :param more: other columns.
    """
    return sa.select(table, nodes.c.uuid.label("node_uuid"), *more).join(
        nodes, nodes.c.id == table.c.node_id, isouter=True
    )


@cache
def _match(model: Model, *names: str) -> Query:
    conditions = [model.table.c[name] == sa.bindparam(name) for name in names]
    return Query(model.query.where(*conditions))


def of_nodes(
    table: sa.Table,
    *,
    node_id: int | None = None,
    shards: Sequence[str] | None = None,
    conductor_groups: Sequence[str] | None = None,
    project: str | None = None,
) -> list[Any]:
    """Return the conditions for rows of a table whose nodes meet all that is given."""
    conditions = of_project(project)
    if node_id is not None:
        conditions.append(table.c.node_id == node_id)
    if shards:
        conditions.append(nodes.c.shard.in_(shards))
    if conductor_groups:
        conditions.append(nodes.c.conductor_group.in_(conductor_groups))
    return conditions


def of_project(project: str | None) -> list[Any]:
    """Return the conditions for what belongs to nodes that a project owns or leases.

    :param project: none for all.
    """
    if project is None:
        return []
    return [sa.or_(nodes.c.owner == project, nodes.c.lessee == project)]


def taken(noun: str, column: str, row: Mapping[str, Any]) -> AlreadyExists:
    """Return the error for a row that has the value of another one in a unique column."""
    article = "An" if noun.startswith("a") else "A"
    return AlreadyExists(
        noun=f"{article} {noun}", field=_LABELS.get(column, column), value=row[column]
    )


def as_document(table: sa.Table, row: Record) -> dict[str, Any]:
    """Return a row as a document that a patch applies to: objects are never null."""
    return {
        column.name: (row[column.name] or {})
        if isinstance(column.type, sa.JSON)
        else row[column.name]
        for column in table.columns
    }


def changes(table: sa.Table, before: Record, after: Record, names: Iterable[str]) -> dict[str, Any]:
    """Return the columns that a patch has changed, with their new values.

    :param before: the document that was patched; see :func:`as_document`.
    :param after: the patched document; a removed field is null or an empty object.
    :param names: the columns that count.
    """
    changed = {}
    for name in names:
        value = after.get(name)
        if value is None and isinstance(table.c[name].type, sa.JSON):
            value = {}
        if value != before[name]:
            changed[name] = value
    return changed
