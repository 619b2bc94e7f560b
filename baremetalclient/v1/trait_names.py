"""Names of traits: their syntax, and the standard traits.

Node Traits specification; the names are those of the Placement service, in the library os-traits.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from typing import TYPE_CHECKING

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_NUMBER = 50
"""How many traits a node can have."""
MAX_LENGTH = 255
"""How many characters a trait can have."""
CUSTOM = "CUSTOM_"
"""The prefix of traits that are not standard ones."""

_FORM = re.compile(r"[A-Z][A-Z0-9_]*")


def check(trait: str) -> None:
    """Check the syntax of a trait.

    Unknown standard traits may be newer than this client; the server decides.

    :param trait: the name.
    :raises ValidationError: if the syntax is wrong.
    """
    if len(trait) > MAX_LENGTH:
        raise exc.ValidationError(
            f"Invalid trait {trait[:40]!r}…: it has {len(trait)} characters, the maximum is "
            f"{MAX_LENGTH}."
        )
    if not _FORM.fullmatch(trait) or trait == CUSTOM:
        hint = _corrected(trait)
        raise exc.ValidationError(
            f"Invalid trait {trait!r}. Traits have only capital letters, digits and underscores, "
            f"and begin with {CUSTOM} unless they are standard ones."
            + (f" Did you mean {hint!r}?" if hint else "")
        )


def check_number(number: int) -> None:
    """Check the number of traits of a node.

    :param number: the number.
    :raises ValidationError: if it is too high.
    """
    if number > MAX_NUMBER:
        raise exc.ValidationError(f"A node can have {MAX_NUMBER} traits at most, not {number}.")


def nearest(trait: str) -> list[str]:
    """Return the known traits that are most similar to a name.

    :param trait: a name that a server has refused.
    """
    found = difflib.get_close_matches(trait, [*standard(), CUSTOM + trait], n=3, cutoff=0.7)
    return [name for name in found if name != trait]


@cache
def standard() -> Sequence[str]:
    """Return the standard traits that this client knows."""
    import os_traits  # type: ignore[import-untyped]

    return sorted(os_traits.get_traits())


def _corrected(trait: str) -> str | None:
    respelled = re.sub(r"[^A-Z0-9]+", "_", trait.upper()).strip("_")
    if not respelled or len(respelled) + len(CUSTOM) > MAX_LENGTH:
        return None
    if respelled in standard() or respelled.startswith(CUSTOM):
        return respelled
    return CUSTOM + respelled
