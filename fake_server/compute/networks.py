"""Ports of servers, found or created in Neutron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fake_server.common.errors import BadRequest, Conflict
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import BuildError, ServerNotFound
from fake_server.compute.models import devices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.compute.session import Client, Session
    from fake_server.db.store import Record

OWNER = "compute:nova"


@dataclass(frozen=True)
class RequestedNetwork:
    """One network connection of a server.

    :param network_id: the network, where a port is to be made.
    :param port_id: a port that there is.
    :param fixed_ip: the address that the new port is to have.
    :param tag: what the guest is to call it.
    """

    network_id: str | None = None
    port_id: str | None = None
    fixed_ip: str | None = None
    tag: str | None = None


def requested(session: Session, client: Client, wanted: Any) -> list[RequestedNetwork]:
    """Return the connections of ``networks`` of a request; raise BadRequest if it is invalid.

    :param client: who can use them.
    """
    if wanted == "none":
        return []
    if not isinstance(wanted, list) or not wanted:
        found = _usable(session, client)
        if len(found) > 1:
            raise BadRequest(
                "More than one possible network found. Specify network ID(s) to select which "
                "one(s) to connect to."
            )
        return [RequestedNetwork(network_id=network["id"]) for network in found]
    return [_requested(session, client, item) for item in wanted]


def make(session: Session, server: Record, network: RequestedNetwork) -> str:
    """Find or make the port of a connection; return its id, or raise BuildError if refused."""
    owner = {"device_id": server["id"], "device_owner": OWNER}
    try:
        if network.port_id is not None:
            port_id = network.port_id
            session.cloud.network("PUT", f"/ports/{port_id}", {"port": owner})
        else:
            values: dict[str, Any] = {
                **owner,
                "network_id": network.network_id,
                "tenant_id": server["project_id"],
                "project_id": server["project_id"],
            }
            if network.fixed_ip:
                values["fixed_ips"] = [{"ip_address": network.fixed_ip}]
            port_id = session.cloud.network("POST", "/ports", {"port": values})["port"]["id"]
    except Refused as exc:
        raise BuildError(f"Failed to allocate the network(s): {exc}") from exc
    made = network.port_id is None
    try:
        session.database.write(
            lambda tx: devices.add_port(tx, server["id"], port_id, made=made, tag=network.tag)
        )
    except ServerNotFound:
        deallocate_port(session, server["id"], {"port_id": port_id, "made": made})
        raise
    return port_id


def deallocate_port(session: Session, server_id: str, port: Record) -> None:
    """Delete a port that was made for a server; free one that was there before."""
    path = f"/ports/{port['port_id']}"
    try:
        if port["made"]:
            session.cloud.network("DELETE", path)
        else:
            left = {
                "device_id": "",
                "device_owner": "",
                "binding:host_id": "",
                "binding:profile": {},
            }
            session.cloud.network("PUT", path, {"port": left})
    except Refused as exc:
        if exc.status != 404:
            raise
    session.database.write(lambda tx: devices.remove_port(tx, server_id, port["port_id"]))


def ports_of(session: Session, server_ids: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the ports of servers, with ``network_name``, by the id of the server."""
    wanted = set(server_ids)
    found: dict[str, list[dict[str, Any]]] = {ident: [] for ident in wanted}
    if not wanted:
        return found
    query = {"device_owner": OWNER}
    if len(wanted) == 1:
        query["device_id"] = next(iter(wanted))
    rows = session.cloud.network("GET", f"/ports?{urlencode(query)}")["ports"]
    rows = [row for row in rows if row["device_id"] in wanted]
    names = {}
    if rows:
        networks = session.cloud.network("GET", "/networks")["networks"]
        names = {network["id"]: network["name"] for network in networks}
    for row in rows:
        name = names.get(row["network_id"]) or row["network_id"]
        found[row["device_id"]].append({**row, "network_name": name})
    return found


def _usable(session: Session, client: Client) -> list[dict[str, Any]]:
    """Return the networks that servers may use: those of the project, then those that all share."""
    own = urlencode({"shared": "false", "tenant_id": client.project_id})
    found = [session.cloud.network("GET", f"/networks?{query}") for query in (own, "shared=true")]
    return [network for answer in found for network in answer["networks"]]


def _requested(session: Session, client: Client, item: dict[str, Any]) -> RequestedNetwork:
    port_id, network_id, tag = item.get("port"), item.get("uuid"), item.get("tag")
    if port_id is not None:
        _check_port(session, client, port_id)
        return RequestedNetwork(port_id=port_id, tag=tag)
    if not network_id:
        raise BadRequest("Bad network format: missing 'uuid'")
    try:
        path = f"/networks/{network_id}"
        session.cloud.network("GET", path, caller=client.caller)
    except Refused as exc:
        raise BadRequest(f"Network {network_id} could not be found.") from exc
    return RequestedNetwork(network_id=network_id, fixed_ip=item.get("fixed_ip"), tag=tag)


def _check_port(session: Session, client: Client, port_id: str) -> None:
    path = f"/ports/{port_id}"
    try:
        port = session.cloud.network("GET", path, caller=client.caller)["port"]
    except Refused as exc:
        raise BadRequest(f"Port id {port_id} could not be found.") from exc
    if port["device_id"]:
        raise Conflict(f"Port {port_id} is still in use.")
