"""What older versions pass on to Neutron: networks, floating IPs, security groups."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions, neutron
from fake_server.compute.handlers import servers
from fake_server.compute.policies import POLICIES
from fake_server.compute.proxies import pass_on, permit
from fake_server.compute.schemas import proxies as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_FLOATING_IPS = "/os-floating-ips"
_FLOATING_IP = "/os-floating-ips/{ident}"
_GROUPS = "/os-security-groups"
_GROUP = "/os-security-groups/{ident}"
_PORTS = range(65536)
_TYPES = range(256)
#: What Nova's networks had that Neutron's haven't, for everybody and for administrators.
_EMPTY = ("cidr", "netmask", "gateway", "broadcast", "dns1", "dns2", "cidr_v6", "gateway_v6")
_EMPTY_FOR_ADMINS = (
    *("created_at", "updated_at", "deleted_at", "deleted", "injected", "bridge", "vlan"),
    *("vpn_public_address", "vpn_public_port", "vpn_private_address", "dhcp_start", "project_id"),
    *("host", "bridge_interface", "multi_host", "priority", "rxtx_base", "mtu", "dhcp_server"),
    *("enable_dhcp", "share_address"),
)


@ROUTES.add("GET", "/os-networks", "os-networks:list")
def list_networks(ctx: Context) -> Response:
    """List the networks that a project may use."""
    permit(ctx, "os-networks:list")
    return encode(200, {"networks": [_network(ctx, row) for row in _networks(ctx)]})


@ROUTES.add("GET", "/os-networks/{ident}", "os-networks:show")
def show_network(ctx: Context, ident: str) -> Response:
    """Show a network."""
    permit(ctx, "os-networks:show")
    return encode(200, {"network": _network(ctx, _found_network(ctx, ident))})


@ROUTES.add("GET", "/os-tenant-networks", "os-tenant-networks:list")
def list_tenant_networks(ctx: Context) -> Response:
    """List the networks that a project may use, with less of each."""
    permit(ctx, "os-tenant-networks:list")
    return encode(200, {"networks": [_tenant_network(row) for row in _networks(ctx)]})


@ROUTES.add("GET", "/os-tenant-networks/{ident}", "os-tenant-networks:show")
def show_tenant_network(ctx: Context, ident: str) -> Response:
    """Show less of a network."""
    permit(ctx, "os-tenant-networks:show")
    return encode(200, {"network": _tenant_network(_found_network(ctx, ident))})


@ROUTES.add("GET", "/os-floating-ip-pools", "os-floating-ip-pools")
def list_pools(ctx: Context) -> Response:
    """List the networks that floating IPs are of."""
    permit(ctx, "os-floating-ip-pools")
    pools = [{"name": row["name"] or row["id"]} for row in _external_networks(ctx)]
    return encode(200, {"floating_ip_pools": pools})


@ROUTES.add("GET", _FLOATING_IPS, "os-floating-ips:list")
def list_floating_ips(ctx: Context) -> Response:
    """List the floating IPs of a project."""
    permit(ctx, "os-floating-ips:list")
    query = urlencode({"tenant_id": ctx.project_id})
    rows = _ask(ctx, "GET", f"/floatingips?{query}")["floatingips"]
    return encode(200, {"floating_ips": _floating_ips(ctx, rows)})


@ROUTES.add("POST", _FLOATING_IPS, "os-floating-ips:create")
def create_floating_ip(ctx: Context) -> Response:
    """Take a floating IP from a pool, by default from the first one."""
    permit(ctx, "os-floating-ips:create")
    pool = ctx.json(schemas.CREATE_FLOATING_IP).get("pool")
    found = [row["id"] for row in _external_networks(ctx) if pool in (None, row["id"], row["name"])]
    if not found:
        raise NotFound("Floating IP pool not found.")
    body = {"floatingip": {"floating_network_id": found[0], "tenant_id": ctx.project_id}}
    row = _ask(ctx, "POST", "/floatingips", body)["floatingip"]
    return encode(200, {"floating_ip": _floating_ips(ctx, [row])[0]})


@ROUTES.add("GET", _FLOATING_IP, "os-floating-ips:show")
def show_floating_ip(ctx: Context, ident: str) -> Response:
    """Show a floating IP."""
    permit(ctx, "os-floating-ips:show")
    problem = f"Floating IP not found for ID {ident}"
    row = _ask(ctx, "GET", f"/floatingips/{quote(ident, safe='')}", missing=problem)["floatingip"]
    return encode(200, {"floating_ip": _floating_ips(ctx, [row])[0]})


@ROUTES.add("DELETE", _FLOATING_IP, "os-floating-ips:delete")
def delete_floating_ip(ctx: Context, ident: str) -> Response:
    """Give a floating IP back."""
    permit(ctx, "os-floating-ips:delete")
    problem = f"Floating IP not found for ID {ident}"
    _ask(ctx, "DELETE", f"/floatingips/{quote(ident, safe='')}", missing=problem)
    return Response(202)


@ROUTES.add("GET", _GROUPS, "os-security-groups:get")
def list_groups(ctx: Context) -> Response:
    """List the security groups of a project; administrators may ask for those of all."""
    permit(ctx, "os-security-groups:get")
    everything = ctx.is_admin and "all_tenants" in ctx.request.query
    query = "" if everything else f"?{urlencode({'tenant_id': ctx.project_id})}"
    rows = _ask(ctx, "GET", f"/security-groups{query}")["security_groups"]
    first = ctx.number("offset") or 0
    rows = rows[first:][: ctx.number("limit")]
    return encode(200, {"security_groups": [_group(ctx, row) for row in rows]})


@ROUTES.add("POST", _GROUPS, "os-security-groups:create")
def create_group(ctx: Context) -> Response:
    """Create a security group."""
    return _write_group(ctx, "POST", "/security-groups")


@ROUTES.add("GET", _GROUP, "os-security-groups:show")
def show_group(ctx: Context, ident: str) -> Response:
    """Show a security group."""
    permit(ctx, "os-security-groups:show")
    return encode(200, {"security_group": _group(ctx, _found_group(ctx, ident))})


@ROUTES.add("PUT", _GROUP, "os-security-groups:update")
def update_group(ctx: Context, ident: str) -> Response:
    """Rename or describe a security group."""
    return _write_group(ctx, "PUT", f"/security-groups/{quote(ident, safe='')}")


@ROUTES.add("DELETE", _GROUP, "os-security-groups:delete")
def delete_group(ctx: Context, ident: str) -> Response:
    """Remove a security group."""
    permit(ctx, "os-security-groups:delete")
    _ask(ctx, "DELETE", f"/security-groups/{quote(ident, safe='')}", conflict=400)
    return Response(202)


@ROUTES.add("POST", "/os-security-group-rules", "os-security-groups:rule:create")
def create_rule(ctx: Context) -> Response:
    """Allow something in a security group."""
    ctx.until(microversions.NO_NETWORK_PROXIES)
    wanted = ctx.json(schemas.CREATE_RULE)["security_group_rule"]
    ctx.require("os-security-groups:rule:create")
    parent, source = wanted["parent_group_id"], wanted.get("group_id")
    group = _found_group(ctx, parent)
    if source is not None:
        _found_group(ctx, source)
    rule = {
        "security_group_id": group["id"],
        "direction": "ingress",
        **_range(wanted, open_by_default=source is not None),
        **({"remote_group_id": source} if source is not None else _prefix(wanted.get("cidr"))),
    }
    answer = _ask(ctx, "POST", "/security-group-rules", {"security_group_rule": rule}, conflict=400)
    return encode(200, {"security_group_rule": _rule(ctx, answer["security_group_rule"])})


@ROUTES.add("DELETE", "/os-security-group-rules/{ident}", "os-security-groups:rule:delete")
def delete_rule(ctx: Context, ident: str) -> Response:
    """Allow something in a security group no longer."""
    permit(ctx, "os-security-groups:rule:delete")
    _ask(ctx, "DELETE", f"/security-group-rules/{quote(ident, safe='')}")
    return Response(202)


@ROUTES.add("GET", "/servers/{ident}/os-security-groups", "os-security-groups:list")
def list_groups_of_server(ctx: Context, ident: str) -> Response:
    """List the security groups of a server, in every version."""
    server = servers.found(ctx, ident, "os-security-groups:list")["id"]
    ports = neutron.get_network_info(ctx.session, [server])[server]
    wanted = {group for port in ports for group in port["security_groups"]}
    rows = ctx.session.cloud.network("GET", "/security-groups")["security_groups"]
    shown = [_group(ctx, row) for row in rows if row["id"] in wanted]
    return encode(200, {"security_groups": shown})


def _ask(ctx: Context, method: str, path: str, body: Any = None, **options: Any) -> Any:
    return pass_on(ctx, ctx.session.cloud.network, method, path, body, **options)


def _networks(ctx: Context) -> list[dict[str, Any]]:
    return list(_ask(ctx, "GET", "/networks")["networks"])


def _found_network(ctx: Context, ident: str) -> dict[str, Any]:
    answer = _ask(ctx, "GET", f"/networks/{quote(ident, safe='')}", missing="Network not found")
    return dict(answer["network"])


def _network(ctx: Context, row: dict[str, Any]) -> dict[str, Any]:
    empty = (*_EMPTY, "netmask_v6", *(_EMPTY_FOR_ADMINS if ctx.is_admin else ()))
    return {"id": row["id"], "label": row["name"], **dict.fromkeys(empty)}


def _tenant_network(row: dict[str, Any]) -> dict[str, Any]:
    # Nova shows the text None.
    return {"id": row["id"], "label": row["name"], "cidr": str(None)}


def _external_networks(ctx: Context) -> list[dict[str, Any]]:
    return list(_ask(ctx, "GET", "/networks?router:external=true")["networks"])


def _floating_ips(ctx: Context, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    pools = {row["id"]: row["name"] or row["id"] for row in _external_networks(ctx)}
    ports = _ask(ctx, "GET", "/ports")["ports"] if any(row["port_id"] for row in rows) else []
    having = {port["id"]: port["device_id"] for port in ports}
    return [
        {
            "id": row["id"],
            "ip": row["floating_ip_address"],
            "fixed_ip": row["fixed_ip_address"],
            "instance_id": having.get(row["port_id"]),
            "pool": pools.get(row["floating_network_id"], row["floating_network_id"]),
        }
        for row in rows
    ]


def _found_group(ctx: Context, ident: str) -> dict[str, Any]:
    return dict(_ask(ctx, "GET", f"/security-groups/{quote(ident, safe='')}")["security_group"])


def _write_group(ctx: Context, method: str, path: str) -> Response:
    ctx.until(microversions.NO_NETWORK_PROXIES)
    wanted = ctx.json(schemas.SECURITY_GROUP)["security_group"]
    ctx.require(f"os-security-groups:{'create' if method == 'POST' else 'update'}")
    group = {name: wanted[name] for name in ("name", "description")}
    answer = _ask(ctx, method, path, {"security_group": group})
    return encode(200, {"security_group": _group(ctx, answer["security_group"])})


def _group(ctx: Context, row: dict[str, Any]) -> dict[str, Any]:
    rules = [rule for rule in row["security_group_rules"] if rule["direction"] == "ingress"]
    return {
        "id": row["id"],
        "name": row["name"],
        "description": row["description"],
        "tenant_id": row["tenant_id"],
        "rules": [_rule(ctx, rule) for rule in rules],
    }


def _rule(ctx: Context, row: dict[str, Any]) -> dict[str, Any]:
    protocol = row["protocol"]
    lowest, highest = row["port_range_min"], row["port_range_max"]
    if protocol and lowest is None and highest is None:
        lowest, highest = (1, 65535) if protocol in ("tcp", "udp") else (-1, -1)
    source = row["remote_group_id"]
    group, addresses = {}, {"cidr": row["remote_ip_prefix"] or "0.0.0.0/0"}
    if source is not None:
        path, addresses = f"/security-groups/{source}", {}
        found = ctx.session.cloud.network("GET", path)["security_group"]
        group = {"name": found["name"], "tenant_id": found["tenant_id"]}
    return {
        "id": row["id"],
        "parent_group_id": row["security_group_id"],
        "ip_protocol": protocol,
        "from_port": lowest,
        "to_port": highest,
        "group": group,
        "ip_range": addresses,
    }


def _prefix(cidr: str | None) -> dict[str, str]:
    """Return what Neutron calls a network that something is allowed from."""
    try:
        network = ipaddress.ip_network(cidr or "0.0.0.0/0", strict=False)
    except ValueError:
        raise BadRequest(f"{cidr} is not a valid IP network.") from None
    if not network.prefixlen and int(network.network_address):
        raise BadRequest(f"Bad prefix for network in cidr {cidr}")
    return {"remote_ip_prefix": cidr or str(network), "ethertype": f"IPv{network.version}"}


def _range(wanted: dict[str, Any], *, open_by_default: bool) -> dict[str, Any]:
    """Return protocol and ports, as Neutron calls them; raise BadRequest if they are invalid.

    :param open_by_default: whether all is meant where nothing is said.
    """
    protocol = str(wanted.get("ip_protocol") or "").lower()
    ends = [wanted.get(name) for name in ("from_port", "to_port")]
    if open_by_default and ends == [None, None]:
        return {"protocol": protocol or None}
    if not protocol or None in ends:
        raise BadRequest("Not enough parameters to build a valid rule.")
    try:
        lowest, highest = (int(str(end)) for end in ends)
    except ValueError:
        raise BadRequest("Invalid input received: To and From ports must be integers") from None
    if protocol not in ("tcp", "udp", "icmp"):
        raise BadRequest(f"Invalid IP protocol {protocol}.")
    if protocol == "icmp":
        if (lowest, highest) == (-1, -1):
            return {"protocol": protocol}
        valid = lowest in _TYPES and highest in _TYPES
    else:
        valid = lowest in _PORTS and highest in _PORTS and lowest <= highest
    if not valid:
        raise BadRequest(f"Invalid port range {lowest}:{highest}.")
    return {"protocol": protocol, "port_range_min": lowest, "port_range_max": highest}
