"""Changes of nodes that Ironic would refuse, as a table of rules; each says why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from baremetalclient.declare import states

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from baremetalclient.declare.compare import Change, Changes, Path


@dataclass
class Case:
    """A node with its changes.

    :param found: the node as it is; empty for a new one.
    :param owned: its values in the file.
    :param changes: the values to change.
    :param state: the state that it is in, or on its way to.
    :param transitions: the transitions on its way.
    """

    found: Mapping[str, Any]
    owned: Collection[Path]
    changes: Changes
    state: str
    transitions: list[states.Transition]

    @property
    def final(self) -> str:
        """The state that it will be in."""
        return self.transitions[-1].reached if self.transitions else self.state

    @property
    def passed(self) -> set[str]:
        """The states in which it can be changed."""
        return {self.state, *(transition.reached for transition in self.transitions)}

    def after(self, name: str) -> Any:
        """Return the value that a field will have."""
        change = self.changes.get((name,))
        return change.new if change else self.found.get(name)

    def verbs(self) -> set[str]:
        """Return the verbs on its way."""
        return {transition.verb for transition in self.transitions}


Refusal = tuple[list["Path"], str]


def of_transitions(case: Case) -> str | None:
    """Return why a node can't reach its state, None if it can."""
    verbs = case.verbs()
    # Maintenance that the file asks for begins after the deployment.
    stays = case.found.get("maintenance") and ("maintenance",) not in case.owned
    if verbs & {"active", "rebuild"} and stays:
        return "it is in maintenance" + _reason(case.found.get("maintenance_reason"))
    if "deleted" in verbs and case.found.get("protected") and case.after("protected"):
        return "it is protected" + _reason(case.found.get("protected_reason"))
    # A node that is to be retired in another state is retired there.
    ends_available = bool(verbs) and case.final == states.AVAILABLE
    is_provided = "provide" in verbs and case.found.get("retired")
    if (ends_available or is_provided) and case.after("retired"):
        return "it is retired, and a retired node can't become available"
    return None


def no_route(state: str, wanted: str) -> str:
    """Return why there is no way from a state to another."""
    if wanted == states.ENROLL:
        return "Ironic has no way back to enroll"
    if state.endswith(" hold"):
        return f"it is in {state}: continue it with unhold, or abort it"
    return f"Ironic has no safe way from {state} to {wanted}"


def of_changes(case: Case) -> Iterator[Refusal]:
    """Yield the changes that Ironic would refuse in each state on the way, with the reason."""
    for rule in _RULES:
        found = rule(case)
        if found is not None and found[0]:
            yield found


def is_permitted(
    path: Path, change: Change, node: Mapping[str, Any], wanted: Mapping[Path, Any]
) -> bool:
    """Return whether Ironic lets a field be changed in the present state of a node.

    :param path: the field.
    :param change: its change.
    :param node: the node as it is.
    :param wanted: the values that the file owns.
    """
    name, state = path[0], node["provision_state"]
    if name == "driver" or name.endswith("_interface"):
        return state in states.FREE or bool(node["maintenance"])
    if name == "resource_class":
        return state in states.FREE or not change.old
    if name in ("protected", "protected_reason") and wanted.get(("protected",)):
        return state in (states.ACTIVE, "rescue")
    if name in ("retired", "retired_reason") and wanted.get(("retired",)):
        # A retired node can't be provided.
        target = wanted.get(("provision_state",))
        return state != states.AVAILABLE and target in (None, state)
    return True


def _protected(case: Case) -> Refusal | None:
    if case.final in ("active", "rescue") or not case.after("protected"):
        return None
    return _only(case, "protected", "protected_reason"), (
        f"a node can be protected only in active and rescue, and not in {case.final}"
    )


def _retired(case: Case) -> Refusal | None:
    if case.final != states.AVAILABLE or not case.after("retired"):
        return None
    return _only(case, "retired", "retired_reason"), "a node can't be retired in available"


def _reasons(case: Case) -> Refusal | None:
    flags = ("maintenance", "protected", "retired")
    paths = [
        (f"{flag}_reason",)
        for flag in flags
        if case.after(f"{flag}_reason") and not case.after(flag)
    ]
    return (
        [path for path in paths if path in case.changes],
        "Ironic keeps a reason only while what it is for is true",
    )


def _resource_class(case: Case) -> Refusal | None:
    if not case.found.get("resource_class") or case.passed & states.FREE:
        return None
    return _only(case, "resource_class"), (
        f"the resource class can't be changed in {case.state}, only in enroll, manageable and "
        "available"
    )


def _driver(case: Case) -> Refusal | None:
    if not case.found.get("console_enabled"):
        return None
    return _only(case, "driver"), "the driver can't be changed while the console is enabled"


def _vifs(case: Case) -> Refusal | None:
    change = case.changes.get(("vifs",))
    if change is None or not change.new or case.after("network_interface") != "noop":
        return None
    return [("vifs",)], "the network interface noop keeps no VIFs"


def _bios_settings(case: Case) -> Refusal | None:
    paths = _only(case, "bios_settings")
    if not paths:
        return None
    if case.after("bios_interface") == "no-bios":
        return paths, "the BIOS interface no-bios has no settings"
    if states.MANAGEABLE in case.passed or (
        case.state == states.AVAILABLE and ("provision_state",) in case.owned
    ):
        return None
    return paths, (
        "BIOS settings are changed by cleaning in manageable, so the file has to give a "
        "provision_state"
    )


def _only(case: Case, *names: str) -> list[Path]:
    """Return the changes of some fields."""
    return [path for path in case.changes if path[0] in names]


def _reason(text: str | None) -> str:
    return f": {text}" if text else ""


_RULES: tuple[Callable[[Case], Refusal | None], ...] = (
    _protected,
    _retired,
    _reasons,
    _resource_class,
    _driver,
    _vifs,
    _bios_settings,
)
