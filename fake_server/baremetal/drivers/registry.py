"""The classes of the hardware interfaces, and those of one node."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import interfaces
from fake_server.baremetal.drivers import (
    agent,
    anaconda,
    ansible,
    autodetect,
    boot,
    bootc,
    console,
    deploy,
    fake,
    in_band,
    ipmi,
    management,
    raid,
    redfish,
    redfish_configuration,
    redfish_raid,
    redfish_vendor,
    storage,
    vendor,
    virtual_media,
)
from fake_server.baremetal.drivers.networks.plugin import NetworkDriver
from fake_server.baremetal.hardware_types import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.baremetal.drivers.base import Interface
    from fake_server.db.store import Record
    from fake_server.settings import Settings

PROVIDERS = "fake_server.network_providers"
#: Texts about the properties of ``driver_info``, in groups.
_TEXTS = Path(__file__).with_name("driver_properties.json")

#: Interfaces by kind and name; network interfaces come from plug-ins.
_CLASSES: Mapping[str, Mapping[str, type[Interface]]] = MappingProxyType(
    {
        "boot": {
            "fake": fake.FakeBoot,
            "ipxe": boot.IPXEBoot,
            "pxe": boot.PXEBoot,
            "http-ipxe": boot.IPXEHttpBoot,
            "http": boot.HttpBoot,
            "redfish-virtual-media": virtual_media.VirtualMediaBoot,
            "idrac-redfish-virtual-media": virtual_media.VirtualMediaBoot,
            "redfish-https": virtual_media.HttpsBoot,
        },
        "deploy": {
            "fake": deploy.FakeDeploy,
            "direct": agent.AgentDeploy,
            "ramdisk": agent.RamdiskDeploy,
            "custom-agent": agent.CustomAgentDeploy,
            "anaconda": anaconda.AnacondaDeploy,
            "ansible": ansible.AnsibleDeploy,
            "autodetect": autodetect.AutodetectDeploy,
            "bootc": bootc.BootcDeploy,
            "noop": deploy.NoopDeploy,
        },
        "management": {
            "fake": management.FakeManagement,
            "noop": management.NoopManagement,
            "redfish": redfish.RedfishManagement,
            "idrac-redfish": redfish.IdracManagement,
            "ipmitool": ipmi.IPMIManagement,
            "intel-ipmitool": ipmi.IntelIPMIManagement,
        },
        "power": {
            "fake": fake.FakePower,
            "agent": ipmi.AgentPower,
            "redfish": redfish.RedfishPower,
            "idrac-redfish": redfish.RedfishPower,
            "ipmitool": ipmi.IPMIPower,
        },
        "bios": {
            "fake": fake.FakeBIOS,
            "no-bios": fake.NoBIOS,
            "redfish": redfish_configuration.RedfishBIOS,
            "idrac-redfish": redfish_configuration.RedfishBIOS,
        },
        "console": {
            "fake": console.FakeConsole,
            "no-console": console.NoConsole,
            "fake-graphical": console.FakeGraphicalConsole,
            "redfish-graphical": console.RedfishGraphicalConsole,
            "ipmitool-socat": ipmi.IPMIConsole,
        },
        "firmware": {
            "fake": fake.FakeFirmware,
            "no-firmware": fake.NoFirmware,
            "redfish": redfish_configuration.RedfishFirmware,
        },
        "inspect": {
            "fake": fake.FakeInspect,
            "no-inspect": fake.NoInspect,
            "agent": in_band.AgentInspect,
            "redfish": redfish.RedfishInspect,
            "idrac-redfish": redfish.RedfishInspect,
        },
        "raid": {
            "fake": raid.FakeRAID,
            "no-raid": raid.NoRAID,
            "agent": in_band.AgentRAID,
            "redfish": redfish_raid.RedfishRAID,
            "idrac-redfish": redfish_raid.IdracRAID,
        },
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
        "vendor": {
            "fake": vendor.FakeVendorB,
            "no-vendor": vendor.NoVendor,
            "redfish": redfish_vendor.RedfishVendor,
            "idrac-redfish": redfish_vendor.RedfishVendor,
            "ipmitool": ipmi.IPMIVendor,
        },
    }
)


@dataclass(frozen=True, slots=True)
class Driver:
    """The hardware interfaces of one node."""

    boot: fake.FakeBoot
    deploy: deploy.DeployInterface
    management: management.ManagementInterface
    network: NetworkDriver
    power: fake.FakePower
    bios: Interface
    console: console.FakeConsole
    firmware: Interface
    inspect: fake.FakeInspect
    raid: raid.FakeRAID
    rescue: fake.FakeRescue
    storage: storage.FakeStorage
    vendor: vendor.VendorInterface

    def interface(self, kind: str) -> Interface:
        """Return the interface of a kind."""
        return getattr(self, kind)  # type: ignore[no-any-return]


def load(settings: Settings, node: Record) -> Driver:
    """Return the interfaces of a node; raise InvalidParameterValue for one that it can't have."""
    interfaces.set_defaults(settings, node)
    names = {kind: interfaces.name_of(settings, node, kind) for kind in KINDS}
    for kind, name in names.items():
        interfaces.check(settings, node["driver"], kind, name)
    made: dict[str, Any] = {kind: _instance(kind, name) for kind, name in names.items()}
    return Driver(**made)


def properties(settings: Settings, driver: str) -> dict[str, str]:
    """Return by name what the default interfaces of a hardware type say of ``driver_info``."""
    found: dict[str, str] = {}
    for kind in KINDS:
        name = interfaces.find_default(settings, driver, kind)
        if kind != "network" and name is not None:
            for group in _CLASSES[kind][name].properties:
                found |= _texts()[group]
    return found


def check_known(enabled: Mapping[str, Iterable[str]]) -> None:
    """Raise ValueError if an interface to be enabled has no class, naming those that have."""
    for kind, names in enabled.items():
        present = known(kind)
        unknown = [name for name in names if name not in present]
        if unknown:
            raise ValueError(
                f"There is no {kind} interface {', '.join(unknown)}: use some of "
                f"{', '.join(present)}."
            )


def known(kind: str) -> list[str]:
    """Return the interfaces of a kind that have a class."""
    return sorted(_providers() if kind == "network" else _CLASSES[kind])


@cache
def _instance(kind: str, name: str) -> Interface:
    if kind == "network":
        return NetworkDriver(name, _providers()[name]())
    return _CLASSES[kind][name](name)


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = json.loads(_TEXTS.read_text())
    return found


@cache
def _providers() -> Mapping[str, type]:
    from stevedore import ExtensionManager

    manager: Any = ExtensionManager(PROVIDERS)
    return {extension.name: extension.plugin for extension in manager}
