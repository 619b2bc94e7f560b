"""The state of a server as two runs can be compared by it: without what the server made up.

Identifiers are replaced by the names of what they identify, wherever they stand. Times are left
out, as are tokens, secrets and what happened before. MAC and IP addresses and UUIDs of nothing that
is there count only if the program, or the seed, chose them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from fake_server.common.masking import is_secret
from fake_server.db.queries import Query
from fake_server.sweep import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fake_server.db.store import Record, Store, Transaction

#: The fields of a resource by their paths below it, such as ``extra/rack``.
Fields = dict[str, Any]
#: The resources by their names, such as ``nodes/rack1``.
State = dict[str, Fields]
VARIES = "<varies>"
_TOKEN = re.compile(
    r"(?P<uuid>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b)"
    r"|(?P<mac>\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b)"
    r"|(?P<time>\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)"
    r"|(?P<ip>\b\d{1,3}(?:\.\d{1,3}){3}\b)",
    re.IGNORECASE,
)
#: Columns that say when and how often, secrets, and what conductors keep for themselves.
_LEFT_OUT = frozenset(
    {
        *("number", "uuid", "generation", "edited_at", "due_at"),
        *("agent_certificate", "driver_internal_info"),
        *("internal_info", "last_error", "unfinished", "request_spec", "node_reserved"),
        *("reservation_id", "auth_key", "secret", "password", "encryption_key_id", "blob"),
        *("fingerprint", "data"),
    }
)
#: The column with what Neutron keeps of an item, and what isn't compared of that.
_VALUES, _LEFT_OUT_OF_VALUES = "values", frozenset(("created_at", "updated_at", "revision_number"))


class Raw(NamedTuple):
    """What a server had at the end of a run.

    :param rows: the rows of each table.
    :param chosen: identifiers and addresses that the program or the seed chose.
    :param hosts: the host names of conductors: which of them did something doesn't count.
    """

    rows: Mapping[str, Sequence[Record]]
    chosen: frozenset[str]
    hosts: frozenset[str]


class Varying(dict[str, frozenset[Any]]):
    """Columns, such as ``nodes.name``, that differ between runs without a fault.

    The values are those that don't. Where a value is none of them, it counts as any other.
    """


def fetch(
    store: Store, chosen: frozenset[str] = frozenset(), hosts: frozenset[str] = frozenset()
) -> Raw:
    """Return what a server has; see :class:`Raw`."""

    def read(tx: Transaction) -> dict[str, Sequence[Record]]:
        found: dict[str, Sequence[Record]] = {}
        for name, query in _queries().items():
            found[name] = tx.ask(query)
        return found

    return Raw(store.run(read, write=False), chosen, hosts)


@cache
def _queries() -> Mapping[str, Query]:
    """Return a query for all rows of each table, in the order of their creation."""
    return {
        table.name: Query(sa.select(table).order_by(*table.primary_key.columns))
        for table in tables.of_resources()
    }


def tokens(text: str) -> Iterator[str]:
    """Yield the identifiers and addresses in a text."""
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "time":
            yield match[0].lower()


def build(raw: Raw, varying: Varying | None = None) -> State:
    """Return the state of a server as it is compared."""
    return _Builder(raw, Varying() if varying is None else varying).state()


def find_varying(one: Raw, other: Raw) -> Varying:
    """Return what differs between two runs without a fault."""
    # Names first: what is called otherwise seems to be something else.
    varying = _names_that_differ(one, other)
    varying.update(_values_that_differ(one, other, varying))
    return varying


def _names_that_differ(one: Raw, other: Raw) -> Varying:
    found = Varying()
    for table in one.rows:
        names = [{row.get("name") for row in raw.rows[table]} for raw in (one, other)]
        if names[0] != names[1]:
            found[f"{table}.name"] = frozenset(names[0] & names[1])
    return found


def _values_that_differ(one: Raw, other: Raw, varying: Varying) -> Varying:
    states = [build(raw, varying) for raw in (one, other)]
    values = [_by_column(state) for state in states]
    found = Varying()
    for column in values[0].keys() | values[1].keys():
        seen = [Counter(each.get(column, ())) for each in values]
        if seen[0] != seen[1] or _differs(states[0], states[1], column):
            found[column] = frozenset(seen[0].keys() & seen[1].keys())
    return found


def _differs(one: State, other: State, column: str) -> bool:
    """Return whether resources of both runs have other values of a column."""
    table, _, path = column.partition(".")
    return any(
        fields.get(path) != other[name].get(path)
        for name, fields in one.items()
        if name in other and name.startswith(f"{table}/")
    )


def _by_column(state: State) -> dict[str, list[Any]]:
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for name, fields in state.items():
        for path, value in fields.items():
            found[f"{name.partition('/')[0]}.{path}"].append(value)
    return found


class _Builder:
    """Builds a state."""

    def __init__(self, raw: Raw, varying: Varying) -> None:
        self._raw = raw
        self._varying = varying
        #: Names of resources by their identifiers, and by what foreign keys hold.
        self._names: dict[Any, str] = {}
        self._taken: Counter[str] = Counter()

    def state(self) -> State:
        """Return the state."""
        rows = [
            (table, row, self._name(table, row))
            for table in tables.of_resources()
            for row in self._raw.rows[table.name]
        ]
        return {name: self._fields(table, row) for table, row, name in rows}

    def _name(self, table: sa.Table, row: Record) -> str:
        """Return the name of a resource, and remember it by its identifiers."""
        own = row.get("name")
        if own is not None and own not in self._varying.get(f"{table.name}.name", (own,)):
            own = None
        parts = [str(own)] if own else list(self._parents(table, row))
        name = "/".join([table.name, "+".join(parts)] if parts else [table.name])
        self._taken[name] += 1
        if self._taken[name] > 1 or not parts:
            name = f"{name}{'.' if parts else '/'}{self._taken[name]}"
        for ident in (row.get("uuid"), row.get("id")):
            if isinstance(ident, str):
                self._names[ident.lower()] = name
        for column in table.primary_key.columns:
            self._names[table.name, column.name, row[column.name]] = name
        return name

    def _parents(self, table: sa.Table, row: Record) -> Iterator[str]:
        """Yield the names of what a resource belongs to, and what else distinguishes it there."""
        for column in table.columns:
            value = row[column.name]
            if value is None:
                continue
            above = self._referred(column, value)
            if above is not None:
                yield above.partition("/")[2]
            elif column.primary_key and isinstance(value, str) and not is_identifier(value):
                yield value

    def _referred(self, column: sa.Column[Any], value: Any) -> str | None:
        """Return the name of what a column refers to."""
        for key in column.foreign_keys:
            found = self._names.get((key.column.table.name, key.column.name, value))
            if found is not None:
                return found
        return self._names.get(value.lower()) if isinstance(value, str) else None

    def _fields(self, table: sa.Table, row: Record) -> Fields:
        fields: Fields = {}
        for column in table.columns:
            if column.name in _LEFT_OUT or column.name == "id" or _is_moment(column):
                continue
            value = row[column.name]
            referred = self._referred(column, value) if column.foreign_keys else None
            fields.update(self._flat(column.name, value if referred is None else referred))
        return {path: self._common(table.name, path, value) for path, value in fields.items()}

    def _common(self, table: str, path: str, value: Any) -> Any:
        common = self._varying.get(f"{table}.{path}")
        return value if common is None or value in common else VARIES

    def _flat(self, path: str, value: Any) -> Iterator[tuple[str, Any]]:
        """Yield what is in a value: a path for each part, and for each member of a list."""
        if isinstance(value, dict):
            for name, part in value.items():
                if path != _VALUES or name not in _LEFT_OUT_OF_VALUES:
                    yield from self._part(path, name, part)
        elif isinstance(value, list):
            if any(isinstance(part, dict | list) for part in value):
                parts = sorted(
                    json.dumps(dict(self._flat("", part)), sort_keys=True) for part in value
                )
            else:
                parts = [str(self._masked(part)) for part in value]
            for part in parts:
                yield f"{path}/{part}", True
        elif value is not None and value != "":
            yield path, self._masked(value)

    def _part(self, path: str, name: str, part: Any) -> Iterator[tuple[str, Any]]:
        below = f"{path}/{self._masked(name)}"
        if isinstance(part, str) and is_secret(name):
            # Equal secrets are equal, and nobody reads them in a report.
            yield below, f"<secret {hashlib.sha256(part.encode()).hexdigest()[:8]}>"
        else:
            yield from self._flat(below, part)

    def _masked(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return "<host>" if value in self._raw.hosts else _TOKEN.sub(self._shown, value)

    def _shown(self, match: re.Match[str]) -> str:
        token = match[0].lower()
        if token in self._names:
            return self._names[token]
        return token if token in self._raw.chosen else f"<{match.lastgroup}>"


def is_identifier(value: str) -> bool:
    """Return whether a text is an identifier as services make them."""
    match = _TOKEN.fullmatch(value)
    return match is not None and match.lastgroup == "uuid"


@cache
def _is_moment(column: sa.Column[Any]) -> bool:
    return isinstance(column.type, sa.DateTime)
