"""The hardware types of Ironic 39, and which hardware interfaces each supports.

Others come from packages: an entry point of the group ``fake_server.hardware_types`` is a class
with those of Ironic's ``supported_KIND_interfaces`` in which it differs from generic hardware.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Names = Mapping[str, tuple[str, ...]]

FAKE_HARDWARE = "fake-hardware"
#: The group of entry points for hardware types of others.
GROUP = "fake_server.hardware_types"


@dataclass(frozen=True, slots=True)
class HardwareType:
    """A hardware type.

    :param python_class: the name of its class in Ironic, which errors show.
    :param interfaces: the names of the interfaces that it supports by kind, the preferred first.
    :param accepts_any: whether its nodes may have interfaces that it doesn't support.
    """

    python_class: str
    interfaces: Names
    accepts_any: bool = False


_PXE = ("ipxe", "pxe", "http-ipxe", "http")
_CONSOLE = ("no-console", "fake-graphical")
_DEPLOY = ("autodetect", "direct", "ansible", "ramdisk", "anaconda", "bootc", "custom-agent")
#: What all types but ``fake-hardware`` support.
_GENERIC: Names = {
    "boot": _PXE,
    "deploy": _DEPLOY,
    "management": (),
    "power": (),
    "bios": ("no-bios",),
    "console": _CONSOLE,
    "firmware": ("no-firmware",),
    "inspect": ("agent", "no-inspect"),
    "raid": ("no-raid", "agent"),
    "rescue": ("no-rescue", "agent"),
    "storage": ("noop", "cinder", "external"),
    "vendor": ("no-vendor",),
    "network": ("flat", "neutron", "ironic-networking", "noop"),
}
KINDS = tuple(_GENERIC)
_REDFISH: Names = {
    **_GENERIC,
    "boot": (*_PXE, "redfish-virtual-media", "redfish-https"),
    "management": ("redfish", "noop"),
    "power": ("redfish",),
    "bios": ("redfish", "no-bios"),
    "console": ("redfish-graphical", "ipmitool-socat", *_CONSOLE),
    "firmware": ("redfish", "no-firmware"),
    "inspect": ("redfish", "agent", "no-inspect"),
    "raid": ("redfish", "no-raid", "agent"),
    "vendor": ("redfish", "no-vendor"),
}
_IPMI: Names = {
    **_GENERIC,
    "management": ("ipmitool", "noop"),
    "power": ("ipmitool",),
    "console": ("ipmitool-socat", *_CONSOLE),
    "vendor": ("ipmitool", "no-vendor"),
}

TYPES: Mapping[str, HardwareType] = {
    FAKE_HARDWARE: HardwareType(
        "FakeHardware",
        {
            **_GENERIC,
            "boot": ("fake", *_PXE),
            "deploy": ("fake", *_DEPLOY),
            "management": ("fake",),
            "power": ("fake",),
            "bios": ("fake", "no-bios"),
            "console": ("fake", *_CONSOLE),
            "firmware": ("fake", "no-firmware"),
            "inspect": ("fake", "agent", "no-inspect"),
            "raid": ("fake", "no-raid", "agent"),
            "rescue": ("fake", "no-rescue", "agent"),
            "storage": ("fake", "noop", "cinder", "external"),
            "vendor": ("fake", "no-vendor"),
        },
        accepts_any=True,
    ),
    "idrac": HardwareType(
        "IDRACHardware",
        {
            **_REDFISH,
            "boot": (*_PXE, "idrac-redfish-virtual-media", "redfish-https"),
            "management": ("idrac-redfish",),
            "power": ("idrac-redfish", "redfish"),
            "bios": ("idrac-redfish", "redfish", "no-bios"),
            "inspect": ("idrac-redfish", "agent", "no-inspect"),
            "raid": ("idrac-redfish", "no-raid", "agent"),
            "vendor": ("idrac-redfish", "redfish", "no-vendor"),
        },
    ),
    "intel-ipmi": HardwareType("IntelIPMIHardware", {**_IPMI, "management": ("intel-ipmitool",)}),
    "ipmi": HardwareType("IPMIHardware", _IPMI),
    "manual-management": HardwareType(
        "ManualManagementHardware",
        {
            **_GENERIC,
            "deploy": (*_DEPLOY, "noop"),
            "management": ("noop", "fake"),
            "power": ("agent", "fake"),
        },
    ),
    "redfish": HardwareType("RedfishHardware", _REDFISH),
}

#: The interfaces that ``fake-hardware`` brings with it.
ENABLED_INTERFACES: Names = {
    "bios": ("fake", "no-bios"),
    "boot": ("fake",),
    "console": ("fake", "no-console"),
    "deploy": ("fake",),
    "firmware": ("fake", "no-firmware"),
    "inspect": ("fake", "no-inspect"),
    "management": ("fake",),
    "network": ("noop", "flat"),
    "power": ("fake",),
    "raid": ("fake", "no-raid"),
    "rescue": ("fake", "no-rescue"),
    "storage": ("fake", "noop", "external", "cinder"),
    "vendor": ("fake", "no-vendor"),
}
#: Kinds whose interfaces don't depend on the hardware.
_SHARED = ("network", "storage")
#: What only an option enables.
_ON_REQUEST = frozenset({"autodetect", "ansible", "fake-graphical", "redfish-graphical"})


def named(name: str) -> HardwareType | None:
    """Return a hardware type of Ironic or of an installed package.

    :raises ValueError: if the package lists an interface that has no name.
    """
    return TYPES.get(name) or (_installed(name) if name in packaged() else None)


@cache
def packaged() -> tuple[str, ...]:
    """Return the names of the hardware types that come from packages."""
    return tuple(sorted(entry_points(group=GROUP).names))


@cache
def _installed(name: str) -> HardwareType:
    (found,) = {*entry_points(group=GROUP, name=name)}
    hardware = found.load()()
    interfaces = {
        kind: tuple(_name_of(kind, item) for item in items)
        for kind in KINDS
        if (items := getattr(hardware, f"supported_{kind}_interfaces", None)) is not None
    }
    return HardwareType(type(hardware).__name__, {**_GENERIC, **interfaces})


def _name_of(kind: str, item: Any) -> str:
    """Return the name of an interface, which a hardware type lists by name or as Ironic's class."""
    if isinstance(item, str):
        return item
    value = f"{item.__module__}:{item.__qualname__}"
    group = f"ironic.hardware.interfaces.{kind}"
    for point in entry_points(group=group):
        if point.value == value:
            return point.name
    raise ValueError(f"The {kind} interface {value} is no entry point of {group}: list its name.")


def types_with(interfaces: Names) -> tuple[str, ...]:
    """Return the hardware types that have at least one interface of each kind.

    :param interfaces: the enabled interfaces of some kinds; of the others all are.
    """
    return tuple(
        name
        for name, found in TYPES.items()
        if all(
            kind in _SHARED or not {*found.interfaces[kind]}.isdisjoint(names)
            for kind, names in interfaces.items()
        )
    )


def enabled_interfaces(types: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return by kind the interfaces that are enabled with hardware types unless options say more.

    :param types: names of hardware types.
    """
    found = {
        kind: list(names if kind in _SHARED or FAKE_HARDWARE in types else ())
        for kind, names in ENABLED_INTERFACES.items()
    }
    for name in types:
        if name == FAKE_HARDWARE:
            continue
        hardware = named(name)
        for kind, supported in hardware.interfaces.items() if hardware else ():
            if kind not in _SHARED:
                found[kind] += (item for item in supported if item not in _ON_REQUEST)
    return {kind: tuple(dict.fromkeys(names)) for kind, names in found.items()}
