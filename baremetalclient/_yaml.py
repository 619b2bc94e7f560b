"""YAML in which duplicate keys, and what is too long, too deep or without end, are refused."""

from __future__ import annotations

from typing import Any

import yaml

from baremetalclient._nesting import MOST_LEVELS

MOST_VALUES = 1_000_000
"""How many values a document may have, and how many its aliases may repeat in all."""

MERGE = "tag:yaml.org,2002:merge"
_DEEP = f"it is nested more than {MOST_LEVELS} levels deep"
_SEVERAL = (
    "it has several documents: put the one after '---' in a file of its own, or leave out the '---'"
)


class Refused(yaml.MarkedYAMLError):
    """A text is YAML, and is refused all the same; the reason is a sentence."""

    def __init__(self, problem: str, mark: Any) -> None:
        super().__init__(None, None, problem, mark)


def load(text: str, loader: type[Any] | None = None) -> Any:
    """Return what a text of YAML says.

    :param loader: a subclass of :class:`Loader`.
    :raises yaml.YAMLError: if it is not YAML, or refused.
    """
    try:
        _check_events(text, loader or Loader)
    except yaml.MarkedYAMLError as error:
        # It looks ahead, and may come to its own limit first.
        if error.problem == "exceeded maximum nesting depth":
            raise Refused(_DEEP, error.problem_mark) from None
        raise
    return yaml.load(text, loader or Loader)  # noqa: S506 - it is a safe loader


def compose(text: str, loader: type[Any]) -> yaml.Node | None:
    """Return the nodes of a text of YAML, which know their lines; raise as :func:`load`."""
    _check_events(text, loader)
    node: yaml.Node | None = yaml.compose(text, loader)
    return node


def _check_events(text: str, loader: type[Any]) -> None:
    depth = documents = values = 0
    # The parser of libyaml would recurse until its stack overflows, which ends the process.
    for event in yaml.parse(text, loader):
        # A value takes 10 µs and 400 bytes on its way.
        values += isinstance(event, yaml.NodeEvent)
        if values > MOST_VALUES:
            problem = f"it has more than {MOST_VALUES:,} values, which only valid JSON may have"
            raise Refused(problem, event.start_mark)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MOST_LEVELS:
                raise Refused(_DEEP, event.start_mark)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise Refused(_SEVERAL, event.start_mark)


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The fastest safe loader that is installed."""

    def get_single_node(self) -> Any:
        """Return the document before it is made into objects, checked."""
        node = super().get_single_node()
        if node is not None:
            _Check().size(node)
        return node


class _Check:
    """Checks all parts of a document once."""

    def __init__(self) -> None:
        self._sizes: dict[yaml.Node, int | None] = {}
        self._repeated = 0

    def size(self, node: yaml.Node) -> int:
        """Return how many values a node stands for."""
        if isinstance(node, yaml.ScalarNode):
            return 1
        if node not in self._sizes:
            self._sizes[node] = None  # as long as its own parts are looked at
            self._sizes[node] = 1 + sum(map(self.size, _parts(node)))
        else:
            self._repeated += self._sizes[node] or MOST_VALUES + 1
            if self._repeated > MOST_VALUES:
                problem = f"aliases repeat more than {MOST_VALUES:,} values"
                raise Refused(problem, node.start_mark)
        return self._sizes[node] or 0


def _parts(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    lines: dict[tuple[str, str], int] = {}
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode) and key.tag != MERGE:
            line = lines.get((key.tag, key.value))
            if line is not None:
                problem = f"the key {key.value!r} is there twice, first in line {line}"
                raise Refused(problem, key.start_mark)
            lines[key.tag, key.value] = key.start_mark.line + 1
    return [part for pair in node.value for part in pair]
