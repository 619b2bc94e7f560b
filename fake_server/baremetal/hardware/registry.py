"""Which hardware interfaces there are, which are enabled, and which a node gets.

There is one hardware type, ``fake-hardware``; it supports every interface.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .. import errors
from . import agent, boot, deploy, fake, in_band, raid, storage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...settings import Settings
    from ...store import Record
    from ..networks.base import NetworkProvider
    from .base import Interface

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
        "console": {"fake": fake.FakeConsole, "no-console": fake.NoConsole},
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
    deploy: deploy.FakeDeploy
    management: fake.FakeManagement
    network: NetworkProvider
    power: fake.FakePower
    bios: Interface
    console: fake.FakeConsole
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
        if not named:
            node[column] = default(settings, kind)


def load(settings: Settings, node: Record) -> Hardware:
    """Make the interfaces of a node; ``instance_info`` goes before the node's own fields.

    :raises InterfaceNotFoundInEntrypoint: for an interface that isn't enabled.
    """
    complete(settings, node)
    info = node["instance_info"]
    names = {kind: info.get(f"{kind}_interface", node[f"{kind}_interface"]) for kind in KINDS}
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


def _check(settings: Settings, kind: str, name: Any) -> None:
    if name not in settings.interfaces[kind]:
        raise errors.InterfaceNotFoundInEntrypoint(
            entrypoint=f"ironic.hardware.interfaces.{kind}",
            iface=name,
            valid=enabled(settings, kind),
        )


@cache
def _make(kind: str, name: str) -> Interface:
    found = _providers()[name] if kind == "network" else INTERFACES[kind][name]
    return found(name)


@cache
def _providers() -> Mapping[str, type[Interface]]:
    from stevedore import ExtensionManager

    manager: Any = ExtensionManager(PROVIDERS)
    return {extension.name: extension.plugin for extension in manager}
