"""A contract for import-linter: no file imports itself, by however many others.

Imports within functions and those for types alone count like all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from importlinter import Contract, ContractCheck, fields, output

if TYPE_CHECKING:
    from grimp import ImportGraph


class AcyclicFiles(Contract):
    """No file of a package is in a circle of imports."""

    type_name = "acyclic_files"

    package = fields.StringField()
    skip = fields.StringField(required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find the circles."""
        package, skip = str(self.package), str(self.skip or "")
        files = {
            module
            for module in graph.modules
            if f"{module}.".startswith(f"{package}.")
            and not (skip and f"{module}.".startswith(f"{skip}."))
        }
        imported = {
            module: graph.find_modules_directly_imported_by(module) & files for module in files
        }
        found = _left(imported)
        return ContractCheck(kept=not found, metadata={"files": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name the files that are in a circle, or between two, and what they import of those."""
        found: dict[str, list[str]] = check.metadata["files"]
        for module, others in found.items():
            output.print_error(f"{module} -> {', '.join(others)}", bold=False)


def _left(imported: dict[str, Any]) -> dict[str, list[str]]:
    """Return the files of which none is first or last in the order of imports."""
    left = {module: set(others) for module, others in imported.items()}
    while True:
        needed = set().union(*left.values())
        free = {module for module, others in left.items() if not others or module not in needed}
        if not free:
            return {module: sorted(others) for module, others in sorted(left.items())}
        left = {module: others - free for module, others in left.items() if module not in free}
