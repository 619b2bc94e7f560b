"""The seconds between polls, which grow."""

from __future__ import annotations

SHORTEST = 0.25
LONGEST = 5.0
_FACTOR = 1.5

SLICE = 0.2
"""Seconds after which a wait looks whether it should stop."""


class Interval:
    """The seconds until the next poll: few at first, then more and more.

    :ivar seconds: the seconds.
    """

    def __init__(self) -> None:
        self.seconds = SHORTEST

    def reset(self) -> None:
        """Begin with few again, since something happens."""
        self.seconds = SHORTEST

    def grow(self, at_least: float = 0) -> None:
        """Take more, and not less than so many, but no more than :data:`LONGEST`."""
        self.seconds = min(max(self.seconds * _FACTOR, at_least), LONGEST)
