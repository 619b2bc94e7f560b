"""Where in a file something is, and how it is written there, for messages."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import yaml


class Place(NamedTuple):
    """A place in a file.

    :param line: the line.
    :param written: the text of a value that is neither a list nor an object, None of others.
    """

    line: int
    written: str | None


class Source:
    """The text of a file; it is looked at again only for messages.

    :param name: the name of the file.
    :param text: what is in it, None for what is from no file.
    """

    def __init__(self, name: str, text: str | None = None) -> None:
        self.name = name
        self._text = text

    def told(self, problem: str) -> str:
        """Return a problem that begins with its place, such as ``nodes[0].name``, in full."""
        found = self.find(problem)
        line = f", line {found.line}" if found else ""
        return f"{self.name}{line}: {problem}"

    def find(self, place: str) -> Place | None:
        """Return what is at a place, None if that isn't known.

        :param place: such as ``nodes[0].ports[1].address``; text after it doesn't matter.
        """
        import yaml

        node, rest = self._root, place
        if node is None:
            return None
        while True:
            found = _inner(node, rest)
            if found is None:
                written = node.value if isinstance(node, yaml.ScalarNode) else None
                return Place(node.start_mark.line + 1, written)
            node, rest = found

    def key(self, place: str, key: object) -> str:
        """Return how a key that is no text is written in the object at a place."""
        import yaml

        from baremetalclient.declare.yaml_format import LabLoader

        node, rest = self._root, place
        while node is not None and (found := _inner(node, rest)):
            node, rest = found
        for one, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            loader = LabLoader("")
            if isinstance(one, yaml.ScalarNode) and loader.construct_object(one) == key:
                return str(one.value)
        return str(key)

    @cached_property
    def _root(self) -> yaml.Node | None:
        import yaml

        from baremetalclient.declare.yaml_format import LabLoader

        if self._text is None:
            return None
        try:
            return yaml.compose(self._text, LabLoader)
        except yaml.YAMLError:  # JSON that is no YAML
            return None


def _inner(node: yaml.Node, place: str) -> tuple[yaml.Node, str] | None:
    """Return the part of a node that a place begins with, and the rest of the place."""
    import yaml

    if isinstance(node, yaml.SequenceNode):
        number, bracket, rest = place.removeprefix("[").partition("]")
        known = bracket and number.isdecimal() and int(number) < len(node.value)
        return (node.value[int(number)], rest) if known else None
    if not isinstance(node, yaml.MappingNode):
        return None
    place = place.removeprefix(".")
    matching = [
        (one.value, part)
        for one, part in node.value
        if isinstance(one, yaml.ScalarNode) and _begins(place, one.value)
    ]
    if not matching:
        return None
    key, part = max(matching, key=lambda pair: len(pair[0]))
    return part, place.removeprefix(key)


def _begins(place: str, key: str) -> bool:
    return place == key or place.startswith((f"{key}.", f"{key}[", f"{key} ", f"{key}:"))
