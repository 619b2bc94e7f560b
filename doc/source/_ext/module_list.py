"""The directive ``module-list PACKAGE``: each module of a package, with its docstring's summary."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[3]


class ModuleList(Directive):
    """Show the modules of a package, folder by folder, without its tests."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a definition list with one list of modules for each folder."""
        content = nodes.container()
        lines = StringList(list(_lines(ROOT / self.arguments[0])), "modules")
        self.state.nested_parse(lines, 0, content)
        return content.children


def _lines(package: Path) -> Iterator[str]:
    folders = {path.parent for path in package.rglob("*.py") if "tests" not in path.parts}
    for folder in sorted(folders):
        yield f"``{folder.relative_to(ROOT)}/``"
        for path in sorted(folder.glob("*.py")):
            docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            yield f"   * ``{path.stem}``: {' '.join(docstring.partition(chr(10) * 2)[0].split())}"
        yield ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("module-list", ModuleList)
    return {"parallel_read_safe": True}
