"""The directive ``api-matrix``: calls of the API, with their methods and commands, as recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

_REFERENCE = Path(__file__).parents[1] / "reference"


class ApiMatrix(Directive):
    """Show each call that a method of the SDK makes."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        content = nodes.container()
        self.state.nested_parse(StringList(list(_lines()), "calls.json"), 0, content)
        return content.children


def _lines() -> Iterator[str]:
    routes = json.loads((_REFERENCE / "routes.json").read_text())
    calls = json.loads((_REFERENCE / "calls.json").read_text())
    yield from (
        ".. list-table::",
        "   :header-rows: 1",
        "   :class: matrix",
        "   :widths: 34 8 30 28",
        "",
    )
    rows = [("Call", "Since", "Method", "Command")]
    for route, call in calls.items():
        seen = routes[route]["dialects"].values()
        since = min((one["since"] for one in seen if "since" in one), default=1)
        methods = (f"``{method}()``" for method in call["methods"])
        commands = (f"``{command}``" for command in call["commands"])
        rows.append((f"``{route}``", f"1.{since}", _list(methods), _list(commands)))
    for row in rows:
        for column, cell in enumerate(row):
            first, *others = cell.split("\n")
            yield f"   {'*' if not column else ' '} - {first}"
            yield from (f"       {line}" for line in others)


def _list(items: Iterator[str]) -> str:
    """Return items as lines, each of its own."""
    return "\n".join(f"| {item}" for item in items)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("api-matrix", ApiMatrix)
    return {"parallel_read_safe": True}
