"""The actions with many nodes, by the names of commands, and the states that waits wait for."""

from __future__ import annotations

import inspect
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient import exc
from baremetalclient._bulk.goal import Deleted, PowerGoal, StateGoal
from baremetalclient._bulk.kinds import NODE
from baremetalclient._resource.arguments import refuse_unknown
from baremetalclient.v1 import provision_states

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._bulk.goal import Goal
    from baremetalclient.v1.types import PowerState


def provision_state(
    state: str, instead: Mapping[Any, str] = MappingProxyType({}), *, stable_fails: bool = True
) -> StateGoal:
    """Return the goal that nodes are in a provision state.

    :param instead: states that will do for nodes with a field that is true.
    :param stable_fails: whether nodes in another stable state have failed.
    """
    fields = ("provision_state", "target_provision_state", "last_error", *instead)
    return StateGoal(NODE, repr(state), fields, (state,), instead, stable_fails)


def power_state(state: str) -> PowerGoal:
    """Return the goal that nodes are in a power state and in no transition to another one."""
    fields = ("power_state", "target_power_state", "last_error")
    return PowerGoal(NODE, repr(state), fields, (state,))


DELETED = Deleted(NODE, "deleted", ("provision_state", "last_error"))
"""Nodes are gone."""


class NodeAction(NamedTuple):
    """An action.

    :param method: the method of the manager, which takes a node first; empty for what is no call
        for nodes alone.
    :param arguments: arguments of the method that are part of the action.
    :param goal: what a wait waits for, None if it leads to several states.
    :param interrupts: how it interrupts a machine, or what is lost, in words; empty if it doesn't.
        Whatever takes such an action asks first, unless the user has named the node.
    :param only_in_use: whether it interrupts only machines that are in use.
    """

    method: str
    arguments: Mapping[str, Any] = MappingProxyType({})
    goal: Goal | None = None
    interrupts: str = ""
    only_in_use: bool = False

    def interruption(self, node: Mapping[str, Any]) -> str:
        """Return how it interrupts a node, or what is lost, in words; empty if it doesn't.

        :param node: the fields of the node before it.
        """
        return self.interrupts if is_in_use(node) or not self.only_in_use else ""

    @property
    def state_field(self) -> str:
        """The field for the state of a result."""
        return self.goal.fields[0] if self.goal else "provision_state"

    def check(self, manager: Any, arguments: Mapping[str, Any]) -> None:
        """Raise an exception for arguments that the method does not take, or needs.

        :param manager: the manager of nodes.
        :raises TypeError: naming the argument.
        """
        method = getattr(type(manager), self.method)
        signature = inspect.signature(method)
        _, _, *mine = signature.parameters.values()
        if not any(one.kind is one.VAR_KEYWORD for one in mine):
            known = [one.name for one in mine if one.name not in self.arguments]
            refuse_unknown(f"NodeManager.{self.method}", arguments, known)
        signature.bind(None, None, **self.arguments, **arguments)

    def __call__(self, manager: Any, node: str, arguments: Mapping[str, Any]) -> Any:
        """Act on a node.

        :param manager: the manager of nodes.
        :param node: the UUID or name.
        :param arguments: further arguments of the method.
        """
        return getattr(manager, self.method)(node, **self.arguments, **arguments)


def is_in_use(node: Mapping[str, Any]) -> bool:
    """Return whether an instance is on a node, or about to be; never on one that is new.

    :param node: the fields of the node, none of a new one.
    """
    state = node.get("provision_state")
    is_active = state is not None and provision_states.find_state(state).main == "active"
    is_bound = node.get("target_provision_state") == "active"
    return is_active or is_bound or bool(node.get("instance_uuid"))


def _provision(verb: str, row: provision_states.Verb) -> NodeAction:
    goal = provision_state(row.to, row.instead) if row.to else None
    return NodeAction("set_provision_state", {"state": verb}, goal, interrupts=row.interrupts)


def _power(target: str, reached: PowerState, interrupts: str = "") -> NodeAction:
    goal = power_state(reached)
    return NodeAction("set_power_state", {"state": target}, goal, interrupts, only_in_use=True)


ACTIONS: Mapping[str, NodeAction] = {
    **{verb: _provision(verb, row) for verb, row in provision_states.VERBS.items()},
    "delete": NodeAction("delete", goal=DELETED, interrupts="deletes it"),
    "power on": _power("on", "power on"),
    "power off": _power("off", "power off", "powers off a machine in use"),
    "reboot": _power("reboot", "power on", "reboots a machine in use"),
    "set": NodeAction("update"),
    "unset": NodeAction("update"),
    "unset secrets": NodeAction("", interrupts="empties secrets, which can't be read back"),
    "maintenance set": NodeAction("set_maintenance", {"state": True}),
    "maintenance unset": NodeAction("set_maintenance", {"state": False}),
    "boot device set": NodeAction("set_boot_device"),
    "boot mode set": NodeAction("set_boot_mode"),
    "secure boot on": NodeAction("set_secure_boot", {"state": True}),
    "secure boot off": NodeAction("set_secure_boot", {"state": False}),
    "console enable": NodeAction("set_console_mode", {"enabled": True}),
    "console disable": NodeAction("set_console_mode", {"enabled": False}),
    "inject nmi": NodeAction("inject_nmi", interrupts="interrupts the operating system"),
    "raid config set": NodeAction("set_target_raid_config"),
    "trait add": NodeAction("add_trait"),
    "trait remove": NodeAction("remove_trait"),
    "trait set": NodeAction("set_traits"),
    "vif attach": NodeAction("vif_attach"),
    "vif detach": NodeAction(
        "vif_detach", interrupts="detaches a network from a machine in use", only_in_use=True
    ),
    "volume detach": NodeAction(
        "", interrupts="detaches a volume from a machine in use", only_in_use=True
    ),
    "vmedia attach": NodeAction("vmedia_attach"),
    "vmedia detach": NodeAction("vmedia_detach"),
}
"""The actions: the verbs of the API for provision states, and the words of other commands."""


def find_action(name: str) -> NodeAction:
    """Return an action by its name.

    :raises ValidationError: if there is none.
    """
    action = ACTIONS.get(name) if isinstance(name, str) else None
    if action is None or not action.method:
        known = ", ".join(name for name, row in ACTIONS.items() if row.method)
        raise exc.ValidationError(f"Unknown action {name!r}. Actions: {known}.")
    return action


def goal_of(name: str) -> Goal:
    """Return what a wait after an action waits for.

    :raises ValidationError: if there is no such action, or it leads to several states.
    """
    goal = find_action(name).goal
    if goal is None:
        raise exc.ValidationError(f"There is no single state to wait for after {name!r}.")
    return goal
