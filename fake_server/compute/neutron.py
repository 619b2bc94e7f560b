"""Ports of instances, found or created in Neutron as ``nova.network.neutron`` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fake_server.common.errors import BadRequest, Conflict, Forbidden, NotFound
from fake_server.common.formats import is_uuid
from fake_server.compute.cloud import Refused, refused_as
from fake_server.compute.errors import BuildAbortException, InstanceNotFound, PortInUse
from fake_server.compute.models import block_devices

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

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


def check_requested(wanted: Any, count: int) -> None:
    """Raise BadRequest for ``networks`` of a request that so many instances can't have."""
    items = wanted if isinstance(wanted, list) else []
    for item in items:
        network_id = item.get("uuid")
        if item.get("port") is None and network_id and not is_uuid(network_id):
            raise BadRequest(
                f"Bad networks format: network uuid is not in proper format ({network_id})"
            )
    problem = "Failed to launch instances: "
    if count > 1 and any(item.get("fixed_ip") for item in items):
        raise BadRequest(
            f"{problem}max_count cannot be greater than 1 if an fixed_ip is specified."
        )
    if count > 1 and any(item.get("port") for item in items):
        raise BadRequest(
            f"{problem}Unable to launch multiple instances with a single configured port ID. "
            "Please launch your instance one by one with different ports."
        )


def validate_networks(ctx: Context, wanted: Any) -> list[NetworkRequest]:
    """Return the connections of ``networks`` of a request.

    :raises NotFound: for a port that isn't there.
    :raises BadRequest: if it is invalid otherwise.
    """
    if wanted == "none":
        return []
    if not isinstance(wanted, list) or not wanted:
        found = _available_networks(ctx)
        if len(found) > 1:
            raise Conflict(
                "Multiple possible networks found, use a Network ID to be more specific."
            )
        return [NetworkRequest(network_id=network["id"]) for network in found]
    return [_requested(ctx, item) for item in wanted]


def allocate_port(
    session: Session, instance: Record, network: NetworkRequest, groups: Sequence[str] = ()
) -> Record:
    """Find or make the port of a connection and return it; raise BuildAbortException if refused.

    :param groups: the ids of the security groups of a new port, if it isn't the default one.
    :returns: the row of :data:`.tables.ports`.
    """
    owner = {"device_id": instance["id"], "device_owner": OWNER}
    port = {
        "server_id": instance["id"],
        "port_id": network.port_id,
        "made": network.port_id is None,
        "tag": network.tag,
    }
    with refused_as(BuildAbortException, "Failed to allocate the network(s): "):
        if network.port_id is not None:
            # First, so that no other request takes it.
            block_devices.add_port(session, port)
            try:
                session.cloud.network("PUT", f"/ports/{network.port_id}", {"port": owner})
            except Refused:
                block_devices.remove_port(session, port)
                raise
            return port
        values: dict[str, Any] = {
            **owner,
            "network_id": network.network_id,
            "tenant_id": instance["project_id"],
            "project_id": instance["project_id"],
        }
        if groups:
            values["security_groups"] = list(groups)
        if network.fixed_ip:
            values["fixed_ips"] = [{"ip_address": network.fixed_ip}]
        made = session.cloud.network("POST", "/ports", {"port": values})
    port["port_id"] = made["port"]["id"]
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
    if not rows:
        return found
    networks, groups, floating = (
        session.cloud.network("GET", f"/{path}")[path.replace("-", "_")]
        for path in ("networks", "security-groups", "floatingips")
    )
    names = {one["id"]: one["name"] for one in (*networks, *groups)}
    for row in rows:
        port = {
            **row,
            "network_name": names.get(row["network_id"]) or row["network_id"],
            "security_group_names": [names.get(ident) or ident for ident in row["security_groups"]],
            "floating_addresses": [
                one["floating_ip_address"] for one in floating if one["port_id"] == row["id"]
            ],
        }
        found[row["device_id"]].append(port)
    return found


def fixed_addresses(session: Session, server_ids: Collection[str]) -> dict[str, list[str]]:
    """Return the fixed addresses of instances, by the id of the instance."""
    return {
        ident: [str(one["ip_address"]) for port in ports for one in port["fixed_ips"]]
        for ident, ports in get_network_info(session, server_ids).items()
    }


def find_security_group(ctx: Context, name: str, project_id: str) -> str:
    """Return the id of a project's security group by its id or name.

    :raises NotFound: if there is none.
    :raises BadRequest: if there are several of the name.
    """
    query = urlencode({"tenant_id": project_id})
    rows = ctx.session.cloud.network("GET", f"/security-groups?{query}")["security_groups"]
    found = [row["id"] for row in rows if name in (row["id"], row["name"])]
    if not found:
        raise NotFound(f"Security group {name} is not found for project {project_id}")
    if len(found) > 1:
        raise BadRequest(
            f"Multiple security groups found matching '{name}'. Use an ID to be more specific."
        )
    return str(found[0])


def requested_security_group(ctx: Context, name: str) -> str:
    """Return the id of a security group that a new server asks for; raise BadRequest if none is."""
    try:
        return find_security_group(ctx, name, ctx.project_id)
    except NotFound:
        raise BadRequest(f"Unable to find security_group with name or id '{name}'") from None


def change_security_group(ctx: Context, instance: Record, name: str, *, add: bool) -> None:
    """Give the ports of an instance a security group, or take it from them.

    :raises NotFound: if there is no such group, or if it or no port is there.
    """
    session, ident = ctx.session, instance["id"]
    group = find_security_group(ctx, name, instance["project_id"])
    ports = get_network_info(session, [ident])[ident]
    if not ports:
        raise NotFound(f"instance_id {ident} could not be found as device id on any ports")
    changed = [port for port in ports if (group in port["security_groups"]) != add]
    if not changed and not add:
        raise NotFound(f"Security group {name} not associated with the instance {ident}")
    for port in changed:
        groups = [one for one in port["security_groups"] if one != group] + [group] * add
        session.cloud.network("PUT", f"/ports/{port['id']}", {"port": {"security_groups": groups}})


def associate_floating_ip(
    ctx: Context, instance: Record, address: str, fixed_address: str | None
) -> None:
    """Let a floating IP lead to an instance, by default to its first IPv4 address.

    :raises BadRequest: if the instance hasn't such an address.
    :raises NotFound: if there is no such floating IP.
    """
    session, ident = ctx.session, instance["id"]
    ports = get_network_info(session, [ident])[ident]
    fixed = {one["ip_address"]: port["id"] for port in ports for one in port["fixed_ips"]}
    if not fixed:
        raise BadRequest("No fixed IPs associated to instance")
    if fixed_address is None:
        fixed_address = next((one for one in fixed if ":" not in one), None)
        if fixed_address is None:
            raise BadRequest(
                f"Unable to associate floating IP {address} to any fixed IPs for instance {ident}. "
                "Instance has no fixed IPv4 addresses to associate."
            )
    elif fixed_address not in fixed:
        raise BadRequest("Specified fixed address not assigned to instance")
    found = _floating_ip(ctx, address)
    target = {"port_id": fixed[fixed_address], "fixed_ip_address": fixed_address}
    with refused_as(BadRequest):
        session.cloud.network(
            "PUT", f"/floatingips/{found['id']}", {"floatingip": target}, caller=ctx.caller
        )


def disassociate_floating_ip(ctx: Context, instance: Record, address: str) -> None:
    """Let a floating IP of an instance lead nowhere; raise Conflict if it isn't one of its own."""
    found, ident = _floating_ip(ctx, address), instance["id"]
    ports = {port["id"] for port in get_network_info(ctx.session, [ident])[ident]}
    if found["port_id"] not in ports:
        raise Conflict(f"Floating IP {address} is not associated with instance {ident}.")
    ctx.session.cloud.network(
        "PUT", f"/floatingips/{found['id']}", {"floatingip": {"port_id": None}}
    )


def _floating_ip(ctx: Context, address: str) -> dict[str, Any]:
    query = urlencode({"floating_ip_address": address})
    path = f"/floatingips?{query}"
    rows = ctx.session.cloud.network("GET", path, caller=ctx.caller)["floatingips"]
    if not rows:
        raise NotFound("floating IP not found")
    found: dict[str, Any] = rows[0]
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
        missing = BadRequest if port_id is None else NotFound
        raise missing(f"{what} could not be found.") from exc
    if port_id is None:
        network = found["network"]
        is_external = network.get("router:external") and not network["shared"]
        if is_external and not ctx.may("network:attach_external_network"):
            raise Forbidden(
                f"It is not allowed to create an interface on external network {network_id}"
            )
        _check_free(ctx, network_id, item.get("fixed_ip"))
        return NetworkRequest(network_id=network_id, fixed_ip=item.get("fixed_ip"), tag=tag)
    if found["port"]["device_id"]:
        raise Conflict(str(PortInUse(port_id)))
    return NetworkRequest(port_id=port_id, tag=tag)


def _check_free(ctx: Context, network_id: Any, address: str | None) -> None:
    """Raise BadRequest for an address that is taken in a network."""
    if address is None:
        return
    query = urlencode({"network_id": network_id, "fixed_ips": f"ip_address={address}"})
    for port in ctx.session.cloud.network("GET", f"/ports?{query}")["ports"]:
        raise BadRequest(
            f"Fixed IP address {address} is already in use on instance {port['device_id']}."
        )
