"""The values of attributes that have others inside: routes, gateways, fixed IPs and so on."""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.formats import is_mac, is_uuid
from fake_server.networking.errors import InvalidAttribute, InvalidInput
from fake_server.networking.values import address, boolean, dictionary, optional, uuid

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.db.store import Record
    from fake_server.networking.values import Convert

_OPTION_KEYS = {"opt_name", "opt_value", "ip_version"}


def pools(name: str, value: Any) -> list[Record]:
    """Take lists of ranges of addresses; those that are empty stand for none."""
    if not value:
        return []
    if not isinstance(value, list) or not all(isinstance(pool, dict) for pool in value):
        raise InvalidInput("Invalid data format for allocation pools")
    for pool in value:
        _check_keys(name, pool, ("end", "start"))
        for end in ("start", "end"):
            address(name, pool[end])
    return value


def route(name: str, value: Any) -> Record:
    """Take a route to a subnet."""
    if not isinstance(value, dict):
        raise InvalidAttribute(name, f"Invalid data format for hostroute: '{value}'")
    _check_keys(name, value, ("nexthop", "destination"))
    try:
        ip_network(str(value["destination"]))
    except ValueError:
        reason = f"'{value['destination']}' is not a valid CIDR"
        raise InvalidAttribute(name, reason) from None
    address(name, value["nexthop"])
    return value


def gateway(name: str, value: Any) -> Record:
    """Take the gateway of a router; null and an empty object stand for none."""
    found = dictionary(name, value)
    if not found:
        return {}
    unknown = sorted(set(found) - {"network_id", *_GATEWAY})
    if unknown:
        raise InvalidAttribute(name, f"Unexpected keys supplied: {', '.join(unknown)}")
    if "network_id" not in found:
        raise InvalidAttribute(
            name,
            "Validation of dictionary's keys failed. Expected keys: {'network_id'} Provided keys: "
            f"{set(found)}",
        )
    uuid(name, found["network_id"])
    checked = {key: check(name, found[key]) for key, check in _GATEWAY.items() if key in found}
    return {**found, **checked}


def fixed_ips(name: str, value: Any) -> list[Record]:
    """Take lists of addresses, subnets or both."""
    seen: list[str] = []
    if value is None:
        return []
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, dict) or not isinstance(value, list):
            raise InvalidAttribute(name, f"Invalid data format for fixed IP: '{one}'")
        if "ip_address" in one:
            address(name, one["ip_address"])
            if one["ip_address"] in seen:
                raise InvalidAttribute(name, f"Duplicate IP address '{one['ip_address']}'")
            seen.append(one["ip_address"])
        if "subnet_id" in one:
            uuid(name, one["subnet_id"])
    return list(value)


def address_pairs(name: str, value: Any) -> list[Record]:
    """Take lists of addresses that the port may use beside its own."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadRequest("Allowed address pairs must be a list.")
    for position, pair in enumerate(value):
        if not isinstance(pair, dict):
            raise InvalidAttribute(name, f"'{pair}' is not a dictionary")
        if "ip_address" not in pair:
            raise BadRequest(
                "AllowedAddressPair must contain ip_address", "AllowedAddressPairsMissingIP"
            )
        unknown = sorted(set(pair) - {"ip_address", "mac_address"})
        if unknown:
            raise BadRequest(f"Unrecognized attribute(s) '{', '.join(unknown)}'")
        try:
            network = ip_network(str(pair["ip_address"]), strict=False)
        except ValueError:
            raise BadRequest(f"'{pair['ip_address']}' is not a valid IP address") from None
        if network.is_multicast:
            raise BadRequest(
                f"IP {pair['ip_address']} is a multicast address, which is not supported."
            )
        if "mac_address" in pair and not is_mac(pair["mac_address"]):
            raise BadRequest(f"'{pair['mac_address']}' is not a valid MAC address")
        if pair in value[:position]:
            raise BadRequest(
                f"Request contains duplicate address pair: mac_address {pair.get('mac_address')} "
                f"ip_address {pair['ip_address']}.",
                "DuplicateAddressPairInRequest",
            )
    return value


def dhcp_options(_name: str, value: Any) -> list[Record]:
    """Take lists of DHCP options; a value of null takes one away."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidInput(f"'{value}' is not a list")
    for option in value:
        if not isinstance(option, dict) or not _is_option(option):
            raise InvalidInput(f"No valid key specs matched for: {option}")
    return [{**option, "ip_version": int(option.get("ip_version", 4))} for option in value]


def sub_ports(name: str, value: Any) -> list[Record]:
    """Take lists of the ports of a trunk, each with another VLAN."""
    if not isinstance(value, list):
        raise InvalidAttribute(name, f"Invalid data format for subports: '{value}' is not a list")
    ports: list[Any] = []
    vlans: list[Any] = []
    for one in value:
        if not isinstance(one, dict):
            raise InvalidAttribute(name, f"Invalid data format for subport: '{one}' is not a dict")
        if not is_uuid(one.get("port_id")):
            raise InvalidAttribute(name, "A valid port UUID must be specified")
        vlan = one.get("segmentation_id")
        if one["port_id"] in ports:
            raise InvalidAttribute(name, f"Non unique UUID for subport: '{one['port_id']}'")
        if vlan is not None and vlan in vlans:
            raise InvalidAttribute(
                name, f"Segmentation ID '{vlan}' for '{one['port_id']}' is not unique"
            )
        ports.append(one["port_id"])
        vlans.append(vlan)
    return value


#: What is known of the gateway of a router beside its network.
_GATEWAY: dict[str, Convert] = {
    "external_fixed_ips": fixed_ips,
    "enable_snat": boolean,
    "qos_policy_id": optional(uuid),
}


def _check_keys(name: str, value: Record, keys: Collection[str]) -> None:
    if set(value) != set(keys):
        expected = ", ".join(f"'{key}'" for key in keys)
        raise InvalidAttribute(
            name,
            f"Validation of dictionary's keys failed. Expected keys: {{{expected}}} Provided "
            f"keys: {set(value)}",
        )


def _is_option(option: Record) -> bool:
    value = option.get("opt_value")
    return (
        set(option) <= _OPTION_KEYS
        and isinstance(option.get("opt_name"), str)
        and bool(option["opt_name"].strip())
        and "opt_value" in option
        and (value is None or (isinstance(value, str) and bool(value.strip())))
        and str(option.get("ip_version", 4)) in ("4", "6")
    )
