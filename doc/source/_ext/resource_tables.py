"""Directives about the types of resources, from their descriptions.

``resource-table`` shows the fields and filters of one; ``resource`` documents its module, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.util.nodes import nested_parse_with_titles

from baremetalclient.v1.resources import resource_type

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from baremetalclient._resource.schema import ResourceType


_NOT_SHOWN = "resource_class, resource_type"


class ResourceTable(Directive):
    """Show the description of the type of resource whose module is named."""

    required_arguments = 1
    has_content = False
    option_spec: ClassVar[dict[str, object]] = {}

    def run(self) -> list[nodes.Node]:
        """Return the tables."""
        described = resource_type(self.arguments[0].rpartition(".")[2])
        content = nodes.container()
        lines = StringList(_lines(described), self.arguments[0])
        nested_parse_with_titles(self.state, lines, content)
        return content.children


class Resource(Directive):
    """Document a type of resource."""

    required_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return what its module has, and its fields and filters."""
        module = f"baremetalclient.v1.{self.arguments[0]}"
        lines = [
            *(f".. automodule:: {module}", "   :members:", "   :inherited-members:"),
            *(f"   :exclude-members: {_NOT_SHOWN}", "", f".. resource-table:: {module}", ""),
        ]
        content = nodes.section()
        content.document = self.state.document
        nested_parse_with_titles(self.state, StringList(lines, module), content)
        return content.children


def _lines(resource_type: ResourceType) -> list[str]:
    lines = [
        f"Path ``/v1/{resource_type.path}``, since version {resource_type.since}.",
        "",
        ".. list-table::",
        "   :header-rows: 1",
        "",
        "   * - Field",
        "     - Meaning",
        "     - Type",
        "     - Since",
        "     - In a list",
        "     - Given at",
        "     - Sortable",
    ]
    for field in resource_type.fields:
        shown = "yes" if field.name in resource_type.listed else "long" if field.detailed else ""
        given = [
            moment
            for moment, possible in (("creation", field.creatable), ("update", field.updatable))
            if possible
        ]
        cells = (
            f"``{field.name}``",
            field.meaning,
            f"``{field.annotation}``",
            str(max(field.since, resource_type.since)),
            shown,
            ", ".join(given),
            "yes" if field.sortable else "",
        )
        lines += [f"   {'*' if not column else ' '} - {cell}" for column, cell in enumerate(cells)]
    if resource_type.filters:
        lines += ["", "Lists can be filtered by:", ""]
        for filter_ in resource_type.filters:
            since = max(filter_.since, resource_type.since)
            by_client = "; by the client where the server refuses" if filter_.field else ""
            lines.append(
                f"* ``{filter_.name}``, since version {since}{by_client}: {filter_.meaning}"
            )
    return [*lines, ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("resource-table", ResourceTable)
    app.add_directive("resource", Resource)
    return {"parallel_read_safe": True}
