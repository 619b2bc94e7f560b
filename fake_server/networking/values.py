"""The values of attributes: each function returns the stored value, or refuses it."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.common.formats import is_mac, is_uuid
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.networking.errors import InvalidAttribute, InvalidInput, Missing

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.db.store import Record

#: Takes an attribute's name and a value.
Convert = Callable[[str, Any], Any]
_OPTION_KEYS = {"opt_name", "opt_value", "ip_version"}
_HEXADECIMAL = re.compile(r"[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", re.IGNORECASE)
_NO_MACS = ("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff")


def anything(_name: str, value: Any) -> Any:
    """Take every value."""
    return value


def optional(convert: Convert) -> Convert:
    """Return what takes null, too."""
    return lambda name, value: None if value is None else convert(name, value)


def text(longest: int = 255) -> Convert:
    """Return what takes texts of a length."""

    def convert(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise InvalidAttribute(name, f"'{value}' is not a valid string")
        if len(value) > longest:
            raise InvalidAttribute(name, f"'{value}' exceeds maximum length of {longest}")
        return value

    return convert


def items_of(
    check: Convert,
    wrong: str = "'{}' is not a list",
    again: str = "Duplicate items in the list: '{}'",
    *,
    null: bool = True,
) -> Convert:
    """Return what takes lists of different items.

    :param wrong: what is said of a value that isn't a list.
    :param again: what is said of an item that is there twice.
    :param null: whether null stands for an empty list.
    """

    def convert(name: str, value: Any) -> list[Any]:
        if value is None and null:
            return []
        if not isinstance(value, list):
            raise InvalidAttribute(name, wrong.format(value))
        for position, one in enumerate(value):
            check(name, one)
            if one in value[:position]:
                raise InvalidAttribute(name, again.format(one))
        return value

    return convert


tags = items_of(text(), null=False)


def boolean(_name: str, value: Any) -> bool:
    """Take booleans, and the texts that stand for them."""
    found = parse_boolean(value)
    if found is None:
        raise InvalidInput(f"'{value}' cannot be converted to boolean")
    return found


def integer(_name: str, value: Any) -> int:
    """Take integers, as texts too."""
    number = parse_integer(value)
    if number is None:
        raise InvalidInput(f"'{value}' is not an integer")
    return number


def natural(name: str, value: Any) -> int:
    """Take integers from 0."""
    number = integer(name, value)
    if number < 0:
        raise InvalidAttribute(name, f"'{number}' should be non-negative")
    return number


optional_integer = optional(integer)


def between(least: int, most: int) -> Convert:
    """Return what takes integers of a range."""

    def convert(name: str, value: Any) -> int:
        number = integer(name, value)
        if number < least:
            raise InvalidAttribute(name, f"'{number}' is too small - must be at least '{least}'")
        if number > most:
            reason = f"'{number}' is too large - must be no larger than '{most}'"
            raise InvalidAttribute(name, reason)
        return number

    return convert


def port(name: str, value: Any) -> int:
    """Take the numbers of ports."""
    if parse_integer(value) is None:
        raise InvalidAttribute(name, f"'{value}' is not an integer")
    number: int = between(1, 65535)(name, value)
    return number


def port_range(name: str, value: Any) -> str:
    """Take the number of a port, or the first and the last one with a colon between."""
    parts = str(value).split(":")
    if len(parts) > 2 or not all(parts):
        reason = "Port range must be two integers separated by a colon"
        raise InvalidAttribute(name, reason)
    for part in parts:
        if parse_integer(part, minimum=0, maximum=65535, strict=True) is None:
            raise InvalidAttribute(name, f"Invalid port: {part}")
        if int(part) < 1:
            reason = f"Invalid port: {part}, the port must be in the range [1, 65535]"
            raise InvalidAttribute(name, reason)
    if int(parts[0]) > int(parts[-1]):
        reason = "First port in a port range must be lower than the second port"
        raise InvalidAttribute(name, reason)
    return str(value)


def uuid(name: str, value: Any) -> str:
    """Take UUIDs."""
    if not is_uuid(value):
        raise InvalidAttribute(name, f"'{value}' is not a valid UUID")
    return str(value)


def filled_text(name: str, value: Any) -> str:
    """Take texts that aren't blank."""
    found: str = text()(name, value)
    if not found.strip():
        raise InvalidAttribute(name, f"'{value}' Blank strings are not permitted")
    return found


def one_of(allowed: Collection[Any], convert: Convert = anything) -> Convert:
    """Return what takes only these values."""

    def check(name: str, value: Any) -> Any:
        value = convert(name, value)
        if value not in allowed:
            raise InvalidAttribute(name, f"{value} is not in valid_values")
        return value

    return check


def mac(name: str, value: Any) -> str | None:
    """Take MAC addresses; null stands for a new one."""
    if value is None:
        return None
    if isinstance(value, str):
        value = value.replace("-", ":")
    if not is_mac(value) or value.lower() in _NO_MACS:
        raise InvalidAttribute(name, f"'{value}' is not a valid MAC address")
    return str(value).lower()


def dictionary(name: str, value: Any) -> Record:
    """Take objects; null stands for an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidAttribute(name, f"'{value}' is not a dictionary")
    return value


def address(name: str, value: Any) -> str:
    """Take IP addresses."""
    if not _is_address(value):
        raise InvalidAttribute(name, f"'{value}' is not a valid IP address")
    return str(value)


def cidr(_name: str, value: Any) -> str:
    """Take subnets; what is behind the prefix is left out."""
    try:
        return str(ip_network(value if isinstance(value, str) else "", strict=False))
    except ValueError:
        raise InvalidInput(f"{value} is not in a CIDR format") from None


def subnet(name: str, value: Any) -> None:
    """Take a subnet."""
    try:
        ip_network(value if isinstance(value, str) else "")
    except ValueError:
        raise InvalidAttribute(name, f"'{value}' is not a valid IP subnet") from None


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


def nameserver(name: str, value: Any) -> None:
    """Take the address of a name server."""
    if not _is_address(value):
        reason = f"'{value}' is not a valid nameserver. '{value}' is not a valid IP address"
        raise InvalidAttribute(name, reason)


def route(name: str, value: Any) -> None:
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


def target_project(_name: str, value: Any) -> str:
    """Take the id of a project, or ``*`` for all of them."""
    if value != "*" and not (isinstance(value, str) and _HEXADECIMAL.fullmatch(value)):
        raise InvalidInput(f"'{value}' is not a valid target project ID; expected a UUID or '*'")
    return str(value)


def group_name(name: str, value: Any) -> str:
    """Take texts but the name of the group that every project has."""
    found: str = text()(name, value)
    if found.lower() == "default":
        raise Conflict(
            "Default security group already exists.", "SecurityGroupDefaultAlreadyExists"
        )
    return found


def zone(_name: str, value: Any) -> None:
    """Take the name of an availability zone, of which there are none."""
    raise Missing("AvailabilityZone", value)


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


def _is_address(value: Any) -> bool:
    try:
        ip_address(value if isinstance(value, str) else "")
    except ValueError:
        return False
    return True


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
