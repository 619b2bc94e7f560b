"""What differs between two states, and whether it is only more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.sweep.state import State


class Difference(NamedTuple):
    """A field or a resource that differs.

    :param path: such as ``nodes/rack1/provision_state``, or ``nodes/rack1`` for the whole resource.
    :param expected: the value without a fault; ``None`` if there was none.
    :param found: the value with the fault.
    """

    path: str
    expected: Any
    found: Any

    @property
    def is_addition(self) -> bool:
        """Whether something is there that wasn't, and nothing is missing or changed."""
        return self.expected in (None, False)


def compare(expected: State, found: State) -> Sequence[Difference]:
    """Return what differs between the state without a fault and the one with it."""
    differences = []
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            differences.append(Difference(name, "present", None))
        elif name not in expected:
            differences.append(Difference(name, None, "present"))
        else:
            one, other = expected[name], found[name]
            differences += [
                Difference(f"{name}/{path}", one.get(path), other.get(path))
                for path in sorted(one.keys() | other.keys())
                if one.get(path) != other.get(path)
            ]
    return differences
