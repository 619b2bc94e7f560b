"""Where in a file something is, and how it is written there, for messages."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

    import yaml

#: What may follow a key in a place; nothing at its end.
_AFTER_KEYS = ("", ".", "[", " ", ":")


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
        # There may be as many problems as an object has keys: none goes through all of them.
        self._parts = cache(_parts)
        self._keys = cache(_keys)

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

        node = self._node(place)
        if node is None:
            return None
        written = node.value if isinstance(node, yaml.ScalarNode) else None
        return Place(node.start_mark.line + 1, written)

    def key(self, place: str, key: Hashable) -> str:
        """Return how a key that is no text is written in the object at a place."""
        import yaml

        node = self._node(place)
        written = self._keys(node) if isinstance(node, yaml.MappingNode) else {}
        return written.get(key, str(key))

    def _node(self, place: str) -> yaml.Node | None:
        node, rest = self._root, place
        while node is not None and (found := self._inner(node, rest)):
            node, rest = found
        return node

    @cached_property
    def _root(self) -> yaml.Node | None:
        import yaml

        from baremetalclient import _yaml
        from baremetalclient.declare.yaml_format import LabLoader

        if self._text is None:
            return None
        try:
            return _yaml.compose(self._text, LabLoader)
        except yaml.YAMLError:  # JSON that is no YAML, or has more values than YAML may have
            return None

    def _inner(self, node: yaml.Node, place: str) -> tuple[yaml.Node, str] | None:
        """Return the part of a node that a place begins with, and the rest of the place."""
        import yaml

        if isinstance(node, yaml.SequenceNode):
            number, bracket, rest = place.removeprefix("[").partition("]")
            known = bracket and number.isdecimal() and int(number) < len(node.value)
            return (node.value[int(number)], rest) if known else None
        if not isinstance(node, yaml.MappingNode):
            return None
        place = place.removeprefix(".")
        parts, lengths = self._parts(node)
        for length in lengths:
            if place[length : length + 1] in _AFTER_KEYS and (part := parts.get(place[:length])):
                return part, place[length:]
        return None


def _parts(node: yaml.MappingNode) -> tuple[dict[str, yaml.Node], list[int]]:
    """Return the values of an object by the text of the key, and the lengths of keys, falling."""
    import yaml

    parts = {one.value: part for one, part in node.value if isinstance(one, yaml.ScalarNode)}
    return parts, sorted(set(map(len, parts)), reverse=True)


def _keys(node: yaml.MappingNode) -> dict[Hashable, str]:
    """Return how the keys of an object are written."""
    import yaml

    from baremetalclient import _yaml
    from baremetalclient.declare.yaml_format import LabLoader

    construct = LabLoader("").construct_object
    keys = [one for one, _ in reversed(node.value) if isinstance(one, yaml.ScalarNode)]
    return {construct(one): one.value for one in keys if one.tag != _yaml.MERGE}
