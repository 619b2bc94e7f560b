"""Names of the hardware interfaces: which there are, which are enabled, and which a node gets.

There is one hardware type, ``fake-hardware``; it supports every interface. Their classes are in
:mod:`.drivers.registry`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.dialects import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.settings import Settings

HARDWARE_TYPE = "fake-hardware"

#: Names of the interfaces by kind, those that are preferred as default first. More network
#: interfaces can come from plug-ins.
INTERFACES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "boot": ("fake", "ipxe", "pxe"),
        "deploy": ("fake", "direct", "ramdisk", "custom-agent"),
        "management": ("fake", "noop"),
        "power": ("fake",),
        "bios": ("fake", "no-bios"),
        "console": ("fake", "no-console", "fake-graphical"),
        "firmware": ("fake", "no-firmware"),
        "inspect": ("fake", "no-inspect", "agent"),
        "raid": ("fake", "no-raid", "agent"),
        "rescue": ("fake", "no-rescue", "agent"),
        "storage": ("noop", "fake", "cinder", "external"),
        "vendor": ("fake", "no-vendor"),
        "network": ("noop",),
    }
)
KINDS = tuple(INTERFACES)


def enabled(settings: Settings, kind: str) -> list[str]:
    """Return the names of the enabled interfaces of a kind, in alphabetical order."""
    return sorted(settings.interfaces[kind])


def default(settings: Settings, kind: str) -> str:
    """Return the default interface; raise InvalidParameterValue if none is enabled."""
    names = settings.interfaces[kind]
    if kind == "network" and settings.default_network_provider:
        return settings.default_network_provider
    for name in [*INTERFACES[kind], *names]:
        if name in names:
            return name
    raise errors.InvalidParameterValue(
        f"For hardware type '{HARDWARE_TYPE}', no default value found for {kind} interface could "
        "be determined. Please ensure the interfaces are enabled."
    )


def set_defaults(settings: Settings, node: Record) -> None:
    """Check the interfaces that a node names, and name the defaults for the others.

    :param node: changed in place.
    :raises InterfaceNotFoundInEntrypoint: for an interface that isn't enabled.
    """
    info = node.get("instance_info") or {}
    for kind in KINDS:
        column = f"{kind}_interface"
        named = [name for name in (info.get(column), node.get(column)) if name is not None]
        for name in named:
            check_enabled(settings, kind, name)
        if not named and not (kind == "network" and DIALECTS[settings.dialect].names_providers):
            node[column] = default(settings, kind)


def name_of(settings: Settings, node: Record, kind: str) -> str:
    """Return the name of the interface that a node uses.

    ``instance_info`` goes before the node's own field, and that before the default.
    """
    column = f"{kind}_interface"
    name = node["instance_info"].get(column, node[column])
    return default(settings, kind) if name is None else str(name)


def check_enabled(settings: Settings, kind: str, name: Any) -> None:
    """Raise :class:`.errors.InterfaceNotFoundInEntrypoint` if an interface isn't enabled."""
    if name not in settings.interfaces[kind]:
        raise errors.InterfaceNotFoundInEntrypoint(
            entrypoint=f"ironic.hardware.interfaces.{kind}",
            iface=name,
            valid=enabled(settings, kind),
        )


def check_default_network(settings: Settings) -> None:
    """Raise :class:`ValueError` if the default network provider isn't enabled."""
    names = settings.interfaces["network"]
    if settings.default_network_provider not in (None, *names):
        raise ValueError(
            f"The default network provider {settings.default_network_provider} isn't enabled: use "
            f"one of {', '.join(names)}, or enable it with --enabled-network-interfaces."
        )
