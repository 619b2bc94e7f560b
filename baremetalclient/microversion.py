"""Versions of the Bare Metal API, and their negotiation.

No requests are sent here. The rules are those of the API reference, section "Microversions"
(https://docs.openstack.org/api-ref/baremetal/#id1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from baremetalclient import exc

_TEXT = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


class Version(NamedTuple):
    """A version of the API, such as 1.67; versions compare by number.

    :param major: the number before the point, 1 for all versions so far.
    :param minor: the number after it.
    """

    major: int
    minor: int

    @classmethod
    def parse(cls, value: VersionLike) -> Version:
        """Return a version from any form in which callers give it.

        :param value: text such as ``"1.67"``, a pair of integers, or a version.
        :raises ValidationError: for anything else, also for floats, since 1.1 and 1.10 are equal.
        """
        if isinstance(value, Version):
            return value
        if isinstance(value, str):
            match = _TEXT.fullmatch(value.strip())
            if match:
                return cls(int(match[1]), int(match[2]))
        elif (
            isinstance(value, tuple)
            and len(value) == 2
            and all(type(number) is int and number >= 0 for number in value)
        ):
            return cls(*value)
        raise exc.ValidationError(
            f"Invalid version {value!r} of the Bare Metal API. Use text, such as '1.67', or a pair "
            "of integers, such as (1, 67)."
        )

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


def v1(minor: int) -> Version:
    """Return version 1.``minor``."""
    return Version(1, minor)


class Feature(NamedTuple):
    """A feature of the API that is not in every version.

    :param name: its name in messages, such as ``node traits``.
    :param since: the first version that has it.
    :param missing: the HTTP status, by method, with which earlier versions respond if it is not
        406.
    """

    name: str
    since: Version
    missing: Mapping[str, int] = MappingProxyType({})


VersionLike: TypeAlias = str | tuple[int, int] | Version
"""A version in any form in which callers give it."""

VersionRequest: TypeAlias = VersionLike | Sequence[VersionLike] | None
"""One version, several acceptable ones, ``"latest"``, or None for the highest that both support;
:data:`IRONICCLIENT` stands for :data:`IRONICCLIENT_DEFAULT`."""

CLIENT_MIN = v1(1)
CLIENT_MAX = v1(115)

IRONICCLIENT = "ironicclient"
"""A name for the version that python-ironicclient requests if a program names none."""
IRONICCLIENT_DEFAULT = v1(9)
"""The version that :data:`IRONICCLIENT` stands for."""


def parse_request(value: VersionRequest) -> tuple[Version, ...]:
    """Return the versions that a caller accepts.

    :param value: one version, a list of acceptable ones, ``"latest"``, ``"ironicclient"`` or None.
    :returns: the versions; empty for the highest that client and server support.
    :raises ValidationError: if there is an invalid version or an empty list.
    """
    if value is None or value == "latest":
        return ()
    if value == IRONICCLIENT:
        return (IRONICCLIENT_DEFAULT,)
    is_pair = isinstance(value, tuple) and bool(value) and all(type(n) is int for n in value)
    if isinstance(value, str | Version) or is_pair or not isinstance(value, Sequence):
        return (Version.parse(value),)  # type: ignore[arg-type]  # parse() checks it
    if not value:
        raise exc.ValidationError(
            "The list of acceptable API versions is empty. Leave it out for the highest version "
            "that client and server know."
        )
    if "latest" in value:
        raise exc.ValidationError(
            "'latest' cannot be one of several acceptable API versions; request it alone."
        )
    return tuple(Version.parse(item) for item in value)  # type: ignore[arg-type]


def negotiate(
    requested: Sequence[Version],
    server_min: Version,
    server_max: Version,
    client_min: Version = CLIENT_MIN,
    client_max: Version = CLIENT_MAX,
) -> Version:
    """Return the version to use.

    :param requested: the acceptable versions; empty for any.
    :param server_min: the lowest version that the server offers.
    :param server_max: the highest version that the server offers.
    :param client_min: the lowest version that the client supports.
    :param client_max: the highest version that the client supports.
    :returns: the highest acceptable version that both support.
    :raises UnsupportedVersion: if there is none.
    """
    lowest, highest = max(server_min, client_min), min(server_max, client_max)
    candidates = [version for version in requested or (highest,) if lowest <= version <= highest]
    if candidates:
        return max(candidates)
    versions = ", ".join(map(str, requested))
    wanted = (
        f"Bare Metal API version{'s' if len(requested) > 1 else ''} {versions}"
        if requested
        else "The latest version of the Bare Metal API"
    )
    advice = (
        f"Request one from {lowest} to {highest}, or 'latest' ({HOW_TO_REQUEST})."
        if lowest <= highest
        else "They have no version in common."
    )
    raise exc.UnsupportedVersion(
        f"{wanted} {'were' if len(requested) > 1 else 'was'} requested. The server offers "
        f"{server_min} to {server_max}, and this client knows {client_min} to {client_max}. "
        f"{advice}",
        version=requested[0] if len(requested) == 1 else None,
        server_range=(server_min, server_max),
    )


HOW_TO_REQUEST = (
    "--os-baremetal-api-version or OS_BAREMETAL_API_VERSION on the command line, "
    "os_ironic_api_version in Python"
)
