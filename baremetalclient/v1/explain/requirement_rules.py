"""Rules about what a node needs: valid interfaces, ports, VIFs, volumes, traits and a class."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from baremetalclient._http.redact import is_secret
from baremetalclient.v1.explain.finding import (
    SEVERITIES,
    Placeholder,
    RuleFinding,
    ShellCommand,
    command,
)
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from baremetalclient._resource.resource import Item
    from baremetalclient.v1.explain.facts import Facts
    from baremetalclient.v1.explain.finding import Word
    from baremetalclient.v1.types import Severity

_INTERFACES: Mapping[str, Severity] = {
    "power": "error",
    "management": "error",
    "boot": "warning",
    "deploy": "warning",
    "network": "warning",
    "storage": "warning",
}
"""The severity of an invalid interface; ``info`` for the others."""

_UNSUPPORTED = re.compile("does not support .* \\(disabled or not implemented\\)")
_NO_PORT = "does not have any port associated with it"
_NO_TRAIT = "Cannot specify instance traits that are not also set on the node"
_FAST_TRACK = "Fast track mode must be enabled"

_CONNECTORS: Mapping[str | None, tuple[str, ...]] = {
    "iscsi": ("iqn",),
    "fibre_channel": ("wwpn", "wwnn"),
}
"""The types of volume connectors that the volume targets of a type need."""

_CONNECTABLE = ("enroll", "inspect wait", "manageable")
"""The states in which it may change how ports are connected without maintenance."""

_NOTABLE = 3
"""The length from which on a value is no accident in a message."""

_SWITCHED = ("neutron", "ironic-networking")
"""The network interfaces that configure switches."""


def is_invalid(result: Mapping[str, Any]) -> bool:
    """Return whether the validation of an interface failed, and the interface exists at all."""
    reason = result.get("reason") or ""
    return result.get("result") is False and not _UNSUPPORTED.search(reason)


def unknown_driver_info(facts: Facts) -> Iterator[RuleFinding]:
    """Find keys of ``driver_info`` that look like misspelt ones."""
    given = facts.node.get("driver_info") or {}
    known = list(facts.properties or ())
    for key in given:
        close = get_close_matches(key, [one for one in known if one not in given], n=1, cutoff=0.8)
        if not close or key in known:
            continue
        needed = any(close[0] in reason for reason in _reasons(facts))
        hidden = is_secret(key) or not isinstance(given[key], str)
        option = f"{close[0]}="
        word = Placeholder("VALUE", option) if hidden else option + given[key]
        yield RuleFinding(
            "error" if needed else "warning",
            f"The driver {facts.node.get('driver')!r} knows no key {key!r} of driver_info; did you "
            f"mean {close[0]!r}? Set that, and then unset {key!r}.",
            command=facts.change("node", "set", facts.ident, "--driver-info", word),
        )


def validation(facts: Facts) -> Iterator[RuleFinding]:
    """Find that an interface lacks information."""
    invalid: dict[str, list[str]] = {}
    for name, result in sorted((facts.validation or {}).items()):
        if is_invalid(result):
            invalid.setdefault(result.get("reason") or "", []).append(name)
    for reason, names in invalid.items():
        # Other findings are about these.
        if (_NO_PORT in reason and facts.ports == []) or (
            _NO_TRAIT in reason and _missing_traits(facts)
        ):
            continue
        of_instance = "instance_info" in reason or "image_source" in reason
        main = find_state(facts.state).main
        early = of_instance and (facts.state == "available" or main in ("enroll", "manageable"))
        worst = min((_INTERFACES.get(name, "info") for name in names), key=SEVERITIES.index)
        nova = " Nova gives it with an instance." if of_instance and early else ""
        yield RuleFinding(
            "info" if early else worst,
            f"Ironic can't use the {_enumerated(names)} of the node, because information is "
            f"missing or wrong.{nova}",
            quote=reason or None,
            command=_correction(facts, reason, of_instance=of_instance),
            # Whoever deploys the node says what, and may ask why that is refused.
            is_optional=(early and facts.state != "available")
            or not any(name in _INTERFACES for name in names),
        )


def _correction(facts: Facts, reason: str, *, of_instance: bool) -> ShellCommand:
    """Return the command that sets what an invalid interface needs, or tells what there is to set.

    :param reason: why it is invalid.
    :param of_instance: whether the instance has it, instead of the node.
    """
    words: list[Word] = []
    if _FAST_TRACK in reason:
        words = ["--driver-info", "fast_track=true"]
    option = "--instance-info" if of_instance else "--driver-info"
    for key in _keys_in(reason, facts, of_instance=of_instance) if not words else ():
        words += (option, Placeholder("VALUE", f"{key}="))
    if not words:
        return command("driver", "property", "list", str(facts.node.get("driver")))
    return facts.change("node", "set", facts.ident, *words)


def _keys_in(reason: str, facts: Facts, *, of_instance: bool) -> list[str]:
    """Return the keys that a message is about: those that it names, or whose values it names."""
    listed = re.search(r"\[('[^\]]*)\]", reason)
    keys = re.findall(r"'(?:\w+\.)?(\w+)'", listed[1]) if listed else []
    if of_instance:
        return keys or re.findall(r"'(\w+)'", reason)
    keys = keys or [key for key in facts.properties or () if re.search(rf"\b{key}\b", reason)]
    given = (facts.node.get("driver_info") or {}).items()
    keys = keys or [key for key, value in given if f'"{value}"' in reason]
    words = {key: str(value) for key, value in given if len(str(value)) >= _NOTABLE}
    return keys or [
        key for key, word in words.items() if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", reason)
    ]


def _reasons(facts: Facts) -> list[str]:
    """Return why interfaces of the node are invalid."""
    return [result.get("reason") or "" for result in (facts.validation or {}).values()]


def no_ports(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the node has no ports."""
    if facts.ports == [] and not facts.node.get("parent_node"):
        yield RuleFinding(
            "warning",
            "The node has no ports: it can't boot from a network, and no VIF can be attached to "
            "it.",
            quote=next((reason for reason in _reasons(facts) if _NO_PORT in reason), None),
            command=facts.change("port", "create", "--node", facts.ident, Placeholder("MAC")),
        )


def no_boot_port(facts: Facts) -> Iterator[RuleFinding]:
    """Find that PXE is disabled on all ports."""
    ports = facts.ports or []
    if ports and all(port.get("pxe_enabled") is False for port in ports):
        where = (
            "" if _is_connectable(facts) else " It can be enabled if the node is in maintenance."
        )
        yield RuleFinding(
            "warning",
            f"PXE is disabled on all ports of the node, so it can't boot from a network.{where}",
            command=_connected(facts, ports[:1], "--pxe-enabled"),
        )


def _is_connectable(facts: Facts) -> bool:
    """Return whether it may change now how ports of the node are connected."""
    maintained = bool(facts.node.get("maintenance")) and facts.state != "inspecting"
    return facts.state in _CONNECTABLE or maintained


def _connected(facts: Facts, ports: Sequence[Item], *options: Word) -> ShellCommand:
    """Return the command that changes how ports are connected, in maintenance where it has to be.

    :param options: what is changed.
    """
    usable = not facts.invalid("network")
    first, *others = (
        facts.change("port", "set", facts.called(port), *options, accepted=usable) for port in ports
    )
    if _is_connectable(facts):
        return first.then(*others) if others else first
    enter, leave = (facts.change("node", "maintenance", do, facts.ident) for do in ("set", "unset"))
    return enter.then(first, *others, leave)


def port_without_switch(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the switch of a port is unknown."""
    interface = facts.node.get("network_interface")
    unknown = [
        port
        for port in facts.ports or ()
        if port.get("pxe_enabled") and port.get("local_link_connection") == {}
    ]
    if interface in _SWITCHED and unknown:
        addresses = ", ".join(port["address"] for port in unknown)
        yield RuleFinding(
            "warning",
            f"The network interface is {interface!r}, but ports have no local_link_connection, so "
            f"their switch is not known: {addresses}.",
            command=_connected(
                facts,
                unknown,
                *("--local-link-connection", Placeholder("MAC", "switch_id=")),
                *("--local-link-connection", Placeholder("PORT", "port_id=")),
            ),
        )


def vif_without_port(facts: Facts) -> Iterator[RuleFinding]:
    """Find that VIFs and ports do not fit."""
    if facts.ports is None or facts.portgroups is None:
        return
    alone = {group["uuid"]: group.get("standalone_ports_supported") for group in facts.portgroups}
    places = [
        *facts.portgroups,
        *(port for port in facts.ports if alone.get(port.get("portgroup_uuid"), True)),
    ]
    used = _vifs_of(places)
    # Network interfaces that do not work can't list them.
    attached = [vif["id"] for vif in facts.vifs or ()] + _vifs_of(facts.ports)
    lost = [vif for vif in dict.fromkeys(attached) if vif not in used]
    more = facts.change("port", "create", "--node", facts.ident, Placeholder("MAC"))
    if lost:
        first, *others = (facts.change("node", "vif", "detach", facts.ident, vif) for vif in lost)
        yield RuleFinding(
            "warning",
            "VIFs are attached to the node, but to none of its ports and port groups that can "
            f"have one: {', '.join(lost)}. Detach them, and attach them to another port.",
            command=first.then(*others) if others else first,
        )
    elif used and len(used) >= len(places):
        yield RuleFinding(
            "info",
            "All ports and port groups of the node have a VIF; another VIF needs another port.",
            command=more,
        )


def connector_unmatched(facts: Facts) -> Iterator[RuleFinding]:
    """Find that volume connectors and volume targets do not fit."""
    if facts.connectors is None or facts.targets is None:
        return
    present = {connector["type"] for connector in facts.connectors}
    wanted = {
        type_
        for target in facts.targets
        for type_ in _CONNECTORS.get(target.get("volume_type"), ())
    }
    for type_ in sorted(wanted - present):
        yield RuleFinding(
            "warning",
            f"The node has a volume target that needs a volume connector of type {type_!r}, but "
            "has none.",
            command=facts.change(
                *("volume", "connector", "create", "--node", facts.ident),
                *("--type", type_, "--connector-id", Placeholder(type_.upper())),
            ),
        )
    storage = {type_ for types in _CONNECTORS.values() for type_ in types}
    for type_ in sorted(present & storage - wanted):
        yield RuleFinding(
            "warning" if facts.targets else "info",
            f"The node has a volume connector of type {type_!r}, which fits no volume target.",
            command=facts.change("volume", "attach", Placeholder("VOLUME"), facts.ident),
        )


def trait_missing(facts: Facts) -> Iterator[RuleFinding]:
    """Find that the instance needs traits that the node lacks."""
    missing = _missing_traits(facts)
    if missing:
        yield RuleFinding(
            "warning",
            f"The instance needs traits that the node does not have: {', '.join(missing)}. It "
            "can't be deployed like this.",
            quote=next((reason for reason in _reasons(facts) if _NO_TRAIT in reason), None),
            command=facts.change(
                *("node", "trait", "add", facts.ident, *missing),
                accepted=all(map(str.isupper, missing)),
            ),
        )


def _missing_traits(facts: Facts) -> list[str]:
    """Return the traits that the instance needs and the node lacks, as far as they are known."""
    wanted = (facts.node.get("instance_info") or {}).get("traits")
    traits = facts.node.get("traits")
    if not isinstance(wanted, list) or traits is None:
        return []
    return [str(trait) for trait in wanted if trait not in traits]


def no_resource_class(facts: Facts) -> Iterator[RuleFinding]:
    """Find that neither Nova nor an allocation can choose the node."""
    if facts.node.get("resource_class", "unknown") is None:
        yield RuleFinding(
            "warning",
            "The node has no resource class, so neither Nova nor an allocation can choose it.",
            command=facts.change(
                "node", "set", facts.ident, "--resource-class", Placeholder("CLASS")
            ),
        )


def _vifs_of(places: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the VIFs that ports and port groups have."""
    vifs = ((place.get("internal_info") or {}).get("tenant_vif_port_id") for place in places)
    return [str(vif) for vif in vifs if vif]


def _enumerated(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} interface"
    return f"{', '.join(names[:-1])} and {names[-1]} interfaces"
