"""The conductors in the settings: their hosts, conductor groups and hardware types."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from fake_server.common.setting_error import SettingError

_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}")
_GROUP = re.compile(r"[A-Za-z0-9_.-]{0,255}")


@dataclass(frozen=True, slots=True)
class ConductorHost:
    """A conductor.

    :param hostname: its name.
    :param group: the conductor group of the nodes that it works on; ``""`` for those without one.
    :param hardware_types: those of its nodes; all that are enabled if none is named.
    """

    hostname: str
    group: str = ""
    hardware_types: tuple[str, ...] = ()


def parse(text: str) -> ConductorHost:
    """Return the conductor of ``HOST[:GROUP[:TYPE+TYPE]]``; raise ValueError for another text."""
    parts = text.strip().split(":")
    if len(parts) > 3:
        raise ValueError(f"{text!r} is not HOST, HOST:GROUP or HOST:GROUP:TYPE+TYPE.")
    hostname, group, types = (*parts, "", "")[:3]
    return ConductorHost(hostname, group, tuple(types.split("+")) if types else ())


def checked(
    hosts: tuple[ConductorHost, ...], hardware_types: tuple[str, ...]
) -> tuple[ConductorHost, ...]:
    """Return conductors with their hardware types, and their groups in lower case as in Ironic.

    :param hardware_types: those that are enabled.
    :raises SettingError: for a name that two have or that can't be, a group that can't be, or a
        hardware type that isn't enabled.
    """
    names = [host.hostname for host in hosts]
    if len(set(names)) < len(names) or not all(map(_HOST.fullmatch, names)):
        raise SettingError(
            "conductors",
            "Each conductor needs a name of its own, of letters, digits, '-', '_' and '.', but "
            f"they are: {names}.",
        )
    for host in hosts:
        if not _GROUP.fullmatch(host.group):
            raise SettingError(
                "conductors",
                f"The conductor group {host.group!r} has other characters than letters, digits, "
                "'-', '_' and '.', or more than 255.",
            )
        unknown = [name for name in host.hardware_types if name not in hardware_types]
        if unknown:
            types, are_not = ("types", "aren't") if len(unknown) > 1 else ("type", "isn't")
            raise SettingError(
                "conductors",
                f"The hardware {types} {', '.join(unknown)} of conductor {host.hostname} {are_not} "
                f"enabled: use some of {', '.join(hardware_types)}.",
            )
    return tuple(
        replace(
            host, group=host.group.lower(), hardware_types=host.hardware_types or hardware_types
        )
        for host in hosts
    )
