"""Boxes and arrows as SVG, in the colours of the page around them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

LINE = 17
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A box around its centre.

    :param lines: the text; the first line is bold if there are more.
    :param rounded: whether it has round corners.
    """

    x: float
    y: float
    lines: tuple[str, ...]
    width: float = 140
    rounded: bool = False

    @property
    def height(self) -> float:
        return LINE * len(self.lines) + 14


@dataclass(frozen=True)
class Arrow:
    """An arrow along points, with a label at a place of its own or at its middle."""

    points: tuple[Point, ...]
    label: str = ""
    dashed: bool = False
    label_at: Point | None = None
    anchor: str = "middle"


@dataclass
class Drawing:
    """A picture."""

    width: float
    height: float
    boxes: list[Box] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)

    def svg(self, name: str, title: str) -> str:
        """Return the picture as an element of HTML."""
        parts = [
            f'<svg class="picture" xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" '
            f'aria-label="{escape(title)}" font-size="13" font-family="sans-serif">',
            f'<defs><marker id="{name}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
            'markerHeight="8" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" '
            'fill="currentColor"/></marker></defs>',
            *(_arrow(arrow, name) for arrow in self.arrows),
            *(_box(box) for box in self.boxes),
            *(_label(arrow) for arrow in self.arrows if arrow.label),
            "</svg>",
        ]
        return "\n".join(parts)


def _box(box: Box) -> str:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    radius = min(box.height / 2, 18) if box.rounded else 3
    lines = [
        f'<rect x="{left:g}" y="{top:g}" width="{box.width:g}" height="{box.height:g}" '
        f'rx="{radius:g}" fill="var(--color-background-secondary, #f8f9fb)" '
        'stroke="currentColor"/>'
    ]
    for number, text in enumerate(box.lines):
        weight = ' font-weight="bold"' if not number and len(box.lines) > 1 else ""
        y = top + 7 + LINE * (number + 0.75)
        lines.append(
            f'<text x="{box.x:g}" y="{y:g}" text-anchor="middle" fill="currentColor"{weight}>'
            f"{escape(text)}</text>"
        )
    return "\n".join(lines)


def _arrow(arrow: Arrow, name: str) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in arrow.points)
    dashes = ' stroke-dasharray="5 4"' if arrow.dashed else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.2"'
        f'{dashes} marker-end="url(#{name}-tip)"/>'
    )


def _label(arrow: Arrow) -> str:
    if arrow.label_at:
        x, y = arrow.label_at
    else:
        middle = len(arrow.points) // 2
        (x1, y1), (x2, y2) = arrow.points[middle - 1 : middle + 1]
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
    return (
        f'<text x="{x:g}" y="{y + 4:g}" text-anchor="{arrow.anchor}" fill="currentColor" '
        'stroke="var(--color-background-primary, white)" stroke-width="4" paint-order="stroke">'
        f"{escape(arrow.label)}</text>"
    )
