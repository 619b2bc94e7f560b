"""Ports of instances, found or created in Neutron as ``nova.network.neutron`` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fake_server.common.errors import BadRequest, Conflict
from fake_server.compute.cloud import Refused, refused_as
from fake_server.compute.errors import BuildAbortException, InstanceNotFound
from fake_server.compute.models import block_devices

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.compute.context import Context
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

OWNER = "compute:nova"
#: What a port that was there before forgets when its instance leaves it.
_UNBOUND = {"device_id": "", "device_owner": "", "binding:host_id": "", "binding:profile": {}}


@dataclass(frozen=True)
class NetworkRequest:
    """One network connection of an instance.

    :param network_id: the network, where a port is to be made.
    :param port_id: a port that there is.
    :param fixed_ip: the address that the new port is to have.
    :param tag: what the guest is to call it.
    """

    network_id: str | None = None
    port_id: str | None = None
    fixed_ip: str | None = None
    tag: str | None = None


def validate_networks(ctx: Context, wanted: Any) -> list[NetworkRequest]:
    """Return the connections of ``networks`` of a request; raise BadRequest if it is invalid."""
    if wanted == "none":
        return []
    if not isinstance(wanted, list) or not wanted:
        found = _available_networks(ctx)
        if len(found) > 1:
            raise Conflict(
                "More than one possible network found. Specify network ID(s) to select which "
                "one(s) to connect to."
            )
        return [NetworkRequest(network_id=network["id"]) for network in found]
    return [_requested(ctx, item) for item in wanted]


def allocate_port(session: Session, instance: Record, network: NetworkRequest) -> Record:
    """Find or make the port of a connection and return it; raise BuildAbortException if refused.

    :returns: the row of :data:`.tables.ports`.
    """
    owner = {"device_id": instance["id"], "device_owner": OWNER}
    port_id = network.port_id
    with refused_as(BuildAbortException, "Failed to allocate the network(s): "):
        if port_id is not None:
            session.cloud.network("PUT", f"/ports/{port_id}", {"port": owner})
        else:
            values: dict[str, Any] = {
                **owner,
                "network_id": network.network_id,
                "tenant_id": instance["project_id"],
                "project_id": instance["project_id"],
            }
            if network.fixed_ip:
                values["fixed_ips"] = [{"ip_address": network.fixed_ip}]
            port_id = session.cloud.network("POST", "/ports", {"port": values})["port"]["id"]
    port = {
        "server_id": instance["id"],
        "port_id": port_id,
        "made": network.port_id is None,
        "tag": network.tag,
    }
    try:
        block_devices.add_port(session, port)
    except InstanceNotFound:
        deallocate_port(session, port)
        raise
    return port


def deallocate_port(session: Session, port: Record) -> None:
    """Delete a port that was made for an instance; free one that was there before."""
    path = f"/ports/{port['port_id']}"
    if port["made"]:
        session.cloud.network("DELETE", path, ignored=(404,))
    else:
        session.cloud.network("PUT", path, {"port": _UNBOUND}, ignored=(404,))
    block_devices.remove_port(session, port)


def get_network_info(
    session: Session, server_ids: Collection[str]
) -> dict[str, list[dict[str, Any]]]:
    """Return the ports of instances, with ``network_name``, by the id of the instance."""
    found: dict[str, list[dict[str, Any]]] = {ident: [] for ident in server_ids}
    if not found:
        return found
    query = {"device_owner": OWNER}
    if len(found) == 1:
        query["device_id"] = next(iter(found))
    rows = session.cloud.network("GET", f"/ports?{urlencode(query)}")["ports"]
    rows = [row for row in rows if row["device_id"] in found]
    networks = session.cloud.network("GET", "/networks")["networks"] if rows else []
    names = {network["id"]: network["name"] for network in networks}
    for row in rows:
        name = names.get(row["network_id"]) or row["network_id"]
        found[row["device_id"]].append({**row, "network_name": name})
    return found


def _available_networks(ctx: Context) -> list[dict[str, Any]]:
    """Return the networks that instances may use: those of the project, then the shared ones.

    Those in which Ironic prepares nodes aren't among them, though without authentication they are
    in the same project.
    """
    own = urlencode({"shared": "false", "tenant_id": ctx.project_id})
    queries = (own, "shared=true")
    found = [ctx.session.cloud.network("GET", f"/networks?{query}") for query in queries]
    settings = ctx.session.settings
    reserved = {settings.provisioning_network, settings.cleaning_network}
    return [
        network
        for answer in found
        for network in answer["networks"]
        if reserved.isdisjoint((network["id"], network["name"]))
    ]


def _requested(ctx: Context, item: dict[str, Any]) -> NetworkRequest:
    port_id, network_id, tag = item.get("port"), item.get("uuid"), item.get("tag")
    if port_id is None and not network_id:
        raise BadRequest("Bad network format: missing 'uuid'")
    path = f"/networks/{network_id}" if port_id is None else f"/ports/{port_id}"
    try:
        found = ctx.session.cloud.network("GET", path, caller=ctx.caller)
    except Refused as exc:
        what = f"Network {network_id}" if port_id is None else f"Port id {port_id}"
        raise BadRequest(f"{what} could not be found.") from exc
    if port_id is None:
        return NetworkRequest(network_id=network_id, fixed_ip=item.get("fixed_ip"), tag=tag)
    if found["port"]["device_id"]:
        raise Conflict(f"Port {port_id} is still in use.")
    return NetworkRequest(port_id=port_id, tag=tag)
