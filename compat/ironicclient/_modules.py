"""Import the modules of a package when they are first used as its attributes."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


def importer(package: str, **others: str) -> Callable[[str], ModuleType]:
    """Return the ``__getattr__`` of a package, see PEP 562.

    :param package: its name.
    :param others: the names of modules, by further names for them.
    """

    def import_attribute(name: str) -> ModuleType:
        module = f"{package}.{others.get(name, name)}"
        if name.startswith("_") or find_spec(module) is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(module)

    return import_attribute
