"""What a token that stands for somebody who isn't there may not do: of credentials and trusts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import Forbidden
from fake_server.identity import errors

if TYPE_CHECKING:
    from fake_server.identity.tokens import Token


def check_primary(token: Token) -> None:
    """Raise Forbidden for the tokens of trusts and of application credentials, all of them."""
    if token.is_delegated:
        raise errors.forbidden("Delegated tokens cannot access credentials directly")


def check_not_of_credential(token: Token) -> None:
    """Raise Forbidden if a token comes from an application credential, however unrestricted."""
    if token.credential is not None:
        raise errors.forbidden("Delegated tokens cannot manage trusts.")


def check_not_of_trust(token: Token) -> None:
    """Raise Forbidden if a token comes from a trust."""
    if token.trust is not None:
        raise Forbidden("You are not authorized to perform the requested action.")


def check_unrestricted(token: Token) -> None:
    """Raise Forbidden if a token comes from an application credential that is restricted."""
    if token.credential is not None and not token.credential["unrestricted"]:
        raise errors.forbidden(
            "Using method 'application_credential' is not allowed for managing additional "
            "application credentials."
        )
