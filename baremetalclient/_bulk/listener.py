"""Who is told of what happens to resources: the one protocol of actions and waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from baremetalclient import exc
    from baremetalclient._bulk.result import Result
    from baremetalclient._resource.resource import Item, Resource


@dataclass(frozen=True)
class Target:
    """A resource to act on.

    :param ident: what requests call it.
    :param name: its name, or what it was called.
    :param uuid: its UUID, None if it is not known.
    """

    ident: str
    name: str | None = None
    uuid: str | None = None

    @classmethod
    def of(cls, resource: Resource) -> Target:
        """Return the target for a resource that was fetched."""
        fields = vars(resource)
        ident = fields[resource.resource_type.identifier]
        return cls(ident, fields.get("name"), ident)

    @property
    def label(self) -> str:
        """Its name in messages."""
        return self.name or self.ident


class Listener:
    """Told what happens, in the thread of the caller; does nothing by itself."""

    def accepted(self, target: Target, value: Any) -> None:
        """Handle that the call for a resource returned a value."""

    def refused(self, target: Target, error: exc.ClientException) -> None:
        """Handle that the call for a resource failed."""

    def seen(self, target: Target, item: Item | None, state_field: str, seconds: float) -> None:
        """Handle what a poll has seen.

        :param item: the fields of the resource, None if it is gone.
        :param state_field: the field with the state that is waited for, empty if there is none.
        :param seconds: the seconds since the beginning of the wait.
        """

    def failed(self, result: Result) -> None:
        """Handle that a resource will not reach the goal."""

    def polled(self) -> None:
        """Handle that a poll is complete."""
