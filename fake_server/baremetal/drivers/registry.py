"""The classes of the hardware interfaces, and those of one node."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import interfaces
from fake_server.baremetal.drivers import agent, boot, console, deploy, fake, in_band, raid, storage
from fake_server.baremetal.drivers.networks.plugin import NetworkDriver

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.baremetal.drivers.base import Interface
    from fake_server.db.store import Record
    from fake_server.settings import Settings

PROVIDERS = "fake_server.network_providers"

#: Interfaces by kind and name; network interfaces come from plug-ins.
_CLASSES: Mapping[str, Mapping[str, type[Interface]]] = MappingProxyType(
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


@dataclass(frozen=True, slots=True)
class Driver:
    """The hardware interfaces of one node."""

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


def load(settings: Settings, node: Record) -> Driver:
    """Return the interfaces of a node; raise InterfaceNotFoundInEntrypoint for a disabled one."""
    interfaces.set_defaults(settings, node)
    names = {kind: interfaces.name_of(settings, node, kind) for kind in interfaces.KINDS}
    for kind, name in names.items():
        interfaces.check_enabled(settings, kind, name)
    made: dict[str, Any] = {kind: _instance(kind, name) for kind, name in names.items()}
    return Driver(**made)


def check_known(enabled: Mapping[str, Iterable[str]]) -> None:
    """Raise ValueError if an interface to be enabled has no class, naming those that have."""
    for kind, names in enabled.items():
        known = sorted(_providers() if kind == "network" else _CLASSES[kind])
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ValueError(
                f"There is no {kind} interface {', '.join(unknown)}: use some of "
                f"{', '.join(known)}."
            )


@cache
def _instance(kind: str, name: str) -> Interface:
    if kind == "network":
        return NetworkDriver(name, _providers()[name]())
    return _CLASSES[kind][name](name)


@cache
def _providers() -> Mapping[str, type]:
    from stevedore import ExtensionManager

    manager: Any = ExtensionManager(PROVIDERS)
    return {extension.name: extension.plugin for extension in manager}
