"""Which mutants a file has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import parso
from cosmic_ray.mutating import mutate_code

from tools.mutants.operators import OF_DATACLASSES, OPERATORS

if TYPE_CHECKING:
    from parso.tree import NodeOrLeaf


@dataclass(frozen=True)
class Mutant:
    """One small fault in one file."""

    path: str
    line: int
    kind: str
    operator: int
    occurrence: int

    def code(self, source: str) -> str:
        """Make the file's text with the fault."""
        operator = OPERATORS[self.kind][self.operator]
        changed: str = mutate_code(source, operator, self.occurrence)
        return changed


@dataclass(frozen=True)
class Change:
    """What a mutant changes, which stays the same when lines move."""

    path: str
    was: str
    now: str

    @classmethod
    def between(cls, path: str, source: str, mutated: str) -> Change:
        """Compare two texts of a file."""
        lines = list(difflib.ndiff(source.splitlines(), mutated.splitlines()))
        parts = (
            " ".join(line[2:].strip() for line in lines if line.startswith(mark))
            for mark in ("- ", "+ ")
        )
        return cls(path, *parts)


def find(root: Path, path: str) -> Iterator[Mutant]:
    """Find all mutants of a file."""
    counts: dict[tuple[str, int], int] = {}
    for node in _nodes(parso.parse((root / path).read_text())):
        ignored = None
        for kind, operators in OPERATORS.items():
            for number, operator in enumerate(operators):
                for start, _ in operator.mutation_positions(node):
                    occurrence = counts.get((kind, number), 0)
                    counts[kind, number] = occurrence + 1
                    if ignored is None:
                        ignored = _is_without_effect(node)
                    if not ignored:
                        yield Mutant(path, start[0], kind, number, occurrence)


def _nodes(node: NodeOrLeaf) -> Iterator[NodeOrLeaf]:
    yield node
    for child in getattr(node, "children", ()):
        yield from _nodes(child)


def _is_without_effect(node: NodeOrLeaf) -> bool:
    """Whether a change of it changes no result.

    It is in an annotation, in a signature's marks, for type checkers only, such as what ``cast``
    casts to, or ``@cache``, which only saves time.
    """
    if node.type == "decorator" and node.get_code().strip() == "@cache":
        return True
    child, parent = node, node.parent
    while parent is not None:
        if parent.type in ("tfpdef", "annassign") and child is parent.children[1]:
            return True
        if parent.type == "tfpdef" and child is parent.children[-1]:
            return True
        if parent.type == "parameters" and node.type == "operator":
            return True
        if parent.type == "funcdef" and child is parent.annotation:
            return True
        if parent.type == "if_stmt" and parent.children[1].get_code().strip() == "TYPE_CHECKING":
            return True
        if parent.type == "atom_expr" and parent.children[0].get_code().strip() == "Literal":
            return True
        if parent.type == "expr_stmt" and parent.children[-1].get_code().startswith(
            (" TypeVar(", " Callable[")
        ):
            return True
        if parent.type == "expr_stmt" and parent.children[0].get_code().strip() == "__all__":
            return True
        if parent.type == "arglist" and child is parent.children[0]:
            called = parent.parent.get_previous_sibling()
            if called is not None and called.get_code().strip() == "cast":
                return True
        if parent.type == "argument" and parent.children[0].get_code().strip() in OF_DATACLASSES:
            return True
        if parent.type == "decorated" and "overload" in parent.children[0].get_code():
            return True
        child, parent = parent, parent.parent
    return node.type == "if_stmt" and node.children[1].get_code().strip() == "TYPE_CHECKING"
