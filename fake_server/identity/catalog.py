"""The service catalog: what is in it at the start, and how tokens show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.identity import tables
from fake_server.identity.roles import identify

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

REGION = "RegionOne"
INTERFACES = ("public", "internal", "admin")
#: What stands for the address of the server in the URL of an endpoint: it depends on the client.
_HOST = "$(host_url)s"
#: Type, name, and path of the services of this server.
SERVICES = (
    ("identity", "keystone", "/identity/v3"),
    ("baremetal", "ironic", "/baremetal"),
    ("network", "neutron", "/networking"),
    ("block-storage", "cinder", "/volume/v3"),
    ("volumev3", "cinderv3", "/volume/v3/%(project_id)s"),
    ("image", "glance", "/image"),
    ("compute", "nova", "/compute/v2.1"),
    ("placement", "placement", "/placement"),
    ("object-store", "swift", "/object-store/v1/AUTH_%(project_id)s"),
)


def install(tx: Transaction) -> None:
    """Store the services of this server, with an endpoint for each interface."""
    tx.insert(tables.regions, {"id": REGION, "description": "", "extra": {}})
    services, endpoints = [], []
    for kind, name, path in SERVICES:
        service = {"id": identify("service", kind), "type": kind, "name": name, "enabled": True}
        services.append({**service, "extra": {}})
        for interface in INTERFACES:
            endpoint = {
                "id": identify("endpoint", f"{kind}:{interface}"),
                "service_id": service["id"],
                "interface": interface,
                "region_id": REGION,
                "url": f"{_HOST}{path}",
                "enabled": True,
                "extra": {},
            }
            endpoints.append(endpoint)
    tx.insert_many(tables.services, services)
    tx.insert_many(tables.endpoints, endpoints)


def url(row: Record, host_url: str) -> str:
    """Return the URL of an endpoint, as an administrator sees it."""
    return str(row["url"]).replace(_HOST, host_url)


def of_token(tx: Transaction, host_url: str, project_id: str | None) -> list[dict[str, Any]]:
    """Return the catalog of a token; without a project, it lacks endpoints that need one."""
    entries: dict[str, dict[str, Any]] = {}
    for row in tx.rows(tables.services, "number", enabled=True):
        shown = {name: row[name] for name in ("id", "type", "name")}
        entries[row["id"]] = {**shown, "endpoints": []}
    for row in tx.rows(tables.endpoints, "number", enabled=True):
        address = url(row, host_url)
        for form in ("%(project_id)s", "$(project_id)s", "%(tenant_id)s", "$(tenant_id)s"):
            if form in address and project_id is None:
                break
            address = address.replace(form, project_id or "")
        else:
            if row["service_id"] in entries:
                region = {"region": row["region_id"], "region_id": row["region_id"]}
                shown = {"id": row["id"], "interface": row["interface"], **region, "url": address}
                entries[row["service_id"]]["endpoints"].append(shown)
    # Services without an endpoint of the project's are no help.
    return [entry for entry in entries.values() if entry["endpoints"]]
