"""Rows of the printed table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.measure import Figure

PEERS = ("python-ironicclient", "openstacksdk")
WIDTHS = (44, 40, 9, 7, 8, 20, 13)


@dataclass(frozen=True)
class Row:
    """One figure of the design.

    :param title: what was measured
    :param reference: what the ratios refer to
    :param at_most: the ratio to reach
    :param figures: by subject: `reference`, `ours`, and the peers
    """

    title: str
    reference: str
    at_most: float
    figures: Mapping[str, Figure]

    @property
    def reached(self) -> bool:
        """Whether our ratio is within the figure."""
        return self.figures["ours"].ratio <= self.at_most

    def cells(self) -> tuple[str, ...]:
        """Return the row as text, one string a column."""
        ours = self.figures["ours"]
        return (
            self.title,
            self.reference,
            f"{ours.cpu * 1000:.2f} ms",
            f"{ours.ratio:.2f}",
            f"{self.at_most:.2f}{'' if self.reached else ' (!)'}",
            *(f"{self.figures[peer].ratio:.2f}" if peer in self.figures else "-" for peer in PEERS),
        )


def line(cells: tuple[str, ...]) -> str:
    """Return one line of the table."""
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()


def heading() -> str:
    """Return the table's first line."""
    return line(("what", "reference", "CPU", "ratio", "at most", *PEERS))
