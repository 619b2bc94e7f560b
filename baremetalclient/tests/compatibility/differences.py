"""Where programs and scripts see something else with python-ironicclient, and why."""

from __future__ import annotations

from typing import Any, NamedTuple


class Difference(NamedTuple):
    """A deliberate difference.

    :param file: the name of the program or script.
    :param where: the key of the object that the program prints, or the line of the script's output,
        as with python-ironicclient.
    :param ours: the value or the line with this client.
    :param reason: why.
    """

    file: str
    where: str
    ours: Any
    reason: str


DIFFERENCES: tuple[Difference, ...] = ()
