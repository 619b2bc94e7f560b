"""Microversions of Nova, Cinder and Placement: which one a request is for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from fake_server.common.errors import BadRequest, NotAcceptable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Request

HEADER = "OpenStack-API-Version"
_VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
#: Stands for what a version doesn't have.
ABSENT: Any = object()


class Since(NamedTuple):
    """What there is since a minor version.

    :param before: what there is in older ones, which may be another :class:`Since`.
    """

    minor: int
    value: Any
    before: Any = ABSENT


def at(minor: int, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a minor version has of values, some of which are :class:`Since`."""
    found = {}
    for name, value in values.items():
        while isinstance(value, Since):
            value = value.value if minor >= value.minor else value.before
        if value is not ABSENT:
            found[name] = value
    return found


def throughout(minor: int, value: Any) -> Any:
    """Return what a minor version has of a value, in which there may be :class:`Since` anywhere."""
    while isinstance(value, Since):
        value = value.value if minor >= value.minor else value.before
    if isinstance(value, dict):
        found = {name: throughout(minor, one) for name, one in value.items()}
        return {name: one for name, one in found.items() if one is not ABSENT}
    if isinstance(value, list):
        return [one for one in (throughout(minor, one) for one in value) if one is not ABSENT]
    return value


def requested(request: Request, *services: str) -> str | None:
    """Return the version that the header asks for, for a service of any of these names."""
    for part in (request.header("HTTP_OPENSTACK_API_VERSION") or "").split(","):
        service, _, version = part.strip().partition(" ")
        if service.lower() in services:
            return version.strip()
    return None


def parse(version: str, major: int, minimum: int, maximum: int) -> int | None:
    """Return the minor version of a text such as ``2.79``; ``None`` if it isn't offered."""
    if version.lower() == "latest":
        return maximum
    match = _VERSION.fullmatch(version)
    if match is None or int(match[1]) != major or not minimum <= int(match[2]) <= maximum:
        return None
    return int(match[2])


def negotiate(version: str | None, form: str, major: int, minimum: int, maximum: int) -> int:
    """Return the minor version that a request to Nova or Cinder is for.

    :param version: what it asks for; the minimum by default.
    :param form: pattern of what is a version at all.
    :raises BadRequest: for what isn't a version.
    :raises NotAcceptable: for a version that isn't offered.
    """
    if version is None:
        return minimum
    minor = parse(version, major, minimum, maximum)
    if minor is not None:
        return minor
    if not re.fullmatch(form, version):
        raise BadRequest(
            f"API Version String {version} is of invalid format. Must be of format "
            "MajorNum.MinorNum."
        )
    raise NotAcceptable(
        f"Version {version} is not supported by the API. Minimum is {major}.{minimum} and "
        f"maximum is {major}.{maximum}."
    )
