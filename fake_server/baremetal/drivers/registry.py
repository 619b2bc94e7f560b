"""The known hardware interfaces, and those of one node."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import drivers, interfaces
from fake_server.baremetal.drivers.base import Driver
from fake_server.baremetal.drivers.networks.plugin import NetworkDriver
from fake_server.baremetal.hardware_types import KINDS
from fake_server.common.setting_error import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.db.store import Record
    from fake_server.settings import Settings

PROVIDERS = "fake_server.network_providers"
#: Texts about the properties of ``driver_info``, in groups.
_TEXTS = Path(__file__).with_name("driver_properties.json")


def load(settings: Settings, node: Record) -> Driver:
    """Return the interfaces of a node; raise InvalidParameterValue for one that it can't have."""
    interfaces.set_defaults(settings, node)
    names = {kind: interfaces.name_of(settings, node, kind) for kind in KINDS}
    for kind, name in names.items():
        interfaces.check(settings, node["driver"], kind, name)
    made: dict[str, Any] = {kind: _known()[kind][name] for kind, name in names.items()}
    return Driver(**made)


def properties(settings: Settings, driver: str) -> dict[str, str]:
    """Return by name what the default interfaces of a hardware type say of ``driver_info``."""
    found: dict[str, str] = {}
    for kind in KINDS:
        name = interfaces.find_default(settings, driver, kind)
        if kind != "network" and name is not None:
            for group in _known()[kind][name].properties:
                found |= _texts()[group]
    return found


def check_known(enabled: Mapping[str, Iterable[str]]) -> None:
    """Raise SettingError if an interface to be enabled has no class, naming those that have."""
    for kind, names in enabled.items():
        present = known(kind)
        unknown = [name for name in names if name not in present]
        if unknown:
            raise SettingError(
                f"interfaces.{kind}",
                f"There is no {kind} interface {', '.join(unknown)}: use some of "
                f"{', '.join(present)}.",
            )


def known(kind: str) -> list[str]:
    """Return the interfaces of a kind that have a class."""
    return sorted(_known()[kind])


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = json.loads(_TEXTS.read_text())
    return found


@cache
def _known() -> Mapping[str, Mapping[str, Any]]:
    """Return the interfaces of the modules of this package, and of network providers."""
    from stevedore import ExtensionManager

    for module in iter_modules(drivers.__path__):
        import_module(f"{drivers.__name__}.{module.name}")
    manager: Any = ExtensionManager(PROVIDERS)
    for provider in manager:
        interfaces.register("network", NetworkDriver(provider.name, provider.plugin()))
    return interfaces.KNOWN
