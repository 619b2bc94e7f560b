"""The options of Ironic, with their defaults."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def options(_directory: Path) -> Iterator[str]:
    """Yield a line for each option of Ironic's own: section, name and default."""
    package = import_module("ironic.conf")
    for found in iter_modules(package.__path__):
        import_module(f"ironic.conf.{found.name}")
    from ironic.conf import opts

    known = {}
    for section, listed in opts.list_opts():
        for option in listed:
            # What depends on the machine has a sample.
            default = option.default if option.sample_default is None else option.sample_default
            known[f"[{section or 'DEFAULT'}]{option.name}"] = default
    for name in sorted(known):
        yield f"{name} = {_shown(known[name])}"


def _shown(default: Any) -> str:
    return repr(sorted(default.items()) if isinstance(default, dict) else default)
