"""Remember tokens until the next write: nobody loses or gets a right without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.db.store import Store
    from fake_server.identity.tokens import Token

#: Tokens that are remembered at most.
_MOST = 1000


class TokenCache:
    """The tokens that are good in the present state of a database that no other process changes."""

    def __init__(self, store: Store) -> None:
        self._database = store
        #: The state, with the tokens by what the clients hold; replaced as a whole.
        self._known: tuple[int | None, dict[str, Token]] = (None, {})

    def find(self, secret: str, now: float) -> Token | None:
        """Return a token that is good, or ``None`` if that is not known."""
        state, known = self._known
        if state is None or secret not in known or self._database.state() != state:
            return None
        token = known[secret]
        return token if now < token.row["expires_at"] else None

    def keep(self, secret: str, token: Token) -> None:
        """Remember a token; the transaction that found it still has to be open."""
        state = self._database.state()
        if state is None:
            return
        if state != self._known[0] or len(self._known[1]) >= _MOST:
            self._known = (state, {})
        self._known[1][secret] = token
