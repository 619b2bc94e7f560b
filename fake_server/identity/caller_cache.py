"""Remember who holds which token until the next write: nobody loses or gets a right without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.common.caller import Caller
    from fake_server.db.store import Store

#: Tokens that are remembered at most.
_MOST = 1000


class CallerCache:
    """The holders of tokens in the present state of a database, which is this process's alone."""

    def __init__(self, store: Store) -> None:
        self._database = store
        #: The state, with the holders and the expiries of tokens; replaced as a whole.
        self._known: tuple[int | None, dict[str, tuple[Caller, float]]] = (None, {})

    def find(self, secret: str, now: float) -> Caller | None:
        """Return who holds a token that is good, or ``None`` if that is not known."""
        state, known = self._known
        if state is None or secret not in known or self._database.state() != state:
            return None
        caller, expires_at = known[secret]
        return caller if now < expires_at else None

    def keep(self, secret: str, caller: Caller, expires_at: float) -> None:
        """Remember who holds a token; the transaction that found it still has to be open."""
        state = self._database.state()
        if state is None:
            return
        if state != self._known[0] or len(self._known[1]) >= _MOST:
            self._known = (state, {})
        self._known[1][secret] = (caller, expires_at)
