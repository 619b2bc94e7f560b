"""What a token that stands for somebody who isn't there may not do: those of credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.identity import errors

if TYPE_CHECKING:
    from fake_server.identity.tokens import Token


def check_primary(token: Token) -> None:
    """Raise Forbidden if a token comes from an application credential, however unrestricted."""
    if token.is_delegated:
        raise errors.forbidden("Delegated tokens cannot access credentials directly")


def check_unrestricted(token: Token) -> None:
    """Raise Forbidden if a token comes from an application credential that is restricted."""
    if token.credential is not None and not token.credential["unrestricted"]:
        raise errors.forbidden(
            "Using method 'application_credential' is not allowed for managing additional "
            "application credentials."
        )
