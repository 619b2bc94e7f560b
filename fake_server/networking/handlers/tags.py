"""``/v2.0/KIND/ID/tags``: the tags of items of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.common.dialects.neutron import NEUTRON
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.resources.tags import Tags
from fake_server.common.rest import encode
from fake_server.networking import bodies, values
from fake_server.networking.errors import InvalidInput, Missing
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.dialects.dialect import Dialect
    from fake_server.common.errors import ServiceError
    from fake_server.common.resources.part import Owner
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
#: What policies call that which is done with tags.
_ACTIONS = {
    **dict.fromkeys(("list", "show"), "get"),
    **dict.fromkeys(("replace", "add"), "update"),
    **dict.fromkeys(("clear", "remove"), "delete"),
    "extend": "create",
}


class _Items:
    """Items of the kind that a request is about."""

    dialect: ClassVar[Dialect] = NEUTRON

    def found(
        self, ctx: NetworkingContext, ident: str, policy: str | None, *, unread: bool = False
    ) -> Record:
        return items.need(ctx.session, ctx.kind, ident)

    def store(self, ctx: NetworkingContext, row: Record, changes: Mapping[str, Any]) -> Record:
        return items.save(ctx.session, ctx.kind, row, {"tags": sorted(changes["tags"])})


class _Tags(Tags):
    """Tags of items of any kind; the policies are what those of the kinds begin with."""

    def asked(self, done: str) -> tuple[str, ...]:
        kinds = [kind for kind in KINDS.values() if "tags" in kind.attributes]
        return tuple(kind.policy(self.policies[done], "tags") for kind in kinds)

    def found(self, ctx: NetworkingContext, owner: Owner, ident: str, done: str) -> Record:
        if "tags" not in KINDS[ctx.kind].attributes:
            raise NotFound
        item = owner.found(ctx, ident, None)
        # Here, Neutron doesn't look whether a network is external.
        subject = {**item, "router:external": False}
        ctx.enforce(self.policies[done], ctx.kind, subject, part="tags")
        return item

    def wanted(self, ctx: NetworkingContext) -> list[str]:
        try:
            wanted = bodies.read_object(ctx)["tags"]
        except (BadRequest, KeyError):
            raise InvalidInput("Invalid tags body") from None
        found: list[str] = bodies.converted(values.tags, wanted)
        return found

    def check(self, ctx: NetworkingContext, row: Record, tag: str) -> None:
        bodies.converted(values.tags, [tag])

    def absent(self, row: Record, tag: str, done: str) -> ServiceError:
        return Missing("Tag", tag)

    def added(self, ctx: NetworkingContext, tag: str, *, new: bool) -> Response:
        return encode(201, None)


_Tags(_ACTIONS).add_to(ROUTES, _Items(), "/v2.0/{kind}/{ident}")
