"""What is done to a resource by a POST to its ``action``."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import NotFound
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.resources.declaration import Allowed
    from fake_server.db.store import Record


@dataclass(frozen=True, eq=False)
class Action:
    """Something that is done to a resource.

    :param policy: the policy that allows it.
    :param do: does it, for the context, the row and what the body says; returns the answer, or
        ``None`` for an empty one.
    :param body: what the body may say below the name of the action; by default anything.
    :param states: the values of ``status`` in which it can be done, in any without them.
    :param status: the status of an empty answer.
    :param since: the version that added it.
    :param until: the version that dropped it, if one did.
    :param unread: whether it can be done without reading the resource.
    """

    policy: str
    do: Callable[[Any, Record, dict[str, Any]], Response | None]
    body: Allowed = field(default_factory=dict)
    states: tuple[str, ...] = ()
    status: int = 202
    since: int = 0
    until: int | None = None
    unread: bool = False

    def policies(self) -> tuple[str, ...]:
        """Return the policies of which one is asked."""
        return (self.policy,)

    def asked(self, details: Any) -> str:
        """Return the policy that is asked, by what the body says."""
        return self.policy

    def check_offered(self, minor: int) -> None:
        """Raise NotFound in versions that don't have it."""
        if minor < self.since or (self.until is not None and minor >= self.until):
            raise NotFound

    def run(self, ctx: Any, row: Record, details: Any) -> Response:
        """Do it and return the answer."""
        given = details if isinstance(details, dict) else {}
        return self.do(ctx, row, given) or Response(self.status)


@cache
def checker(
    name: str, action: Action, minor: int, formats: tuple[tuple[str, Callable[[str], object]], ...]
) -> Checker:
    """Return what checks the bodies that ask for an action in a version."""
    return Checker(object_schema({name: action.body}, name), dict(formats)).at(minor)
