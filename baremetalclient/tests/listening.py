"""A listener for tests of waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._bulk.listener import Listener, Target

if TYPE_CHECKING:
    from collections.abc import Callable

    from baremetalclient._resource.resource import Item


class Seen(Listener):
    """Calls a function with the name, the state and the target of what each poll has seen."""

    def __init__(self, tell: Callable[[str, str | None, str | None], object]) -> None:
        self._tell = tell

    def seen(self, target: Target, item: Item | None, state_field: str, seconds: float) -> None:
        known = item or {}
        self._tell(target.label, known.get(state_field), known.get(f"target_{state_field}"))
