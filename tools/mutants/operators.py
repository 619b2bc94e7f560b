"""The small faults that mutants have: those of cosmic-ray, and some that it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import parso
from cosmic_ray.operators import (
    binary_operator_replacement,
    boolean_replacer,
    break_continue,
    comparison_operator_replacement,
    exception_replacer,
    number_replacer,
    remove_decorator,
    unary_operator_replacement,
    zero_iteration_for_loop,
)
from cosmic_ray.operators.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from parso.tree import NodeOrLeaf

    Position = tuple[tuple[int, int], tuple[int, int]]

# What only saves memory, and what keeps programmers from a mistake that mypy finds, too.
OF_DATACLASSES = ("slots", "frozen")
_SWAPPED_COMPARISONS = {"Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_GtE"}
_SWAPPED_COMPARISONS |= {"Is_IsNot", "IsNot_Is", "Gt_LtE"}
_SWAPPED_BINARY = {"Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Mul", "Mod_Div"}
_SWAPPED_UNARY = {"Delete_Not", "USub_UAdd"}


class _Own(Operator):
    """An operator that cosmic-ray lacks."""

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[Position]:
        for start, end in self.places(node):
            yield start.start_pos, end.end_pos

    def places(self, node: NodeOrLeaf) -> Iterator[tuple[NodeOrLeaf, NodeOrLeaf]]:
        """First and last node of each place that can be changed."""
        raise NotImplementedError


def _put(old: NodeOrLeaf, code: str) -> None:
    siblings = old.parent.children
    siblings[siblings.index(old)] = parso.parse(old.get_first_leaf().prefix + code)


class DeleteStatement(_Own):
    """Leave out one statement."""

    def places(self, node: NodeOrLeaf) -> Iterator[tuple[NodeOrLeaf, NodeOrLeaf]]:
        if node.type == "simple_stmt":
            statement = node.children[0]
            annotation = statement.type == "expr_stmt" and statement.children[1].type == "annassign"
            bare = annotation and len(statement.children[1].children) < 4
            # Assertions are for type checkers here.
            imported = statement.type in ("import_name", "import_from", "assert_stmt")
            empty = statement.type in ("keyword", "string") or statement.get_code().strip() == "..."
            control = statement.type == "keyword" and statement.value in ("break", "continue")
            if (not bare and not imported and not empty) or control:
                yield statement, statement

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        _put(node.children[0], "pass")
        return node


class LeaveOutArgument(_Own):
    """Leave out a keyword argument, or the last of several positional ones."""

    def places(self, node: NodeOrLeaf) -> Iterator[tuple[NodeOrLeaf, NodeOrLeaf]]:
        for argument in self._arguments(node):
            yield argument, argument

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        argument = list(self._arguments(node))[index]
        siblings = argument.parent.children
        at = siblings.index(argument)
        followed = at + 1 < len(siblings) and siblings[at + 1].get_code().strip() == ","
        del siblings[at : at + 2 if followed else at + 1]
        return node

    @staticmethod
    def _arguments(node: NodeOrLeaf) -> Iterator[NodeOrLeaf]:
        if node.type != "trailer" or node.children[0].value != "(":
            return
        held = node.children[1:-1]
        if held and held[0].type == "arglist":
            held = held[0].children
        given = [each for each in held if each.get_code().strip() != ","]
        for number, argument in enumerate(given):
            named = argument.type == "argument" and argument.children[1].get_code().strip() == "="
            if named and argument.children[0].value in OF_DATACLASSES:
                continue
            last = number == len(given) - 1 and number and argument.type != "argument"
            if named or last:
                yield argument


class ReplaceReturnValue(_Own):
    """Return None instead of a value."""

    def places(self, node: NodeOrLeaf) -> Iterator[tuple[NodeOrLeaf, NodeOrLeaf]]:
        if node.type == "return_stmt" and node.children[1].get_code().strip() != "None":
            yield node.children[1], node.children[-1]

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        _put(node.children[1], "None")
        return node


class DropBranch(_Own):
    """Never take the branch of an ``if`` or of ``x if y else z``, or always."""

    CONSTANTS: ClassVar = ("False", "True")

    def places(self, node: NodeOrLeaf) -> Iterator[tuple[NodeOrLeaf, NodeOrLeaf]]:
        for condition in self._conditions(node):
            for _ in self.CONSTANTS:
                yield condition, condition

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        condition = list(self._conditions(node))[index // len(self.CONSTANTS)]
        _put(condition, self.CONSTANTS[index % len(self.CONSTANTS)])
        return node

    @staticmethod
    def _conditions(node: NodeOrLeaf) -> Iterator[NodeOrLeaf]:
        if node.type == "if_stmt":
            for before, condition in zip(node.children, node.children[1:], strict=False):
                if before.type == "keyword" and before.value in ("if", "elif"):
                    yield condition
        elif node.type in ("ternary", "test") and len(node.children) == 5:
            yield node.children[2]
        elif node.type in ("comp_if", "sync_comp_if"):
            yield node.children[1]


class ReplaceString(_Own):
    """Change a string."""

    def places(self, node: NodeOrLeaf) -> Iterator[tuple[NodeOrLeaf, NodeOrLeaf]]:
        if node.type == "string" and node.parent.type != "simple_stmt":
            yield node, node

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        quote = node.value.lstrip("rbRBuU")[0]
        prefix, _, rest = node.value.partition(quote)
        marks = quote * 3 if rest.startswith(quote * 2) and len(rest) > 2 else quote
        node.value = f"{prefix}{marks}XX{rest[len(marks) - 1 :]}"
        return node


class SwapMembership(_Own):
    """Replace ``in`` by ``not in``, and the other way round."""

    def places(self, node: NodeOrLeaf) -> Iterator[tuple[NodeOrLeaf, NodeOrLeaf]]:
        if node.type == "comparison" and node.children[1].get_code().split() in (
            ["in"],
            ["not", "in"],
        ):
            yield node.children[1], node.children[1]

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        present = node.children[1].get_code().split() == ["in"]
        _put(node.children[1], "not in" if present else "in")
        return node


def _chosen(module: Any, wanted: set[str]) -> list[Operator]:
    return [made() for made in module.operators() if made.__name__.split("_", 1)[1] in wanted]


# The kind of fault, and what makes it.
OPERATORS: dict[str, list[Operator]] = {
    "comparison": [
        *_chosen(comparison_operator_replacement, _SWAPPED_COMPARISONS),
        SwapMembership(),
    ],
    "arithmetic": [
        *_chosen(binary_operator_replacement, _SWAPPED_BINARY),
        *_chosen(unary_operator_replacement, _SWAPPED_UNARY - {"Delete_Not"}),
    ],
    "number": [number_replacer.NumberReplacer()],
    "true or false": [
        boolean_replacer.ReplaceTrueWithFalse(),
        boolean_replacer.ReplaceFalseWithTrue(),
    ],
    "string": [ReplaceString()],
    "and or": [boolean_replacer.ReplaceAndWithOr(), boolean_replacer.ReplaceOrWithAnd()],
    "not": [boolean_replacer.AddNot(), *_chosen(unary_operator_replacement, {"Delete_Not"})],
    "branch": [DropBranch()],
    "statement": [DeleteStatement()],
    "argument": [LeaveOutArgument()],
    "return": [ReplaceReturnValue()],
    "flow": [
        break_continue.ReplaceBreakWithContinue(),
        break_continue.ReplaceContinueWithBreak(),
        exception_replacer.ExceptionReplacer(),
        remove_decorator.RemoveDecorator(),
        zero_iteration_for_loop.ZeroIterationForLoop(),
    ],
}
