"""The service catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.identity.roles import identify

if TYPE_CHECKING:
    from collections.abc import Iterable

REGION = "RegionOne"
INTERFACES = ("public", "internal", "admin")
#: Type, name, the segment that the service is mounted at, and the path below that.
SERVICES = (
    ("identity", "keystone", "identity", "/v3"),
    ("baremetal", "ironic", "baremetal", ""),
    ("network", "neutron", "networking", ""),
    ("block-storage", "cinder", "volume", "/v3"),
    ("volumev3", "cinderv3", "volume", "/v3/{project_id}"),
    ("image", "glance", "image", ""),
    ("compute", "nova", "compute", "/v2.1"),
    ("placement", "placement", "placement", ""),
)


def services(mounted: Iterable[str]) -> list[dict[str, Any]]:
    """Return the services of mounted segments, as ``/v3/services`` lists them."""
    return [
        {"id": identify("service", kind), "type": kind, "name": name, "enabled": True}
        for kind, name, segment, _ in SERVICES
        if segment in mounted
    ]


def endpoints(mounted: Iterable[str], host_url: str) -> list[dict[str, Any]]:
    """Return the endpoints of mounted segments, as ``/v3/endpoints`` lists them."""
    return [
        {
            "id": identify("endpoint", f"{kind}:{interface}"),
            "service_id": identify("service", kind),
            "interface": interface,
            "region": REGION,
            "region_id": REGION,
            "enabled": True,
            "url": f"{host_url}/{segment}{path}".replace("{project_id}", "%(project_id)s"),
        }
        for kind, _, segment, path in SERVICES
        if segment in mounted
        for interface in INTERFACES
    ]


def catalog(mounted: Iterable[str], host_url: str, project_id: str | None) -> list[dict[str, Any]]:
    """Return the catalog of a token; without a project, it lacks services that need one."""
    entries = []
    for kind, name, segment, path in SERVICES:
        if segment not in mounted or ("{project_id}" in path and project_id is None):
            continue
        url = f"{host_url}/{segment}{path}".replace("{project_id}", project_id or "")
        entry = {"region": REGION, "region_id": REGION, "url": url}
        shown = [
            {"id": identify("endpoint", f"{kind}:{interface}"), "interface": interface, **entry}
            for interface in INTERFACES
        ]
        ident = identify("service", kind)
        entries.append({"id": ident, "type": kind, "name": name, "endpoints": shown})
    return entries
