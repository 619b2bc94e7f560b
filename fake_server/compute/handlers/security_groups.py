"""The security groups of a server, as Nova shows those of Neutron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.compute import neutron
from fake_server.compute.handlers import servers
from fake_server.compute.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.add("GET", "/servers/{ident}/os-security-groups", "os-security-groups:list")
def list_security_groups(ctx: Context, ident: str) -> Response:
    """List the security groups of a server."""
    server = servers.found(ctx, ident, "os-security-groups:list")["id"]
    ports = neutron.get_network_info(ctx.session, [server])[server]
    wanted = {group for port in ports for group in port["security_groups"]}
    rows = ctx.session.cloud.network("GET", "/security-groups")["security_groups"]
    shown = [_group(ctx, row) for row in rows if row["id"] in wanted]
    return encode(200, {"security_groups": shown})


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
