"""The rules of security groups."""

from __future__ import annotations

from ipaddress import ip_interface
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import address_groups, items
from fake_server.networking.rule_values import PROTOCOLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

KIND = "security_group_rules"
_PORTS = ("port_range_min", "port_range_max")
_REMOTES = ("remote_ip_prefix", "remote_group_id", "remote_address_group_id")
_WITH_PORTS = ("dccp", "sctp", "tcp", "udp", "udplite")
_ICMP = (PROTOCOLS["icmp"], PROTOCOLS["ipv6-icmp"])
_ONLY_IPV6 = [name for name in PROTOCOLS if "v6" in name]
_COMPARED = ("security_group_id", "direction", "ethertype", *_PORTS, *_REMOTES[1:])


def add_first(session: NetworkingSession, group: Mapping[str, Any], *, of_default: bool) -> None:
    """Give a new group the rules that Neutron's migrations set: all egress is allowed.

    :param of_default: whether it is a default group, which lets its own members in.
    """
    wanted = [("egress", None)]
    if of_default:
        wanted.append(("ingress", group["id"]))
    for direction, remote in wanted:
        for ethertype in ("IPv4", "IPv6"):
            rule = {
                "project_id": group["project_id"],
                "security_group_id": group["id"],
                "direction": direction,
                "ethertype": ethertype,
                "remote_group_id": remote,
                "description": None,
                **dict.fromkeys(("protocol", "remote_ip_prefix", "remote_address_group_id")),
                **dict.fromkeys(_PORTS),
            }
            _add(session, rule, group)


def check_together(wanted: Sequence[Mapping[str, Any]]) -> None:
    """Raise an error if rules can't be created by one request."""
    if len({rule["security_group_id"] for rule in wanted}) > 1:
        raise BadRequest(
            "Only allowed to update rules for one security profile at a time",
            "SecurityGroupNotSingleGroupRules",
        )
    if len({rule["project_id"] for rule in wanted}) > 1:
        raise BadRequest(
            "Multiple project_ids in bulk security group rule create not allowed",
            "SecurityGroupRulesNotSingleProject",
        )
    if len({_key(rule) for rule in wanted}) < len(wanted):
        raise Conflict("Duplicate Security Group Rule in POST.", "DuplicateSecurityGroupRuleInPost")


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a rule and return it; raise what keeps it from being one."""
    rule = {**values, **_canonical(values)}
    _check_ports(rule)
    _check_version(rule)
    if sum(rule[name] is not None for name in _REMOTES) > 1:
        raise BadRequest(
            "Only one of remote_ip_prefix or remote_group_id or remote_address_group_id may be "
            "provided.",
            "SecurityGroupMultipleRemoteEntites",
        )
    if rule["remote_group_id"] is not None:
        _need_group(session, rule["remote_group_id"], rule["project_id"])
    if rule["remote_address_group_id"] is not None:
        address_groups.check_usable(session, rule["remote_address_group_id"], rule["project_id"])
    group = _need_group(session, rule["security_group_id"], rule["project_id"])
    for other in items.fetch(session, KIND):
        if _key(other) == _key(rule):
            raise Conflict(
                f"Security group rule already exists. Rule id is {other['id']}.",
                "SecurityGroupRuleExists",
            )
    made = _add(session, rule, group)
    items.touch(session, "security_groups", group["id"])
    return made


def delete(session: NetworkingSession, rule: Record) -> None:
    """Remove a rule."""
    items.remove(session, KIND, rule["id"])
    items.touch(session, "security_groups", rule["security_group_id"])


def _add(session: NetworkingSession, rule: Mapping[str, Any], group: Mapping[str, Any]) -> Record:
    prefix = rule["remote_ip_prefix"]
    more = {
        "normalized_cidr": str(ip_interface(prefix).network) if prefix else None,
        "belongs_to_default_sg": group["name"] == "default",
    }
    return items.add(session, KIND, {**rule, **more})


def _need_group(session: NetworkingSession, ident: str, project: str) -> Record:
    group = items.find(session, "security_groups", ident)
    if group is None or not (session.is_admin or group["project_id"] == project):
        raise KINDS["security_groups"].missing(ident)
    return group


def _canonical(rule: Mapping[str, Any]) -> Record:
    """Return what is kept otherwise than it was given."""
    changes: Record = {}
    if rule["ethertype"] == "IPv6":
        if rule["protocol"] in ("icmp", "icmpv6"):
            changes["protocol"] = "ipv6-icmp"
        elif rule["protocol"] == "1":
            changes["protocol"] = "58"
    if tuple(rule[name] for name in _PORTS) == (1, 65535):
        changes |= dict.fromkeys(_PORTS)
    return changes


def _number(protocol: str) -> int:
    return PROTOCOLS[protocol] if protocol in PROTOCOLS else int(protocol)


def _check_ports(rule: Mapping[str, Any]) -> None:
    first, last = (rule[name] for name in _PORTS)
    if first is None and last is None:
        return
    if rule["protocol"] is None:
        raise BadRequest(
            "Must also specify protocol if port range is given.",
            "SecurityGroupProtocolRequiredWithPorts",
        )
    number = _number(rule["protocol"])
    if number in [PROTOCOLS[name] for name in _WITH_PORTS]:
        if 0 in (first, last):
            raise BadRequest("Invalid value for port 0", "SecurityGroupInvalidPortValue")
        if first is None or last is None or first > last:
            raise BadRequest(
                "For TCP/UDP protocols, port_range_min must be <= port_range_max",
                "SecurityGroupInvalidPortRange",
            )
    elif number in _ICMP:
        for name, field in zip(_PORTS, ("type", "code"), strict=True):
            if rule[name] is not None and rule[name] > 255:
                raise BadRequest(
                    f"Invalid value for ICMP {field} ({name}) {rule[name]}. It must be 0 to 255.",
                    "SecurityGroupInvalidIcmpValue",
                )
        if first is None:
            raise BadRequest(
                f"ICMP code (port-range-max) {last} is provided but ICMP type (port-range-min) is "
                "missing.",
                "SecurityGroupMissingIcmpType",
            )
    else:
        raise BadRequest(
            f"Ports cannot be specified for protocol {number}. Ports are only supported for "
            f"{', '.join(_WITH_PORTS).upper()}.",
            "SecurityGroupInvalidProtocolForPort",
        )


def _check_version(rule: Mapping[str, Any]) -> None:
    ethertype, prefix, protocol = (
        rule[name] for name in ("ethertype", "remote_ip_prefix", "protocol")
    )
    if prefix and ethertype != f"IPv{ip_interface(prefix).version}":
        raise BadRequest(
            f"Conflicting value ethertype {ethertype} for CIDR {prefix}",
            "SecurityGroupRuleParameterConflict",
        )
    only_ipv6 = [*_ONLY_IPV6, *(str(PROTOCOLS[name]) for name in _ONLY_IPV6)]
    if ethertype == "IPv4" and protocol in only_ipv6:
        raise BadRequest(
            f"Invalid ethertype {ethertype} for protocol {protocol}.",
            "SecurityGroupEthertypeConflictWithProtocol",
        )


def _key(rule: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what no two rules have in common."""
    protocol, prefix = rule["protocol"], rule["remote_ip_prefix"]
    return (
        *(rule[name] for name in _COMPARED),
        protocol and _number(protocol),
        None if prefix in ("0.0.0.0/0", "::/0") else prefix,
    )
