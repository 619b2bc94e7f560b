"""Client SDK and OpenStackClient plugin for OpenStack Bare Metal (Ironic).

``client``, ``exc`` and ``exceptions``, which is another name of ``exc``, are imported when they are
first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from baremetalclient import client, exc
    from baremetalclient import exc as exceptions

    __version__: str

__all__ = ["__version__", "client", "exc", "exceptions"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    from importlib import import_module

    return import_module(f"{__name__}.{'exc' if name == 'exceptions' else name}")
