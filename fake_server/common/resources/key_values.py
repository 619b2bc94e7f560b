"""Values by keys that belong to a resource: metadata, extra specs, properties."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.resources.part import Part
from fake_server.common.rest import encode
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.resources.part import Owner
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record


def _as_it_is(value: Any) -> Any:
    return value


def _accept(ctx: Any, key: str, value: str) -> None:
    """Accept any value."""


@dataclass(frozen=True)
class KeyValues(Part):
    """Values by keys that belong to a resource.

    :param column: the column that has them; bodies have them below its name.
    :param policies: by what is done with them: ``list``, ``add`` and ``replace`` (all at once),
        ``show``, ``set`` and ``remove`` (one of them). What isn't there can't be done.
    :param schema: what they may be.
    :param absent: what is said of a key that isn't there, with ``key``, ``ident`` (as the client
        names the resource) and columns as placeholders.
    :param path: their address, where it isn't the name of the column.
    :param item: what bodies have one below, if it isn't alone there.
    :param others: whether bodies may have other properties beside.
    :param answers_added: whether the answer to adding some shows these alone.
    :param removed: the status of the answer to removing one.
    :param removal_reads: whether who removes one has to be allowed to show it.
    :param convert: returns a value that a client gives as it is stored.
    :param accept: raises BadRequest for a value that can't be used, for the context, key and value.
    :param seen: returns those that the client sees, for the context and the row; by default all.
    """

    column: str
    policies: Mapping[str, str]
    schema: Schema
    absent: str
    path: str = ""
    item: str = ""
    others: bool = False
    answers_added: bool = False
    removed: int = 200
    removal_reads: bool = False
    convert: Callable[[Any], Any] = _as_it_is
    accept: Callable[[Any, str, str], None] = _accept
    seen: Callable[[Any, Record], Mapping[str, Any]] | None = None

    @cached_property
    def _several(self) -> Checker:
        return self._checker(self.column, self.schema)

    @cached_property
    def _one(self) -> Checker:
        one = {**self.schema, "minProperties": 1, "maxProperties": 1}
        return self._checker(self.item, one) if self.item else Checker(one)

    def _checker(self, name: str, schema: Schema) -> Checker:
        body = object_schema({name: schema}, name)
        return Checker({**body, "additionalProperties": self.others})

    def add_to(self, routes: GuardedRoutes[Any], owner: Owner, address: str) -> None:
        """Add what answers requests for them."""
        path = f"{address}/{self.path or self.column}"
        for done, method, where, handler in (
            ("list", "GET", path, self.show_all),
            ("add", "POST", path, self.add),
            ("replace", "PUT", path, self.replace),
            ("show", "GET", f"{path}/{{key}}", self.show),
            ("set", "PUT", f"{path}/{{key}}", self.set_one),
            ("remove", "DELETE", f"{path}/{{key}}", self.remove),
        ):
            if done in self.policies:
                routes.add(method, where, self.policies[done])(partial(handler, owner=owner))

    def show_all(self, ctx: Any, ident: str, *, owner: Owner) -> Response:
        """Show all."""
        return encode(200, {self.column: self._seen(ctx, self.found(ctx, ident, "list", owner))})

    def add(self, ctx: Any, ident: str, *, owner: Owner) -> Response:
        """Add some, and change those that are there."""
        wanted = self._wanted(ctx, self._several)[self.column]
        row = self.found(ctx, ident, "add", owner)
        self.check_change(ctx, row, "add")
        kept = self._store(ctx, owner, row, {**row[self.column], **self._stored(ctx, wanted)})
        return encode(200, {self.column: wanted if self.answers_added else kept})

    def replace(self, ctx: Any, ident: str, *, owner: Owner) -> Response:
        """Have these alone."""
        wanted = self._wanted(ctx, self._several)[self.column]
        row = self.found(ctx, ident, "replace", owner)
        self.check_change(ctx, row, "replace")
        kept = self._store(ctx, owner, row, self._stored(ctx, wanted))
        return encode(200, {self.column: kept})

    def show(self, ctx: Any, ident: str, key: str, *, owner: Owner) -> Response:
        """Show one."""
        row = self.found(ctx, ident, "show", owner)
        return self._answer({key: self._value(self._seen(ctx, row), ident, row, key)})

    def set_one(self, ctx: Any, ident: str, key: str, *, owner: Owner) -> Response:
        """Set one."""
        body = self._wanted(ctx, self._one)
        wanted = body[self.item] if self.item else body
        if key not in wanted:
            raise BadRequest("Request body and URI mismatch")
        row = self.found(ctx, ident, "set", owner)
        self.check_change(ctx, row, "set")
        stored = self._stored(ctx, wanted)
        self._store(ctx, owner, row, {**row[self.column], **stored})
        return self._answer(stored)

    def remove(self, ctx: Any, ident: str, key: str, *, owner: Owner) -> Response:
        """Remove one."""
        row = self.found(ctx, ident, "show" if self.removal_reads else "remove", owner)
        self._value(row[self.column], ident, row, key)
        if self.removal_reads:
            ctx.require(self.policies["remove"], row)
        self.check_change(ctx, row, "remove")
        left = {name: value for name, value in row[self.column].items() if name != key}
        self._store(ctx, owner, row, left)
        return Response(self.removed)

    def found(self, ctx: Any, ident: str, done: str, owner: Owner) -> Record:
        """Return what has them, if the client may do that with them."""
        return owner.found(ctx, ident, self.policies[done])

    def check_change(self, ctx: Any, row: Record, done: str) -> None:
        """Raise an error for what can't have its values changed now."""

    def _store(
        self, ctx: Any, owner: Owner, row: Record, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        kept: Mapping[str, Any] = owner.store(ctx, row, {self.column: values})[self.column]
        return kept

    def _seen(self, ctx: Any, row: Record) -> Mapping[str, Any]:
        found: Mapping[str, Any] = row[self.column] if self.seen is None else self.seen(ctx, row)
        return found

    def _value(self, values: Mapping[str, Any], ident: str, row: Record, key: str) -> Any:
        if key not in values:
            raise NotFound(self.absent.format(**{**row, "ident": ident, "key": key}))
        return values[key]

    def _stored(self, ctx: Any, wanted: Mapping[str, Any]) -> dict[str, Any]:
        stored = {key: self.convert(value) for key, value in wanted.items()}
        for key, value in stored.items():
            self.accept(ctx, key, value)
        return stored

    def _answer(self, one: Mapping[str, Any]) -> Response:
        return encode(200, {self.item: one} if self.item else one)

    def _wanted(self, ctx: Any, checker: Checker) -> Any:
        body = ctx.dialect.body(ctx.request)
        ctx.dialect.check(checker, body)
        return body
