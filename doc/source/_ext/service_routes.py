"""The directive ``service-routes MODULE:CLASS``: the addresses of a service, with their methods.

Below it, ``name: MODULE:TABLE`` names the table whose keys stand for a placeholder of addresses,
and ``address/name: MODULE:TABLE`` the one with the actions that are posted to an address.
"""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sphinx.application import Sphinx

    from fake_server.common.rest import Routes


class ServiceRoutes(Directive):
    """Show what a service answers."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a table with a row for each address."""
        tables = {}
        for line in self.content:
            name, _, place = line.partition(": ")
            tables[name] = _imported(place)
        content = nodes.container()
        lines = _lines(_imported(self.arguments[0]).routes, tables)
        self.state.nested_parse(StringList(list(lines), self.arguments[0]), 0, content)
        return content.children


def _imported(place: str) -> Any:
    module, _, name = place.partition(":")
    return attrgetter(name)(import_module(module))


def _lines(routes: Routes[Any], tables: dict[str, Iterable[str]]) -> Iterator[str]:
    yield from (".. list-table::", "   :header-rows: 1", "   :widths: 30 70", "")
    yield from ("   * - Methods", "     - Address")
    for address in routes.addresses():
        found = routes.find("GET", address)
        assert found is not None
        yield f"   * - {' '.join(found.allowed)}"
        yield f"     - ``{address}``"
        for name in [name for name in tables if f"{{{name}}}" in address or name == address]:
            # Once is enough: the next addresses have the same placeholder.
            yield f"       ({', '.join(f'``{key}``' for key in sorted(tables.pop(name)))})"
    yield ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("service-routes", ServiceRoutes)
    return {"parallel_read_safe": True}
