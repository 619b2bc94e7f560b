"""The actions that can be done with many nodes, by the names that commands have for them."""

from __future__ import annotations

import inspect
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient import exc
from baremetalclient._resource.arguments import CALL_OPTIONS, refuse_unknown
from baremetalclient.v1.node import NodeManager
from baremetalclient.v1.node.goals import (
    EXPECTED_POWER_STATES,
    Deleted,
    PowerStateReached,
    ProvisionStateReached,
)
from baremetalclient.v1.provision_states import VERBS as PROVISION_VERBS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._bulk.action import Goal
    from baremetalclient.v1.provision_states import ProvisionVerb


class Verb(NamedTuple):
    """An action.

    :param method: the method of the manager, which takes a node first.
    :param arguments: arguments of the method that are part of the action.
    :param goal: what a wait waits for, None if it leads to several states.
    """

    method: str
    arguments: Mapping[str, Any] = MappingProxyType({})
    goal: Goal | None = None

    @property
    def state_field(self) -> str:
        """The field for the state of a result."""
        is_power = isinstance(self.goal, PowerStateReached)
        return "power_state" if is_power else "provision_state"

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Raise an exception for arguments that the method does not take, or needs.

        :raises TypeError: naming the argument.
        """
        method = getattr(NodeManager, self.method)
        signature = inspect.signature(method)
        if "call" in signature.parameters:
            mine = [name for name in signature.parameters if name not in ("self", "call")][1:]
            known = [*(name for name in mine if name not in self.arguments), *CALL_OPTIONS]
            refuse_unknown(f"NodeManager.{self.method}", arguments, known)
        signature.bind(None, None, **self.arguments, **arguments)

    def __call__(self, manager: NodeManager, node: str, arguments: Mapping[str, Any]) -> Any:
        """Act on a node.

        :param manager: the manager of nodes.
        :param node: the UUID or name.
        :param arguments: further arguments of the method.
        """
        return getattr(manager, self.method)(node, **self.arguments, **arguments)


def _provision(verb: ProvisionVerb) -> Verb:
    reached = PROVISION_VERBS[verb].to
    goal = ProvisionStateReached(reached) if reached else None
    return Verb("set_provision_state", {"state": verb}, goal)


def _power(target: str) -> Verb:
    goal = PowerStateReached(EXPECTED_POWER_STATES[target])
    return Verb("set_power_state", {"state": target}, goal)


VERBS: Mapping[str, Verb] = {
    **{verb: _provision(verb) for verb in PROVISION_VERBS},
    "delete": Verb("delete", goal=Deleted()),
    "power on": _power("on"),
    "power off": _power("off"),
    "reboot": _power("reboot"),
    "set": Verb("update"),
    "unset": Verb("update"),
    "maintenance set": Verb("set_maintenance", {"state": True}),
    "maintenance unset": Verb("set_maintenance", {"state": False}),
    "boot device set": Verb("set_boot_device"),
    "boot mode set": Verb("set_boot_mode"),
    "secure boot on": Verb("set_secure_boot", {"state": True}),
    "secure boot off": Verb("set_secure_boot", {"state": False}),
    "console enable": Verb("set_console_mode", {"enabled": True}),
    "console disable": Verb("set_console_mode", {"enabled": False}),
    "inject nmi": Verb("inject_nmi"),
    "trait add": Verb("add_trait"),
    "trait remove": Verb("remove_trait"),
    "trait set": Verb("set_traits"),
    "vif attach": Verb("vif_attach"),
    "vif detach": Verb("vif_detach"),
    "vmedia attach": Verb("vmedia_attach"),
    "vmedia detach": Verb("vmedia_detach"),
}
"""The actions: the verbs of the API for provision states, and the words of other commands."""


def find_verb(name: str) -> Verb:
    """Return an action by its name.

    :raises ValidationError: if there is none.
    """
    try:
        return VERBS[name]
    except (KeyError, TypeError):
        raise exc.ValidationError(
            f"Unknown action {name!r}. Actions: {', '.join(VERBS)}."
        ) from None
