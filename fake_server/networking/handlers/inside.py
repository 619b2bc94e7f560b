"""Items that are kept in others, with addresses below those of what they are in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, lists, views
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items
from fake_server.networking.policies import asked_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext
    from fake_server.networking.models.items import NetworkingSession


def _as_it_is(one: Record) -> Record:
    return one


@dataclass(frozen=True)
class Inside:
    """A kind of items that are kept in those of another.

    :param kind: what the API calls several of them.
    :param fetch: returns those in an item.
    :param find: returns one that is in an item.
    :param add: adds one, from its attributes, and returns it.
    :param update: changes one and returns it.
    :param remove: removes one.
    :param shown: returns one with what follows from its attributes.
    :param key: the attribute that ends its address.
    :param asks_first: whether the policy of adding is asked before the item is looked for.
    :param bulk: whether one request can add several.
    :param above: returns the item that one is in, where it has an address of its own.
    """

    kind: str
    fetch: Callable[[Record], list[Record]]
    find: Callable[[Record, str], Record]
    add: Callable[[NetworkingSession, Record, Record], Record]
    update: Callable[[NetworkingSession, Record, Record, Record], Record]
    remove: Callable[[NetworkingSession, Record, Record], None]
    shown: Callable[[Record], Record] = _as_it_is
    key: str = "id"
    asks_first: bool = False
    bulk: bool = True
    above: Callable[[NetworkingSession, str], Record] | None = None

    def add_to(self, routes: GuardedRoutes[Handler]) -> None:
        """Add what answers requests for them."""
        row = KINDS[self.kind]
        below = f"/v2.0/{row.parent}/{{ident}}/{self.kind}"
        alone = f"/v2.0/{self.kind.replace('_', '-')}"
        one = f"{below if self.above is None else alone}/{{key}}"
        handlers: tuple[tuple[str, str, str, Handler], ...] = (
            ("get", "GET", below, self.list_all),
            ("create", "POST", below, self.create),
            ("get", "GET", one, self.show),
            ("update", "PUT", one, self.change),
            ("delete", "DELETE", one, self.delete),
        )
        for action, method, address, handler in handlers:
            if address == one or self.above is None:
                routes.add(method, address, asked_by(row.policy(action)))(handler)

    def list_all(self, ctx: NetworkingContext, ident: str) -> Response:
        """List them."""
        above = ctx.visible(KINDS[self.kind].parent, ident)
        body = lists.answer(ctx, self.kind, [self._known(above, one) for one in self.fetch(above)])
        listed = [views.inside(self.kind, one) for one in body[self.kind]]
        return encode(200, {**body, self.kind: listed})

    def create(self, ctx: NetworkingContext, ident: str) -> Response:
        """Add one, or several."""
        row = KINDS[self.kind]
        wanted, several = bodies.read(ctx, self.kind)
        if several and not self.bulk:
            raise BadRequest("Bulk operation not supported")
        if not self.asks_first:
            items.need(ctx.session, row.parent, ident)
        ctx.enforce("create", self.kind, {row.above: ident})
        made = []
        for values in wanted:
            ctx.check_named(self.kind, values)
            added = self.add(ctx.session, ctx.visible(row.parent, ident), values)
            made.append(self.shown(added))
        # Of several, Neutron shows what is kept of them.
        return encode(201, {self.kind: made}) if several else self._answer(201, made[0])

    def show(self, ctx: NetworkingContext, key: str, ident: str = "") -> Response:
        """Show one."""
        _, one = self.found(ctx, key, ident)
        shown = views.inside(self.kind, self.shown(one))
        return encode(200, {KINDS[self.kind].singular: views.of_fields(ctx, shown)})

    def change(self, ctx: NetworkingContext, key: str, ident: str = "") -> Response:
        """Change one."""
        changes = bodies.read_changes(ctx, self.kind)
        above, one = self.found(ctx, key, ident)
        ctx.enforce("update", self.kind, self._known(above, one))
        ctx.check_named(self.kind, changes)
        return self._answer(200, self.shown(self.update(ctx.session, above, one, changes)))

    def delete(self, ctx: NetworkingContext, key: str, ident: str = "") -> Response:
        """Remove one."""
        above, one = self.found(ctx, key, ident)
        ctx.enforce("delete", self.kind, self._known(above, one))
        self.remove(ctx.session, above, one)
        return Response(204)

    def found(self, ctx: NetworkingContext, key: str, ident: str = "") -> tuple[Record, Record]:
        """Return an item and one in it; raise NotFound if the client doesn't see that."""
        if self.above is not None:
            ident = self.above(ctx.session, key)["id"]
        above = ctx.visible(KINDS[self.kind].parent, ident)
        one = self.find(above, key)
        if not ctx.allows("get", self.kind, self._known(above, one)):
            raise NotFound
        return above, one

    def _known(self, above: Record, one: Record) -> dict[str, Any]:
        """Return one as policies, filters and markers know it."""
        ident = {"id": one[self.key], KINDS[self.kind].above: above["id"]}
        return {**self.shown(one), **ident}

    def _answer(self, status: int, one: Record) -> Response:
        return encode(status, {KINDS[self.kind].singular: views.inside(self.kind, one)})
