"""Which hardware interfaces there are, which are enabled, and which a node gets.

There is one hardware type, ``fake-hardware``; it supports every interface.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.dialects import DIALECTS
from fake_server.baremetal.drivers import agent, boot, console, deploy, fake, in_band, raid, storage
from fake_server.baremetal.drivers.networks.plugin import NetworkDriver

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.baremetal.drivers.base import Interface
    from fake_server.db.store import Record
    from fake_server.settings import Settings

HARDWARE_TYPE = "fake-hardware"
PROVIDERS = "fake_server.network_providers"

#: Interfaces by kind and name, those that are preferred as default first.
INTERFACES: Mapping[str, Mapping[str, type[Interface]]] = MappingProxyType(
    {
        "boot": {"fake": fake.FakeBoot, "ipxe": boot.PXEBoot, "pxe": boot.PXEBoot},
        "deploy": {
            "fake": deploy.FakeDeploy,
            "direct": agent.AgentDeploy,
            "ramdisk": agent.RamdiskDeploy,
            "custom-agent": agent.CustomAgentDeploy,
        },
        "management": {"fake": fake.FakeManagement, "noop": fake.NoopManagement},
        "power": {"fake": fake.FakePower},
        "bios": {"fake": fake.FakeBIOS, "no-bios": fake.NoBIOS},
        "console": {
            "fake": console.FakeConsole,
            "no-console": console.NoConsole,
            "fake-graphical": console.FakeGraphicalConsole,
        },
        "firmware": {"fake": fake.FakeFirmware, "no-firmware": fake.NoFirmware},
        "inspect": {
            "fake": fake.FakeInspect,
            "no-inspect": fake.NoInspect,
            "agent": in_band.AgentInspect,
        },
        "raid": {"fake": raid.FakeRAID, "no-raid": raid.NoRAID, "agent": in_band.AgentRAID},
        "rescue": {
            "fake": fake.FakeRescue,
            "no-rescue": fake.NoRescue,
            "agent": in_band.AgentRescue,
        },
        "storage": {
            "noop": storage.NoopStorage,
            "fake": storage.FakeStorage,
            "cinder": storage.CinderStorage,
            "external": storage.ExternalStorage,
        },
        "vendor": {"fake": fake.FakeVendorB, "no-vendor": fake.NoVendor},
    }
)
#: Every kind of interface; ``network`` has its interfaces from plug-ins.
KINDS = (*INTERFACES, "network")
#: The network interface that is the default where it is enabled.
DEFAULT_NETWORK = "noop"


@dataclass(frozen=True, slots=True)
class Hardware:
    """The interfaces of one node."""

    boot: fake.FakeBoot
    deploy: deploy.DeployInterface
    management: fake.FakeManagement
    network: NetworkDriver
    power: fake.FakePower
    bios: Interface
    console: console.FakeConsole
    firmware: Interface
    inspect: fake.FakeInspect
    raid: raid.FakeRAID
    rescue: fake.FakeRescue
    storage: storage.FakeStorage
    vendor: fake.FakeVendorB

    def interface(self, kind: str) -> Interface:
        """Return the interface of a kind."""
        return getattr(self, kind)  # type: ignore[no-any-return]


def enabled(settings: Settings, kind: str) -> list[str]:
    """Return the names of the enabled interfaces of a kind, in alphabetical order."""
    return sorted(settings.interfaces[kind])


def default(settings: Settings, kind: str) -> str:
    """Return the name of the interface that a node gets if it doesn't name one.

    :raises NoValidDefaultForInterface: if none is enabled.
    """
    names = settings.interfaces[kind]
    if kind == "network" and settings.default_network_provider:
        return settings.default_network_provider
    preferred = [DEFAULT_NETWORK] if kind == "network" else list(INTERFACES[kind])
    for name in [*preferred, *names]:
        if name in names:
            return name
    raise errors.NoValidDefaultForInterface(node_info="", driver=HARDWARE_TYPE, interface_type=kind)


def complete(settings: Settings, node: Record) -> None:
    """Check the interfaces that a node names, and name the defaults for the others.

    :param node: changed in place.
    :raises InterfaceNotFoundInEntrypoint: for an interface that isn't enabled.
    """
    info = node.get("instance_info") or {}
    for kind in KINDS:
        column = f"{kind}_interface"
        named = [name for name in (info.get(column), node.get(column)) if name is not None]
        for name in named:
            _check(settings, kind, name)
        if not named and not (kind == "network" and DIALECTS[settings.dialect].names_providers):
            node[column] = default(settings, kind)


def chosen(settings: Settings, node: Record, kind: str) -> str:
    """Return the name of the interface that a node has in force.

    ``instance_info`` goes before the node's own field, and that before the default.
    """
    column = f"{kind}_interface"
    name = node["instance_info"].get(column, node[column])
    return default(settings, kind) if name is None else str(name)


def load(settings: Settings, node: Record) -> Hardware:
    """Make the interfaces of a node; ``instance_info`` goes before the node's own fields.

    :raises InterfaceNotFoundInEntrypoint: for an interface that isn't enabled.
    """
    complete(settings, node)
    names = {kind: chosen(settings, node, kind) for kind in KINDS}
    for kind, name in names.items():
        _check(settings, kind, name)
    made: dict[str, Any] = {kind: _make(kind, name) for kind, name in names.items()}
    return Hardware(**made)


def check_known(interfaces: Mapping[str, Iterable[str]]) -> None:
    """Check that there is code for all interfaces that are to be enabled.

    :raises ValueError: naming what there is.
    """
    for kind, names in interfaces.items():
        known = sorted(_providers() if kind == "network" else INTERFACES[kind])
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ValueError(
                f"There is no {kind} interface {', '.join(unknown)}: use some of "
                f"{', '.join(known)}."
            )


def check_default(settings: Settings) -> None:
    """Check that the default network provider is one of those that are enabled.

    :raises ValueError: naming these.
    """
    names = settings.interfaces["network"]
    if settings.default_network_provider not in (None, *names):
        raise ValueError(
            f"The default network provider {settings.default_network_provider} isn't enabled: use "
            f"one of {', '.join(names)}, or enable it with --enabled-network-interfaces."
        )


def _check(settings: Settings, kind: str, name: Any) -> None:
    if name not in settings.interfaces[kind]:
        raise errors.InterfaceNotFoundInEntrypoint(
            entrypoint=f"ironic.hardware.interfaces.{kind}",
            iface=name,
            valid=enabled(settings, kind),
        )


@cache
def _make(kind: str, name: str) -> Interface:
    if kind == "network":
        return NetworkDriver(name, _providers()[name]())
    return INTERFACES[kind][name](name)


@cache
def _providers() -> Mapping[str, type]:
    from stevedore import ExtensionManager

    manager: Any = ExtensionManager(PROVIDERS)
    return {extension.name: extension.plugin for extension in manager}
