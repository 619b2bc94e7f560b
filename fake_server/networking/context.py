"""One request to the Networking API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.common.context import Context
from fake_server.common.errors import Forbidden, NotFound
from fake_server.common.wsgi import Request, Response
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, operations, qos, rbac
from fake_server.networking.policies import POLICIES, asked_by, parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession


#: What policies call the project of what an item is in, where that isn't of an extension.
_PROJECT_OF = {
    "networks": "network:project_id",
    "security_groups": "security_group:project_id",
}


class NetworkingContext(Context):
    """The context of a request, which handlers get.

    :param session: what models work with.
    :param kind: the kind that the address names, where one handler answers for all.
    """

    policies = POLICIES

    def __init__(self, request: Request, session: NetworkingSession, kind: str = "") -> None:
        super().__init__(request)
        self.session = session
        self.kind = kind
        self._parents: dict[str, Record] = {}

    @property
    def acts_for_others(self) -> bool:
        """Whether the client is an administrator or another service."""
        return self.is_admin or (self.caller is not None and self.caller.has("service"))

    def target(self, kind: str, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return an item as policies know it, with the project of what it is in."""
        parent = self._parent(kind, item)
        above = KINDS[KINDS[kind].parent].collection
        target = dict(item)
        if parent:
            target[_PROJECT_OF.get(above, "ext_parent:project_id")] = parent["project_id"]
        if above == "networks":
            target.setdefault("shared", parent.get("shared"))
            target.setdefault("router:external", parent.get("router:external"))
        return target

    def seen(self, kind: str, rows: Sequence[Record]) -> list[Record]:
        """Return items as the client's project sees them: shared with it or not."""
        if self.caller is None or KINDS[kind].shares_as is None:
            return list(rows)
        project = self.caller.project_id
        found = rbac.seen_by(self.session, project, rows)
        return [qos.seen_by(project, one) for one in found] if kind == "policies" else found

    def allows(self, action: str, kind: str, item: Mapping[str, Any]) -> bool:
        """Return whether the client may do something with an item.

        :param action: such as ``get``.
        """
        policy = KINDS[kind].policy(action)
        # Without authentication, nothing needs to be known of the item.
        return self.may(policy, self.target(kind, item) if self.caller else {})

    def allowed(self, kind: str, rows: Sequence[Record]) -> list[Record]:
        """Return the items that the client may read."""
        self.asked.add(KINDS[kind].policy("get"))
        return [row for row in rows if self.allows("get", kind, row)]

    def enforce(
        self,
        action: str,
        kind: str,
        item: Mapping[str, Any],
        given: Mapping[str, Any] | None = None,
        part: str = "*",
    ) -> None:
        """Raise Forbidden if the client may not do something with an item.

        :param given: the attributes that it sets.
        :param part: what of the item it is about.
        """
        policy = KINDS[kind].policy(action, part)
        self.asked.add(self.policies.name(asked_by(policy)))
        if self.caller is None:
            return
        if not self.policies.in_scope(asked_by(policy), self.credentials):
            scope = "system" if self.caller.system else "domain"
            raise Forbidden(
                f"rule:{policy} requires a scope of ['project'], request was made with {scope} "
                "scope.",
                "InvalidScope",
            )
        names, rules = [policy], f"rule:{policy}"
        for name, value in (given or {}).items():
            whole, *inner = [*parts_of(policy, name, value), ""]
            if not whole:
                continue
            inner = inner[:-1]
            names += [whole, *inner]
            rule = f"rule:{whole}"
            if inner:
                rule = f"({rule} and ({' and '.join(f'rule:{one}' for one in inner)}))"
            rules = f"({rules} and {rule})"
        target = self.target(kind, item)
        if not all(self.may(asked_by(name), target) for name in names):
            raise Forbidden(f"{rules} is disallowed by policy", "PolicyNotAuthorized")

    def visible(self, kind: str, ident: str) -> Record:
        """Return an item; raise NotFound if the client sees none of this id."""
        (item,) = self.seen(kind, [operations.need(self.session, kind, ident)])
        if not self.allows("get", kind, item):
            # Some find everything, and only then learn that they may not see it.
            found = "project_id" not in item or self.acts_for_others
            raise NotFound if found else KINDS[kind].missing(ident)
        return item

    def check_named(self, kind: str, values: Mapping[str, Any]) -> None:
        """Raise NotFound if the client doesn't see what attributes of an item name."""
        for path, of in KINDS[kind].needs.items():
            name, _, part = path.partition(".")
            value = values.get(name)
            for one in value if isinstance(value, list) else [value]:
                ident = (one or {}).get(part) if part else one
                # What is the project's own is found before policies are asked.
                if ident is not None and not self._owns(of, ident):
                    self.visible(of, ident)

    def _owns(self, kind: str, ident: str) -> bool:
        return bool(items.need(self.session, kind, ident).get("project_id") == self.project_id)

    def _parent(self, kind: str, item: Mapping[str, Any]) -> Mapping[str, Any]:
        parent = KINDS[KINDS[kind].parent]
        if kind == parent.collection:
            return item
        ident = item.get(KINDS[kind].above)
        if ident is None:
            return {}
        if ident not in self._parents:
            found = items.find(self.session, parent.collection, ident)
            self._parents[ident] = self.seen(parent.collection, [found])[0] if found else {}
        return self._parents[ident]


Handler = Callable[..., Response]
