"""Hardware interfaces by their names: the known and enabled ones, and those that a node gets.

:mod:`.hardware_types` has those that each hardware type supports; the classes in :mod:`.drivers`
register theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from fake_server.baremetal import errors
from fake_server.baremetal.dialects import DIALECTS
from fake_server.baremetal.hardware_types import KINDS, HardwareType, named
from fake_server.common.setting_error import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.settings import Settings

#: The interfaces that are the default of every hardware type where they are enabled.
_DEFAULTS: Mapping[str, str] = {"network": "noop", "storage": "noop"}


#: The known interfaces by kind and name.
KNOWN: dict[str, dict[str, Described]] = {kind: {} for kind in KINDS}
#: Ironic shows the address of the object in the memory of its process.
_ADDRESS = "0x7f0000000000"


class Described(Protocol):
    """What is known of an interface.

    :ivar name: the name under which it is enabled.
    :ivar python_class: its class in Ironic, below ``ironic.drivers.modules``.
    """

    name: str
    python_class: str


def register(kind: str, interface: Described) -> None:
    """Make an interface known."""
    KNOWN[kind][interface.name] = interface


def hardware(settings: Settings, driver: str) -> HardwareType:
    """Return an enabled hardware type; for one that is like another, the other."""
    found = named(settings.added_hardware_types.get(driver, driver))
    if found is None:
        raise KeyError(driver)
    return found


def supports(settings: Settings, driver: str, kind: str, name: str) -> bool:
    """Return whether a hardware type supports an interface; network interfaces suit all types."""
    return kind == "network" or name in hardware(settings, driver).interfaces[kind]


def enabled(settings: Settings, driver: str, kind: str) -> list[str]:
    """Return the enabled interfaces that a hardware type supports, in alphabetical order."""
    return sorted(
        name for name in settings.interfaces[kind] if supports(settings, driver, kind, name)
    )


def find_default(settings: Settings, driver: str, kind: str) -> str | None:
    """Return the default interface of a hardware type, if one is enabled."""
    names = settings.interfaces[kind]
    if kind == "network" and settings.default_network_provider:
        return settings.default_network_provider
    preferred = [_DEFAULTS.get(kind), *hardware(settings, driver).interfaces[kind]]
    if kind == "network":
        preferred += names
    return next((name for name in preferred if name in names), None)


def default(settings: Settings, driver: str, kind: str) -> str:
    """Return the default interface; raise InvalidParameterValue if none is enabled."""
    name = find_default(settings, driver, kind)
    if name is None:
        raise errors.InvalidParameterValue(
            f"For hardware type '{driver}', no default value found for {kind} interface could be "
            "determined. Please ensure the interfaces are enabled."
        )
    return name


def set_defaults(settings: Settings, node: Record) -> None:
    """Check the interfaces that a node names, and name the defaults for the others.

    :param node: changed in place.
    :raises InvalidParameterValue: for an interface that isn't enabled, or that the node's hardware
        type doesn't support.
    """
    info = node.get("instance_info") or {}
    for kind in KINDS:
        column = f"{kind}_interface"
        named = [name for name in (info.get(column), node.get(column)) if name is not None]
        for name in named:
            check(settings, node["driver"], kind, name)
        if not named and not (kind == "network" and DIALECTS[settings.dialect].names_providers):
            node[column] = default(settings, node["driver"], kind)


def name_of(settings: Settings, node: Record, kind: str) -> str:
    """Return the name of the interface that a node uses.

    ``instance_info`` goes before the node's own field, and that before the default.
    """
    column = f"{kind}_interface"
    name = node["instance_info"].get(column, node[column])
    return default(settings, node["driver"], kind) if name is None else str(name)


def check(settings: Settings, driver: str, kind: str, name: Any) -> None:
    """Check that a node may have an interface.

    :param driver: the hardware type of the node.
    :raises InterfaceNotFoundInEntrypoint: if the interface isn't enabled.
    :raises IncompatibleInterface: if the hardware type doesn't support it.
    """
    if name not in settings.interfaces[kind]:
        raise errors.InterfaceNotFoundInEntrypoint(
            entrypoint=f"ironic.hardware.interfaces.{kind}",
            iface=name,
            valid=sorted(settings.interfaces[kind]),
        )
    if not hardware(settings, driver).accepts_any and not supports(settings, driver, kind, name):
        raise errors.IncompatibleInterface(
            kind=kind,
            implementation=f"<ironic.drivers.modules.{KNOWN[kind][name].python_class} "
            f"object at {_ADDRESS}>",
            hardware_type=hardware(settings, driver).python_class,
        )


def check_settings(settings: Settings) -> None:
    """Check that the settings fit together.

    :raises SettingError: if a hardware type lacks an enabled interface, or the default network
        provider isn't enabled.
    """
    names = settings.interfaces["network"]
    if settings.default_network_provider not in (None, *names):
        others = f"use one of {', '.join(names)}, or " if names else ""
        raise SettingError(
            "default_network_provider",
            f"The default network provider {settings.default_network_provider} isn't enabled: "
            f"{others}enable it with --enabled-network-interfaces.",
        )
    for driver in settings.hardware_types:
        for kind in KINDS:
            if find_default(settings, driver, kind) is None:
                supported = ", ".join(hardware(settings, driver).interfaces[kind])
                raise SettingError(
                    "hardware_types",
                    f"The hardware type {driver} has no enabled {kind} interface: enable one of "
                    f"{supported} with --enabled-{kind}-interfaces.",
                )
