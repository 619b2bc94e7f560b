"""The directive ``resource-table``: the fields and filters of a resource, from its description."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.util.nodes import nested_parse_with_titles

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from baremetalclient._resource.schema import Resource


class ResourceTable(Directive):
    """Show the ``RESOURCE`` of the module that is named."""

    required_arguments = 1
    has_content = False
    option_spec: ClassVar[dict[str, object]] = {}

    def run(self) -> list[nodes.Node]:
        """Return the tables."""
        resource = importlib.import_module(self.arguments[0]).RESOURCE
        content = nodes.container()
        lines = StringList(_lines(resource), self.arguments[0])
        nested_parse_with_titles(self.state, lines, content)
        return content.children


def _lines(resource: Resource) -> list[str]:
    lines = [
        f"Path ``/v1/{resource.path}``, since version {resource.since}.",
        "",
        ".. list-table::",
        "   :header-rows: 1",
        "",
        "   * - Field",
        "     - Type",
        "     - Since",
        "     - In a list",
        "     - Given at",
        "     - Sortable",
    ]
    for field in resource.fields:
        shown = "yes" if field.name in resource.listed else "long" if field.detailed else ""
        given = [
            moment
            for moment, possible in (("creation", field.creatable), ("update", field.updatable))
            if possible
        ]
        cells = (
            f"``{field.name}``",
            field.type,
            str(max(field.since, resource.since)),
            shown,
            ", ".join(given),
            "yes" if field.sortable else "",
        )
        lines += [f"   {'*' if not column else ' '} - {cell}" for column, cell in enumerate(cells)]
    if resource.filters:
        lines += ["", "Lists can be narrowed by:", ""]
        for narrowing in resource.filters:
            since = max(narrowing.since, resource.since)
            by_client = "; by the client where the server refuses" if narrowing.field else ""
            lines.append(f"* ``{narrowing.name}``, since version {since}{by_client}")
    return [*lines, ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("resource-table", ResourceTable)
    return {"parallel_read_safe": True}
