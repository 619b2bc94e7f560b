"""What all resources of Keystone have in common."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.common.dialects.keystone import KEYSTONE
from fake_server.common.errors import BadRequest, Conflict, Forbidden
from fake_server.common.resources.declaration import Level
from fake_server.common.resources.resource import Resource
from fake_server.common.resources.rows import Rows
from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.db.store import DuplicateError
from fake_server.identity import errors, models, schemas, tables, targets
from fake_server.identity.context import Context
from fake_server.identity.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import sqlalchemy as sa

    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class KeystoneResource(Resource[Context]):
    """A kind of resources of Keystone, of which all columns are shown but those that are hidden."""

    service_policies = POLICIES
    dialect = KEYSTONE
    table: ClassVar[sa.Table]
    #: Columns that are not shown.
    hidden_columns: ClassVar[tuple[str, ...]] = ()
    #: What clients can't change, with what Keystone calls it.
    fixed: ClassVar[Mapping[str, str]] = MappingProxyType({"id": "ID"})
    #: Whether other properties are stored as well.
    extra: ClassVar[bool] = True
    #: The columns whose values distinguish them from other kinds in the table.
    match: ClassVar[Mapping[str, Any]] = _NOTHING
    #: The operations for which it is told that there is no such thing before who may ask.
    known_first: ClassVar[tuple[str, ...]] = ()
    #: Whether it is looked at after who may send a body that this says nothing of one.
    may_be_left_out: ClassVar[bool] = False

    def __init_subclass__(cls, **more: Any) -> None:
        if "name" in cls.__dict__:
            called, of = cls.name.replace("_", " "), " for" if cls.name.endswith("limit") else ":"
            cls.rows = Rows(cls.table, f"Could not find {called}{of} {{}}.")
            cls.paths = cls.__dict__.get("paths", (f"/v3/{cls.name}s",))
            if "policies" not in cls.__dict__:
                cls.policies = policies(cls.name)
        super().__init_subclass__(**more)

    # What a kind may have code for

    def prepare(self, ctx: Context, row: Record) -> None:
        """Complete a new row; raise an error if it refers to what isn't there, or can't be."""

    def check_change(self, ctx: Context, row: Record, changes: Record) -> None:
        """Raise an error if one can't be changed so; complete the changes."""

    def check_deletion(self, ctx: Context, row: Record) -> None:
        """Raise an error if one can't be deleted; delete what goes with it."""

    def duplicate(self, row: Record, *, is_new: bool) -> Conflict:
        """Return the error for what is called as another one is."""
        return errors.conflict(self.name, f"Duplicate entry found with name {row.get('name')}")

    def narrowed(self, ctx: Context, rows: list[Record]) -> list[Record]:
        """Return those of the rows of a list that the client sees."""
        return rows

    def target(self, ctx: Context, row: Record | None) -> dict[str, Any]:
        """Return what policies know of one; ``None`` is none."""
        return targets.of(**{self.name: row})

    def list_target(self, ctx: Context) -> dict[str, Any]:
        """Return what policies know of a request for a list: the scope of the token."""
        domain = ctx.caller.domain_id
        names = ("target.domain_id", "target.domain.id", "target.group.domain_id")
        return {} if domain is None else dict.fromkeys(names, domain)

    def policy_of(self, operation: str, row: Mapping[str, Any]) -> str:
        """Return the policy of an operation, for the row or what is known of it."""
        return str(self.policy(operation))

    def check_token(self, ctx: Context) -> None:
        """Raise Forbidden for tokens that are good for nothing here, whatever policies say."""

    # What others ask of a kind

    def find(self, ctx: Context, ident: str) -> Record | None:
        """Return a row by its id, or ``None``."""
        return ctx.tx.get(self.table, id=ident, **self.match)

    def need(self, ctx: Context, ident: str) -> Record:
        """Return a row by its id; raise NotFound if there is none."""
        row = self.find(ctx, ident)
        if row is None:
            raise self.rows.missing(ident)
        return row

    def found(
        self, ctx: Context, ident: str, policy: str | None, *, unread: bool = False
    ) -> Record:
        """Return a row by its id.

        :raises Forbidden: if the client may not do this, whether there is one or not.
        :raises NotFound: if there is none.
        """
        row = self.find(ctx, ident)
        ctx.require(str(policy), self.target(ctx, row))
        if row is None:
            raise self.rows.missing(ident)
        return row

    def store(self, ctx: Context, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change columns of one."""
        ctx.tx.update_row(self.table, row["id"], changes)
        return {**row, **changes}

    def plain(self, row: Record) -> dict[str, Any]:
        """Return one as clients see it, without its links."""
        hidden = {"number", "extra", *self.hidden_columns, *self.match}
        found = {name: value for name, value in row.items() if name not in hidden}
        if found.get("domain_id") == tables.NO_DOMAIN:
            found["domain_id"] = None
        return {**found, **(row.get("extra") or {})}

    def shown(self, ctx: Context, row: Record, level: Level = Level.DETAIL) -> dict[str, Any]:
        """Return one as clients see it."""
        return {**self.plain(row), "links": ctx.link(f"{self.plural}/{row['id']}")}

    def answer_list(self, ctx: Context, rows: Iterable[Record]) -> Response:
        """Answer a list of them."""
        return ctx.listed(self.plural, [self.shown(ctx, row) for row in rows])

    # What is done in a request

    def list_all(self, ctx: Context) -> Response:
        """List them."""
        ctx.authenticate()
        query = ctx.request.query
        ctx.require(self.policy_of("list", query), self.list_target(ctx))
        rows = models.fetch(ctx.tx, self.table, **self.matching(query))
        return self.answer_list(ctx, self.narrowed(ctx, rows))

    def matching(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of columns that a query asks for."""
        match = {name: query[name] for name in self.filters if name in query} | dict(self.match)
        if "enabled" in match:
            match["enabled"] = schemas.as_boolean(match["enabled"])
        return match

    def create(self, ctx: Context) -> Response:
        """Create one."""
        values = self.body(ctx, "create")
        ctx.require(self.policy_of("create", values), self.target(ctx, dict(values)))
        if not values and self.may_be_left_out:
            raise errors.malformed(f"Expecting to find {self.name} in request body.")
        self.check_token(ctx)
        return self.answer(ctx, "create", self.make(ctx, values))

    def make(self, ctx: Context, wanted: Mapping[str, Any]) -> Record:
        """Add one and return it."""
        row = self.values(ctx, wanted)
        row["id"] = (row.get("id") if "id" in self.fields else None) or models.new_id()
        self.prepare(ctx, row)
        try:
            ctx.tx.insert(self.table, row)
        except DuplicateError:
            raise self.duplicate(row, is_new=True) from None
        return row

    def values(self, ctx: Context, wanted: Mapping[str, Any]) -> Record:
        """Return the columns of a new one."""
        defaults = {
            name: field.initial() for name, field in self.fields.items() if name in self.table.c
        }
        return {**defaults, **self.match, **self.row(wanted)}

    def row(self, wanted: Mapping[str, Any]) -> Record:
        """Return values as they are stored: what has no column for clients is in ``extra``."""
        known = (self.table.c.keys() & self.fields.keys()) | self.fixed.keys()
        columns = {name: value for name, value in wanted.items() if name in known}
        if "enabled" in columns:
            columns["enabled"] = schemas.stored_boolean(columns["enabled"])
        others = {name: value for name, value in wanted.items() if name not in known}
        return {**columns, "extra": others} if self.extra else columns

    def show(self, ctx: Context, ident: str) -> Response:
        """Show one."""
        return self.answer(ctx, "show", self.asked(ctx, ident, "show"))

    def update(self, ctx: Context, ident: str) -> Response:
        """Change one."""
        values = self.body(ctx, "update")
        row = self.asked(ctx, ident, "update")
        changes = self.row(values)
        if self.extra:
            changes["extra"] = {**row["extra"], **changes["extra"]}
        self._check_change(ctx, row, changes)
        try:
            after = self.store(ctx, row, changes)
        except DuplicateError:
            raise self.duplicate({**row, **changes}, is_new=False) from None
        return self.answer(ctx, "update", after)

    def delete(self, ctx: Context, ident: str) -> Response:
        """Remove one."""
        row = self.asked(ctx, ident, "delete")
        if _is_immutable(row):
            raise self._immutable("delete", row)
        self.check_deletion(ctx, row)
        ctx.tx.remove(self.table, id=ident)
        return Response(204)

    def answer(self, ctx: Context, operation: str, row: Record) -> Response:
        """Return the answer to an operation, with what it shows of one."""
        return encode(self.status(operation), {self.name: self.shown(ctx, row)})

    def body(self, ctx: Context, operation: str) -> Mapping[str, Any]:
        """Return what a body says of one; nothing where it may be left out, and is."""
        body = decode(ctx.request)
        if self.may_be_left_out and self.name not in body:
            return {}
        found: dict[str, Any] = errors.required(body, self.name)
        if problem := self.checker(operation, 0).best(found):
            raise errors.invalid(problem, self.name)
        return found

    @classmethod
    def whole_schema(cls, operation: str, schema: Schema) -> Schema:
        """Return the schema of what is checked, which is what is said of one."""
        return schema

    @classmethod
    def schema(cls, operation: str, minor: int) -> Schema:
        """Return the schema of what a body says of one."""
        found = dict(super().schema(operation, minor))
        needed = found.pop("required")
        # What is told first of several problems comes first.
        return {**found, "additionalProperties": cls.extra, "required": needed}

    def asked(self, ctx: Context, ident: str, operation: str) -> Record:
        """Return the row of a resource for a request that shows, updates or deletes it."""
        ctx.authenticate()
        row = self.find(ctx, ident)
        if row is None and operation in self.known_first:
            raise self.rows.missing(ident)
        row = self.found(ctx, ident, self.policy_of(operation, row or {}))
        self.check_token(ctx)
        return row

    def _check_change(self, ctx: Context, row: Record, changes: Record) -> None:
        for name, called in self.fixed.items():
            if name in changes and changes[name] != self.plain(row).get(name, row.get(name)):
                raise BadRequest(f"Cannot change {called}")
        options = changes.get("options") or {}
        if _is_immutable(row) and options.get("immutable", True):
            raise self._immutable("update", row)
        if options:
            merged = {**row["options"], **options}
            kept = {name: value for name, value in merged.items() if value is not None}
            changes["options"] = kept
        self.check_change(ctx, row, changes)

    def _immutable(self, verb: str, row: Record) -> Forbidden:
        return Forbidden(
            f"Unable to {verb} immutable {self.name} resource: `{row['id']}. Set resource option "
            '"immutable" to false first.'
        )


def policies(*names: str) -> dict[str, tuple[str, ...]]:
    """Return the policies of the operations of a kind.

    :param names: what they call one of it.
    """
    return {
        operation: tuple(f"{verb}_{name}{several}" for name in names)
        for operation, verb, several in (
            ("list", "list", "s"),
            ("create", "create", ""),
            ("show", "get", ""),
            ("update", "update", ""),
            ("delete", "delete", ""),
        )
    }


def own_domain(ctx: Context) -> str:
    """Return the domain of what a client creates and names no domain of."""
    return ctx.token.row["domain_id"] or models.DEFAULT_DOMAIN


def check_domain(ctx: Context, ident: str) -> None:
    """Raise NotFound for a domain that there isn't."""
    if ctx.tx.get(tables.projects, id=ident, is_domain=True) is None:
        raise errors.not_found("domain", ident)


def of_token_domain(ctx: Context, rows: list[Record]) -> list[Record]:
    """Return those of rows that are in the domain that the token is for, if it is for one."""
    domain = ctx.token.row["domain_id"]
    return [row for row in rows if domain in (None, row["domain_id"])]


def _is_immutable(row: Record) -> bool:
    return bool((row.get("options") or {}).get("immutable"))
