"""Servers, as what is done to them and what belongs to them have them in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.common.resources.action import Action
from fake_server.common.resources.rows import Rows
from fake_server.compute import tables
from fake_server.compute.errors import InstanceNotFound
from fake_server.compute.handlers import servers
from fake_server.compute.models import instances
from fake_server.compute.resources.nova_resource import NovaResource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.context import Context
    from fake_server.db.store import Record


@dataclass(frozen=True, eq=False)
class ServerAction(Action):
    """Something that is done to a server.

    :param while_locked: whether it can be done to a locked one.
    :param to_host: the policy that is asked instead if the body names a host.
    """

    while_locked: bool = False
    to_host: str = ""

    def policies(self) -> tuple[str, ...]:
        """Return the policies of which one is asked."""
        return (self.policy, self.to_host) if self.to_host else (self.policy,)

    def asked(self, details: Any) -> str:
        """Return the policy that is asked, by what the body says."""
        named = isinstance(details, dict) and details.get("host") is not None
        return self.to_host if self.to_host and named else self.policy


class ServerResource(NovaResource):
    """Servers."""

    paths = ("/servers",)
    rows = Rows(tables.servers, InstanceNotFound.form)
    actions: ClassVar[Mapping[str, ServerAction]] = {}
    states_in = "vm_state"

    def found(
        self, ctx: Context, ident: str, policy: str | None, *, unread: bool = False
    ) -> Record:
        """Return a server that the client sees; raise Forbidden if a policy forbids more."""
        return servers.found(ctx, ident, str(policy))

    def store(self, ctx: Context, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change columns of a server."""
        instances.update(ctx.session, row["id"], **changes)
        return {**row, **changes}

    def check_action(self, ctx: Context, row: Record, name: str) -> None:
        """Raise Conflict for a server that is locked, busy or in another state."""
        action = self.actions[name]
        if not action.while_locked:
            servers.check_lock(ctx, row)
        if action.states:
            instances.check_state(row, name, *action.states)
