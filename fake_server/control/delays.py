"""The delays of transitions: for all, for each kind of transition, and for single nodes."""

from __future__ import annotations

import warnings
from random import Random
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.conductor.due.registry import DELAYS
from fake_server.baremetal.conductor.work import OUTCOMES
from fake_server.baremetal.tables import nodes
from fake_server.common import timing
from fake_server.common.rest import known
from fake_server.control.faults import FaultWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fake_server.common.timing import Timing
    from fake_server.control.state import ControlState
    from fake_server.db.store import Record, Transaction

#: The states in which transitions can end.
STATES = frozenset().union(*OUTCOMES.values())
_PARTS = ("default", "transitions", "nodes", "seed")


class Delays:
    """The delays in force.

    :param ordinary: the delay of transitions that have none of their own; see
        :mod:`fake_server.common.timing`.
    :param seed: the seed of what is drawn at random; by default, the database has one.
    :raises ValueError: for an invalid delay.
    """

    def __init__(self, state: ControlState, ordinary: float | str, seed: int | None) -> None:
        self._state = state
        self._seed = seed
        _check("delay", ordinary)
        self._ordinary = ordinary
        #: Gives the reasons why the delays of some nodes are no node's now; see :mod:`.unmatched`.
        self.reasons: Callable[[Iterable[str]], list[str]] = lambda _: []

    def show(self) -> dict[str, Any]:
        """Return the delays: ``default``, those of ``transitions``, and those of ``nodes``.

        With them comes the ``seed`` of what is drawn at random.
        """
        others: dict[str, Any] = {"default": self._ordinary, "transitions": {}, "nodes": {}}
        return {**others, "seed": self.seed, **self._state.delays}

    @property
    def seed(self) -> int:
        """The seed of what is drawn at random."""
        usual = self._state.seed if self._seed is None else self._seed
        found: int = self._state.delays.get("seed", usual)
        return found

    @property
    def are_drawn(self) -> bool:
        """Whether any delay in force is drawn at random."""
        delays = self.show()
        groups = (delays["transitions"], *delays["nodes"].values())
        found = [delays["default"], *(value for group in groups for value in group.values())]
        return not all(timing.parse(value).is_fixed for value in found)

    @property
    def ordinary(self) -> Timing:
        """The delay that the server was started with."""
        return timing.parse(self._ordinary)

    def generator(self, tx: Transaction, node: Record) -> Random:
        """Return the generator of what is drawn next for a node.

        It depends on the seed, on what the node is called, and on how much was drawn for it before:
        not on what happens to other nodes in the meantime.
        """
        query = sa.select(nodes.c.delays_drawn).where(nodes.c.id == node["id"])
        number = tx.scalar(query)
        tx.update_row(nodes, node["id"], {"delays_drawn": number + 1})
        return self.generator_of(f"{node['name'] or node['uuid']} {number}")

    def generator_of(self, name: str) -> Random:
        """Return the generator of what is drawn for something else, by its name."""
        return Random(f"{self.seed} {name}")  # noqa: S311 - no secrets

    def set(
        self,
        *,
        default: float | str | None = None,
        transitions: Mapping[str, float | str] | None = None,
        nodes: Mapping[str, Mapping[str, float | str]] | None = None,
        seed: int | None = None,
    ) -> None:
        """Set all delays; those that aren't given are as the server was started.

        A step or another transition that has begun takes as long as before. Names of nodes that
        there aren't now cause a :class:`~fake_server.control.faults.FaultWarning`.

        Each is a number of seconds, or drawn at random as :mod:`fake_server.common.timing` says.

        :param default: the delay of transitions that have none of their own.
        :param transitions: delays by transition, one of :data:`DELAYS`.
        :param nodes: the same for nodes, by UUID or name; ``default`` is for the others of a node.
        :param seed: the seed of what is drawn.
        :raises ValueError: for an invalid delay.
        """
        self._set(default, transitions, nodes, seed)
        for reason in self.reasons(nodes or ()):
            warnings.warn(reason, FaultWarning, stacklevel=2)

    def replace(self, values: Mapping[str, Any]) -> list[str]:
        """Set all delays as :meth:`show` shows them.

        :returns: the reasons why some can't apply to any node now.
        :raises ValueError: for an invalid delay.
        """
        self._set(**{**dict.fromkeys(_PARTS), **known(values, _PARTS)})
        return self.reasons(values.get("nodes") or ())

    def _set(self, default: Any, transitions: Any, nodes: Any, seed: Any) -> None:
        delays: dict[str, Any] = {}
        if default is not None:
            delays["default"] = _check("default", default)
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int):
                raise ValueError(f"seed has to be an integer, not {seed!r}.")
            delays["seed"] = seed
        if transitions:
            delays["transitions"] = _checked("transitions", transitions, DELAYS)
        if nodes:
            if not isinstance(nodes, dict):
                raise ValueError("nodes has to be an object: delays by UUID or name.")
            delays["nodes"] = {
                node: _checked(f"nodes.{node}", values, ("default", *DELAYS))
                for node, values in nodes.items()
            }
        self._state.change(lambda _: None, delays=delays)

    def of(self, node: Record, transition: str) -> Timing:
        """Return the delay of a transition of a node."""
        delays = self._state.delays
        of_nodes = delays.get("nodes", {})
        own = of_nodes.get(node["uuid"]) or of_nodes.get(node["name"]) or {}
        common = delays.get("transitions", {})
        for values, name in ((own, transition), (own, "default"), (common, transition)):
            if name in values:
                return timing.parse(values[name])
        return timing.parse(delays.get("default", self._ordinary))


def _checked(place: str, values: Any, names: tuple[str, ...]) -> dict[str, float | str]:
    if not isinstance(values, dict):
        raise ValueError(f"{place} has to be an object: seconds by {', '.join(names)}.")
    return {name: _check(f"{place}.{name}", value) for name, value in known(values, names).items()}


def _check(place: str, value: Any) -> float | str:
    """Return a delay as it is stored; raise ValueError for an invalid one."""
    try:
        found = timing.parse(value) if isinstance(value, str | int | float) else None
    except ValueError as exc:
        raise ValueError(f"{place} {exc}.") from None
    if found is None or isinstance(value, bool):
        raise ValueError(f"{place} has to be {timing.FORMS}, not {value!r}.")
    unknown = [state for _, state in found.outcomes if state not in STATES]
    if unknown:
        raise ValueError(
            f"{place} has the outcome {unknown[0]!r}: use some of {', '.join(sorted(STATES))}."
        )
    return value if isinstance(value, str) else float(value)
