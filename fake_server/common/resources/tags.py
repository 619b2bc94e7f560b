"""Tags that belong to a resource."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.common.errors import NotFound
from fake_server.common.resources.part import Part
from fake_server.common.rest import encode
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.common.errors import ServiceError
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.resources.part import Owner
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record

#: What all tags may be, as the API working group has it.
TAGS: Schema = {
    "type": "array",
    "items": {"type": "string", "minLength": 1, "maxLength": 60, "pattern": "^[^/,]*$"},
    "maxItems": 50,
}


class Tags(Part):
    """Tags that belong to a resource; services that have other rules have a subclass.

    :param policies: by what is done with them: ``list``, ``replace`` and ``clear`` (all of them),
        ``extend`` (several), ``show``, ``add`` and ``remove`` (one of them). What isn't there can't
        be done.
    """

    #: What all of them may be.
    schema: ClassVar[Schema] = TAGS
    #: Whether they are kept in their order, or in that in which they were added.
    sorts: ClassVar[bool] = False
    #: Whether what has them is looked for before a body is read.
    finds_first: ClassVar[bool] = False

    def __init__(self, policies: Mapping[str, str]) -> None:
        self.policies = policies

    def add_to(self, routes: GuardedRoutes[Any], owner: Owner, address: str) -> None:
        """Add what answers requests for them."""
        path = f"{address}/tags"
        reads = owner.dialect.reads_by
        for done, method, where, handler in (
            ("list", reads, path, self.show_all),
            ("replace", "PUT", path, self.replace),
            ("extend", "POST", path, self.extend),
            ("clear", "DELETE", path, self.clear),
            ("show", reads, f"{path}/{{tag}}", self.show),
            ("add", "PUT", f"{path}/{{tag}}", self.add),
            ("remove", "DELETE", f"{path}/{{tag}}", self.remove),
        ):
            if done in self.policies:
                routes.add(method, where, *self.asked(done))(partial(handler, owner=owner))

    # What services do otherwise

    def asked(self, done: str) -> tuple[str, ...]:
        """Return the policies of which one is asked for what is done."""
        return (self.policies[done],)

    def wanted(self, ctx: Any) -> list[str]:
        """Return the tags that a body names."""
        body = ctx.dialect.body(ctx.request)
        ctx.dialect.check(self._checker, body)
        found: list[str] = body["tags"]
        return found

    def check(self, ctx: Any, row: Record, tag: str) -> None:
        """Raise an error for a tag that one more can't be."""
        ctx.dialect.check(self._one, [*row["tags"], tag])

    def absent(self, row: Record, tag: str, done: str) -> ServiceError:
        """Return the error for a tag that isn't there, and is to be shown or removed."""
        return NotFound(f"{row['id']} has no tag {tag}.")

    def answer(self, ctx: Any, tags: Iterable[str]) -> Response:
        """Return the answer that shows tags."""
        return encode(200, {"tags": list(tags)})

    def added(self, ctx: Any, tag: str, *, new: bool) -> Response:
        """Return the answer to adding a tag, which may have been there."""
        if not new:
            return Response(204)
        location = f"{ctx.request.base_url}{ctx.request.path}"
        return Response(201, headers=[("Location", location)])

    def found(self, ctx: Any, owner: Owner, ident: str, done: str) -> Record:
        """Return what has them, if the client may do that with them."""
        return owner.found(ctx, ident, self.policies[done])

    # What is done in a request

    def show_all(self, ctx: Any, ident: str, *, owner: Owner) -> Response:
        """Show all."""
        return self.answer(ctx, self.found(ctx, owner, ident, "list")["tags"])

    def replace(self, ctx: Any, ident: str, *, owner: Owner) -> Response:
        """Have these alone."""
        row, wanted = self._asked(ctx, owner, ident, "replace")
        return self.answer(ctx, self._store(ctx, owner, row, wanted))

    def extend(self, ctx: Any, ident: str, *, owner: Owner) -> Response:
        """Add several."""
        row, wanted = self._asked(ctx, owner, ident, "extend")
        self._store(ctx, owner, row, [*row["tags"], *wanted])
        return self.answer(ctx, wanted)

    def clear(self, ctx: Any, ident: str, *, owner: Owner) -> Response:
        """Remove all."""
        self._store(ctx, owner, self.found(ctx, owner, ident, "clear"), [])
        return Response(204)

    def show(self, ctx: Any, ident: str, tag: str, *, owner: Owner) -> Response:
        """Tell whether there is one."""
        self._check_there(self.found(ctx, owner, ident, "show"), tag, "show")
        return Response(204)

    def add(self, ctx: Any, ident: str, tag: str, *, owner: Owner) -> Response:
        """Add one."""
        row = self.found(ctx, owner, ident, "add")
        new = tag not in row["tags"]
        self.check(ctx, row, tag)
        if new:
            self._store(ctx, owner, row, [*row["tags"], tag])
        return self.added(ctx, tag, new=new)

    def remove(self, ctx: Any, ident: str, tag: str, *, owner: Owner) -> Response:
        """Remove one."""
        row = self.found(ctx, owner, ident, "remove")
        self._check_there(row, tag, "remove")
        self._store(ctx, owner, row, [one for one in row["tags"] if one != tag])
        return Response(204)

    def _asked(self, ctx: Any, owner: Owner, ident: str, done: str) -> tuple[Record, list[str]]:
        """Return what is to have tags, and the tags that a body names."""
        if self.finds_first:
            row = self.found(ctx, owner, ident, done)
            return row, self.wanted(ctx)
        wanted = self.wanted(ctx)
        return self.found(ctx, owner, ident, done), wanted

    def _check_there(self, row: Record, tag: str, done: str) -> None:
        if tag not in row["tags"]:
            raise self.absent(row, tag, done)

    def _store(self, ctx: Any, owner: Owner, row: Record, tags: Iterable[str]) -> list[str]:
        kept = list(dict.fromkeys(tags))
        if self.sorts:
            kept.sort()
        owner.store(ctx, row, {"tags": kept})
        return kept

    @cached_property
    def _checker(self) -> Checker:
        return Checker(object_schema({"tags": self.schema}, "tags"))

    @cached_property
    def _one(self) -> Checker:
        return Checker(self.schema)
