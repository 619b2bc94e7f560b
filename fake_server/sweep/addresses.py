"""The addresses of requests, without what differs from run to run: names and identifiers."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from fake_server.common.rest import pattern_of
from fake_server.control.services import SERVICES, addresses

if TYPE_CHECKING:
    from collections.abc import Sequence


#: Stands in a route for a name or an identifier.
PLACEHOLDER = "_"
#: What may stand before an address of these services: the version, and a project.
_BEFORE = r"(?:/v\d[\d.]*)?(?:/(?P<project_of_path>[0-9a-f]{32}|[0-9a-f-]{36}))?"
#: Placeholders of Neutron's routes that stand for a collection.
_COLLECTIONS = ("kind",)
#: What comes directly below a collection of Ironic and names no resource.
_NO_RESOURCES = ("detail", "validate", "states", "vendor_passthru")
#: What comes further below a resource of Ironic; all else are names and identifiers.
_WORDS = frozenset(
    {
        *("states", "provision", "power", "raid", "console", "boot_mode", "secure_boot"),
        *("management", "boot_device", "supported", "inject_nmi", "indicators", "maintenance"),
        *("validate", "vendor_passthru", "methods", "traits", "vifs", "bios", "firmware"),
        *("history", "inventory", "vmedia", "allocation", "ports", "portgroups", "nodes"),
        *("children", "properties", "detail", "logical_disk_properties"),
        *("volume", "connectors", "targets"),
    }
)


class Route(NamedTuple):
    """Where a request goes.

    :param path: its path, with :data:`PLACEHOLDER` for names and identifiers.
    :param resource: the name or identifier of the resource that it is about; ``None`` for a
        collection.
    """

    path: str
    resource: str | None


def route(path: str) -> Route:
    """Return the route of the path of a request."""
    path = path.rstrip("/") or "/"
    service, slash, rest = path[1:].partition("/")
    if service in SERVICES:
        found = _of_service(service, slash + rest)
        return Route(f"/{service}{found.path}", found.resource)
    return _of_ironic(path.removeprefix("/baremetal") or "/")


def _of_ironic(path: str) -> Route:
    segments = path[1:].split("/")
    start = int(segments[0] == "v1")
    start += segments[start : start + 1] == ["volume"]
    at = start + 1
    if len(segments) <= at or segments[at] in _NO_RESOURCES:
        return Route(path, None)
    shown = [
        PLACEHOLDER if number == at or (number > at and segment not in _WORDS) else segment
        for number, segment in enumerate(segments)
    ]
    return Route("/" + "/".join(shown), segments[at])


def _of_service(service: str, path: str) -> Route:
    for pattern in _patterns(service):
        match = pattern.fullmatch(path)
        if match is None:
            continue
        spans = [
            (*match.span(name), value)
            for name, value in match.groupdict().items()
            if value is not None and name not in _COLLECTIONS
        ]
        shown, resources = path, [value for start, _, value in sorted(spans)]
        project = match.groupdict().get("project_of_path")
        for start, end, value in sorted(spans, reverse=True):
            kept = PLACEHOLDER if value != project else ""
            shown = f"{shown[:start]}{kept}{shown[end:]}"
        if project is not None:
            shown = shown.replace("//", "/", 1)
            resources.remove(project)
        return Route(shown, resources[0] if resources else None)
    return Route(path, None)


@cache
def _patterns(service: str) -> Sequence[re.Pattern[str]]:
    """Return patterns of the addresses of a service, those without placeholders first."""
    found = []
    for address in sorted(addresses(service), key=lambda one: one.count("{")):
        before = "" if re.match(r"/v\d", address) else _BEFORE
        found.append(re.compile(before + pattern_of(address)))
    return found
