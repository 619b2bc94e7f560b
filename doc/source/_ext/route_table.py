"""The directive ``route-table``: the routes of the Bare Metal API, as the tests recorded them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from fake_server.tests import routes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_DIALECTS = ("ironic", "spec")


class RouteTable(Directive):
    """Show the routes of the file that the tests write; fail if they aren't those of the code."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        found: dict[str, Any] = json.loads(routes.DATA.read_text())
        for problem in routes.problems(found):
            raise self.error(f"{problem}: run 'tools/dev routes'")
        content = nodes.container()
        lines = StringList(list(_lines(found)), str(routes.DATA))
        self.state.nested_parse(lines, 0, content)
        return content.children


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [
        ".. list-table::",
        "   :header-rows: 1",
        "   :class: matrix",
        "   :widths: 40 8 12 12 28",
        "",
    ]
    rows = [("Route", "Since", *(f"``{name}``" for name in _DIALECTS), "Test")]
    for name, entry in found.items():
        seen = entry["dialects"]
        versions = [one["since"] for one in seen.values() if "since" in one]
        answers = (seen[dialect]["answer"] if dialect in seen else "" for dialect in _DIALECTS)
        path, _, test = next(iter(seen.values()))["test"].partition("::")
        since = f"1.{min(versions)}" if versions else ""
        rows.append((f"``{name}``", since, *answers, f"``{Path(path).name}`` ``{test}``"))
    for row in rows:
        lines += [f"   {'*' if not column else ' '} - {cell}" for column, cell in enumerate(row)]
    return [*lines, ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("route-table", RouteTable)
    return {"parallel_read_safe": True}
