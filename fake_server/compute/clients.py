"""Whom servers belong to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.identity.caller import Caller


@dataclass(frozen=True)
class Client:
    """Who asks for servers.

    :param caller: who sends the request, where anybody is asked.
    :param reach: the project whose flavors can be used; ``None`` for all.
    """

    caller: Caller | None
    project_id: str
    user_id: str
    reach: str | None

    @property
    def owner(self) -> dict[str, str]:
        """The names, as nodes are told them."""
        return {
            "project_name": (self.caller and self.caller.project_name) or self.project_id,
            "user_name": self.caller.user_name if self.caller else self.user_id,
        }
