"""What Ironic would refuse of a plan, and why: changes of nodes and their parts, removals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from baremetalclient.declare import transitions
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from baremetalclient.declare.compare import Change, Changes, Path
    from baremetalclient.declare.lab import LabItem
    from baremetalclient.declare.live import Found, Live


OFF = "power off"
VOLUMES = ("volume_connectors", "volume_targets")
SETTLED = frozenset(
    {
        *("address", "portgroup_uuid", "pxe_enabled", "local_link_connection"),
        *("physical_network", "standalone_ports_supported", "mode"),
    }
)
"""Fields of ports and port groups that Ironic changes only in some states, or in maintenance."""

_UNIQUE = {"ports": ("address", "name"), "portgroups": ("name", "address")}
_VIF_KEYS = tuple(
    f"{kind}_vif_port_id"
    for kind in ("tenant", "cleaning", "provisioning", "rescuing", "inspection", "servicing")
)


@dataclass
class Case:
    """A node with its changes.

    :param found: the node as it is; empty for a new one.
    :param owned: its values in the file.
    :param state: the state that it is in, or on its way to.
    :param transitions: the transitions on its way.
    """

    found: Mapping[str, Any]
    owned: Collection[Path]
    changes: Changes
    state: str
    transitions: list[transitions.Transition]

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

    def changes_of(self, *names: str) -> list[Path]:
        """Return the changes of some fields."""
        return [path for path in self.changes if path[0] in names]


Refusal = tuple[list["Path"], str]


def of_transitions(case: Case) -> str | None:
    """Return why a node can't reach its state, None if it can."""
    verbs = {transition.verb for transition in case.transitions}
    # Maintenance that the file asks for begins after the deployment.
    stays = case.found.get("maintenance") and ("maintenance",) not in case.owned
    if verbs & {"active", "rebuild"} and stays:
        return "it is in maintenance" + _reason(case.found.get("maintenance_reason"))
    if "deleted" in verbs and case.found.get("protected") and case.after("protected"):
        return "it is protected" + _reason(case.found.get("protected_reason"))
    # A node that is to be retired in another state is retired there.
    ends_available = bool(verbs) and case.final == transitions.AVAILABLE
    is_provided = "provide" in verbs and case.found.get("retired")
    if (ends_available or is_provided) and case.after("retired"):
        return "it is retired, and a retired node can't become available"
    return None


def no_route(state: str, wanted: str) -> str:
    """Return why there is no way from a state to another."""
    if wanted == transitions.ENROLL:
        return "Ironic has no way back to enroll"
    if find_state(state).kind == "on hold":
        return f"it is in {state}: continue it with unhold, or abort it"
    return f"Ironic has no safe way from {state} to {wanted}"


def of_changes(case: Case) -> Iterator[Refusal]:
    """Yield the changes that Ironic would refuse in each state on the way, with the reason."""
    if case.final not in ("active", "rescue") and case.after("protected"):
        yield (
            case.changes_of("protected", "protected_reason"),
            f"a node can be protected only in active and rescue, and not in {case.final}",
        )
    if case.final == transitions.AVAILABLE and case.after("retired"):
        yield (
            case.changes_of("retired", "retired_reason"),
            "a node can't be retired in available",
        )
    for flag in ("maintenance", "protected", "retired"):
        if case.after(f"{flag}_reason") and not case.after(flag):
            yield (
                case.changes_of(f"{flag}_reason"),
                "Ironic keeps a reason only while what it is for is true",
            )
    if case.found.get("resource_class") and not case.passed & transitions.FREE:
        yield (
            case.changes_of("resource_class"),
            f"the resource class can't be changed in {case.state}, only in enroll, manageable and "
            "available",
        )
    if case.found.get("console_enabled"):
        yield (
            case.changes_of("driver"),
            "the driver can't be changed while the console is enabled",
        )
    if case.after("vifs") and case.after("network_interface") == "noop":
        yield case.changes_of("vifs"), "the network interface noop keeps no VIFs"
    if case.after("bios_interface") == "no-bios":
        yield case.changes_of("bios_settings"), "the BIOS interface no-bios has no settings"
    elif transitions.MANAGEABLE not in case.passed and not (
        case.state == transitions.AVAILABLE and ("provision_state",) in case.owned
    ):
        yield (
            case.changes_of("bios_settings"),
            "BIOS settings are changed by cleaning in manageable, so the file has to give a "
            "provision_state",
        )


def is_permitted(
    path: Path, change: Change, node: Mapping[str, Any], wanted: Mapping[Path, Any]
) -> bool:
    """Return whether Ironic lets a field be changed in the present state of a node."""
    name, state = path[0], node["provision_state"]
    if name == "driver" or name.endswith("_interface"):
        return state in transitions.FREE or bool(node["maintenance"])
    if name == "resource_class":
        return state in transitions.FREE or not change.old
    if name in ("protected", "protected_reason") and wanted.get(("protected",)):
        return state in (transitions.ACTIVE, "rescue")
    if name in ("retired", "retired_reason") and wanted.get(("retired",)):
        # A retired node can't be provided.
        target = wanted.get(("provision_state",))
        return state != transitions.AVAILABLE and target in (None, state)
    return True


def of_resource(
    item: LabItem, found: Found | None, changes: Changes, node: Found | None, live: Live
) -> tuple[str | None, list[Path]]:
    """Return why something can't be created or changed, and which of the changes.

    :param found: the resource as it is; None for a new one.
    :param node: the node that it belongs to, as it is.
    """
    key = item.kind.key
    if found is None:
        for name in _UNIQUE.get(key, ()):
            other = live.by(key, item.fields.get(name), name)
            if other is not None:
                reason = f"{item.kind.name} {other['uuid']} already has this {name}"
                return reason, list(changes)
        return None, []
    fixed = [path for path in changes if path[0] in (*item.kind.fixed, "node_uuid", "uuid")]
    if key == "allocations" and fixed:
        return f"it can't be changed after the {item.kind.name} was created", fixed
    if ("uuid",) in changes:
        return f"the UUID can't be changed; it is {found['uuid']}", [("uuid",)]
    if ("sensitive",) in changes and found.get("sensitive"):
        return "an inspection rule stays sensitive", [("sensitive",)]
    if key in VOLUMES and changes and node and item.node and _stays_on(live, item.node, node):
        return _powered_on(node), list(changes)
    return None, []


def of_removal(key: str, found: Found, owner: LabItem, node: Found, live: Live) -> str | None:
    """Return why a resource of a node can't be removed, None if it can."""
    info = found.get("internal_info") or {}
    vif = next((info[name] for name in _VIF_KEYS if info.get(name)), None)
    if key in ("ports", "portgroups") and vif:
        return f"the VIF {vif} is attached to it"
    if key in VOLUMES and _stays_on(live, owner, node):
        return _powered_on(node)
    return None


def of_deletion(node: Found) -> str | None:
    """Return why a node that no file names is kept, None if it can be deleted."""
    if node.get("instance_uuid"):
        return f"it has the instance {node['instance_uuid']}"
    state = node["provision_state"]
    if state in ("active", "rescue"):
        return f"it is in {state}"
    if find_state(state).kind in ("working", "waiting", "on hold"):
        return f"it is in {state}, which is not a stable state"
    return "it is protected" if node.get("protected") else None


def _stays_on(live: Live, item: LabItem, node: Found) -> bool:
    """Return whether a machine in use is powered on, and the file doesn't power it off."""
    state, wanted = transitions.bound_for(node), live.wanted(item)
    in_use = state not in transitions.DELETABLE and wanted.get(("provision_state",)) not in (
        transitions.MANAGEABLE,
        transitions.AVAILABLE,
    )
    return in_use and node.get("power_state") != OFF and wanted.get(("power_state",)) != OFF


def _powered_on(node: Found) -> str:
    return (
        f"the node is in {node['provision_state']} and {node['power_state']}; Ironic changes its "
        "volume connectors and targets only while it is powered off"
    )


def _reason(text: str | None) -> str:
    return f": {text}" if text else ""
