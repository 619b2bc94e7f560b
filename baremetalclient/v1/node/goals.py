"""What a wait for nodes waits for, and when it has failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from baremetalclient._bulk.fetcher import has_failed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient.v1.node import Node
    from baremetalclient.v1.types import PowerState

EXPECTED_POWER_STATES: Mapping[str, PowerState] = {
    "on": "power on",
    "off": "power off",
    "reboot": "power on",
}
"""The power state in which each request for power ends."""


@dataclass(frozen=True)
class Verdict:
    """What the present state of a node means for a wait.

    :param done: whether the goal is reached; otherwise it has failed.
    :param reason: why it has failed.
    """

    done: bool
    reason: str = ""


class Goal(Protocol):
    """What a wait waits for."""

    @property
    def description(self) -> str:
        """What it is, such as ``'manageable'``."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of nodes that the verdict depends on."""

    def verdict(self, node: Node | None) -> Verdict | None:
        """Return what the state of a node means, None to go on waiting.

        :param node: the node with these fields, None if it is gone.
        """


_GONE = Verdict(done=False, reason="there is no such node any more")


@dataclass(frozen=True)
class _StateReached:
    state: str

    @property
    def description(self) -> str:
        """The state in quotes."""
        return repr(self.state)


class ProvisionStateReached(_StateReached):
    """Nodes are in a provision state; another stable state is a failure.

    :param state: the state.
    """

    fields = ("provision_state", "target_provision_state", "last_error")

    def verdict(self, node: Node | None) -> Verdict | None:
        """Return what the state of a node means."""
        if node is None:
            return _GONE
        if node.provision_state == self.state:
            return Verdict(done=True)
        if has_failed(node.provision_state) or not node.target_provision_state:
            reason = node.last_error or f"it did not become {self.state!r}"
            return Verdict(done=False, reason=reason)
        return None


class PowerStateReached(_StateReached):
    """Nodes are in a power state and in no transition to another one.

    :param state: the state.
    """

    fields = ("power_state", "target_power_state", "last_error")

    def verdict(self, node: Node | None) -> Verdict | None:
        """Return what the state of a node means."""
        if node is None:
            return _GONE
        reached = node.power_state == self.state and not node.target_power_state
        return Verdict(done=True) if reached else None


class Deleted:
    """Nodes are gone."""

    description = "deleted"
    fields = ("provision_state", "last_error")

    def verdict(self, node: Node | None) -> Verdict | None:
        """Return what the state of a node means."""
        return Verdict(done=True) if node is None else None
