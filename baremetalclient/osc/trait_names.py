"""Names of traits: the rule that they follow, and those that are known.

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

MOST = 50
"""How many traits a node can have."""
LONGEST = 255
"""How many characters a trait can have."""
CUSTOM = "CUSTOM_"
"""What a trait begins with that is not a standard one."""

_FORM = re.compile(r"[A-Z][A-Z0-9_]*")


def check(trait: str) -> None:
    """Refuse what cannot be a trait, on any server.

    A standard trait that is not known here may be newer than this client; the server decides.

    :param trait: the name.
    :raises ValidationError: naming the rule that it breaks.
    """
    if len(trait) > LONGEST:
        raise exc.ValidationError(
            f"{trait[:40]!r}… is no trait: it has {len(trait)} characters, and {LONGEST} are "
            "allowed."
        )
    if not _FORM.fullmatch(trait) or trait == CUSTOM:
        hint = _respelled(trait)
        raise exc.ValidationError(
            f"{trait!r} is no trait: a trait has capital letters, digits and underscores only, and "
            f"is a standard one or begins with {CUSTOM}."
            + (f" Did you mean {hint!r}?" if hint else "")
        )


def check_number(number: int) -> None:
    """Refuse more traits than a node can have.

    :param number: how many it would have.
    :raises ValidationError: if that is too many.
    """
    if number > MOST:
        raise exc.ValidationError(f"A node can have {MOST} traits, not {number}.")


def nearest(trait: str) -> list[str]:
    """Return the known names that are most like a trait.

    :param trait: a name that a server has refused.
    """
    found = difflib.get_close_matches(trait, [*known(), CUSTOM + trait], n=3, cutoff=0.7)
    return [name for name in found if name != trait]


@cache
def known() -> Sequence[str]:
    """Return the standard traits that this client knows."""
    import os_traits  # type: ignore[import-untyped]

    return sorted(os_traits.get_traits())


def _respelled(trait: str) -> str | None:
    respelled = re.sub(r"[^A-Z0-9]+", "_", trait.upper()).strip("_")
    if not respelled or len(respelled) + len(CUSTOM) > LONGEST:
        return None
    if respelled in known() or respelled.startswith(CUSTOM):
        return respelled
    return CUSTOM + respelled
