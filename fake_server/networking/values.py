"""The values of attributes: each function returns a value as it is kept, or refuses it."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.formats import is_mac, is_uuid
from fake_server.networking.errors import InUse, InvalidAttribute, InvalidInput, Missing

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.db.store import Record

#: Takes an attribute's name and a value.
Convert = Callable[[str, Any], Any]
_TRUE = ("true", "1", "yes", "on", "t", "y")
_FALSE = ("false", "0", "no", "off", "f", "n")
_NO_MACS = ("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff")
_OPTION_KEYS = {"opt_name", "opt_value", "ip_version"}


def anything(_name: str, value: Any) -> Any:
    """Take every value."""
    return value


def text(longest: int = 255, *, optional: bool = False) -> Convert:
    """Return what takes texts of a length."""

    def convert(name: str, value: Any) -> Any:
        if value is None and optional:
            return None
        if not isinstance(value, str):
            raise InvalidAttribute(name, f"'{value}' is not a valid string")
        if len(value) > longest:
            raise InvalidAttribute(name, f"'{value}' exceeds maximum length of {longest}")
        return value

    return convert


def boolean(_name: str, value: Any) -> bool:
    """Take booleans, and the texts that stand for them."""
    spelled = str(value).lower()
    if isinstance(value, bool | str | int) and spelled in _TRUE + _FALSE:
        return spelled in _TRUE
    raise InvalidInput(f"'{value}' cannot be converted to boolean")


def integer(_name: str, value: Any) -> int:
    """Take integers, as texts too."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(f"'{value}' is not an integer") from None


def optional_integer(name: str, value: Any) -> int | None:
    """Take integers and null."""
    return None if value is None else integer(name, value)


def uuid(name: str, value: Any) -> str:
    """Take UUIDs."""
    if not is_uuid(value):
        raise InvalidAttribute(name, f"'{value}' is not a valid UUID")
    return str(value)


def optional_uuid(name: str, value: Any) -> str | None:
    """Take UUIDs and null."""
    return None if value is None else uuid(name, value)


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


def address(name: str, value: Any) -> str | None:
    """Take IP addresses and null."""
    return None if value is None else _address(name, value)


def cidr(_name: str, value: Any) -> str:
    """Take subnets; what is behind the prefix is left out."""
    try:
        return str(ip_network(value if isinstance(value, str) else "", strict=False))
    except ValueError:
        raise InvalidInput(f"{value} is not in a CIDR format") from None


def pools(name: str, value: Any) -> list[Record]:
    """Take lists of ranges of addresses."""
    if not isinstance(value, list):
        raise InvalidInput("Invalid data format for allocation pools")
    for pool in value:
        if not isinstance(pool, dict) or set(pool) != {"start", "end"}:
            found = set(pool) if isinstance(pool, dict) else pool
            raise InvalidAttribute(
                name,
                "Validation of dictionary's keys failed. Expected keys: {'end', 'start'} "
                f"Provided keys: {found}",
            )
        for end in ("start", "end"):
            _address(name, pool[end])
    return value


def nameservers(name: str, value: Any) -> list[str]:
    """Take lists of different addresses."""
    if not isinstance(value, list):
        raise InvalidAttribute(name, f"Invalid data format for nameserver: '{value}'")
    for position, one in enumerate(value):
        if not _is_address(one):
            reason = f"'{one}' is not a valid nameserver. '{one}' is not a valid IP address"
            raise InvalidAttribute(name, reason)
        if one in value[:position]:
            raise InvalidAttribute(name, f"Duplicate nameserver '{one}'")
    return value


def routes(name: str, value: Any) -> list[Record]:
    """Take lists of routes."""
    if not isinstance(value, list):
        raise InvalidAttribute(name, f"Invalid data format for hostroute: '{value}'")
    for route in value:
        if not isinstance(route, dict) or set(route) != {"destination", "nexthop"}:
            raise InvalidAttribute(name, f"Invalid data format for hostroute: '{route}'")
        try:
            ip_network(str(route["destination"]))
        except ValueError:
            reason = f"'{route['destination']}' is not a valid CIDR"
            raise InvalidAttribute(name, reason) from None
        _address(name, route["nexthop"])
    return value


def fixed_ips(name: str, value: Any) -> list[Record]:
    """Take lists of addresses, subnets or both."""
    seen: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, dict):
            raise InvalidAttribute(name, f"Invalid data format for fixed IP: '{one}'")
        if "ip_address" in one:
            _address(name, one["ip_address"])
            if one["ip_address"] in seen:
                raise InvalidAttribute(name, f"Duplicate IP address '{one['ip_address']}'")
            seen.append(one["ip_address"])
        if "subnet_id" in one:
            uuid(name, one["subnet_id"])
    return list(value)


def address_pairs(_name: str, value: Any) -> list[Record]:
    """Take lists of addresses that the port may use beside its own."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadRequest("Allowed address pairs must be a list.")
    for pair in value:
        if not isinstance(pair, dict) or "ip_address" not in pair:
            raise BadRequest(
                "AllowedAddressPair must contain ip_address", "AllowedAddressPairsMissingIP"
            )
        unknown = sorted(set(pair) - {"ip_address", "mac_address"})
        if unknown:
            raise BadRequest(f"Unrecognized attribute(s) '{', '.join(unknown)}'")
        try:
            ip_network(str(pair["ip_address"]), strict=False)
        except ValueError:
            raise BadRequest(f"'{pair['ip_address']}' is not a valid IP address") from None
        if "mac_address" in pair and not is_mac(pair["mac_address"]):
            raise BadRequest(f"'{pair['mac_address']}' is not a valid MAC address")
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
    return [{"ip_version": 4, **option} for option in value]


def group_name(name: str, value: Any) -> str:
    """Take texts but the name of the group that every project has."""
    found: str = text()(name, value)
    if found.lower() == "default":
        raise InUse("SecurityGroupDefaultAlreadyExists", "Default security group already exists.")
    return found


def groups(name: str, value: Any) -> list[str]:
    """Take lists of the ids of different security groups."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidAttribute(name, f"'{value}' is not a list")
    for position, one in enumerate(value):
        if one in value[:position]:
            raise InvalidAttribute(name, f"Duplicate items in the list: '{one}'")
        uuid(name, one)
    return value


def hints(_name: str, value: Any) -> list[str]:
    """Take lists of availability zones, of which there are none."""
    if not isinstance(value, list):
        raise InvalidAttribute("availability_zone_hints", f"'{value}' is not a list")
    if value:
        raise Missing("AvailabilityZone", value[0])
    return []


def tags(_name: str, value: Any) -> list[str]:
    """Take lists of different texts."""
    if not isinstance(value, list):
        raise InvalidInput(f"'{value}' is not a list")
    for position, tag in enumerate(value):
        if not isinstance(tag, str):
            raise InvalidInput(f"'{tag}' is not a valid string")
        if len(tag) > 255:
            raise InvalidInput(f"'{tag}' exceeds maximum length of 255")
        if tag in value[:position]:
            raise InvalidInput(f"Duplicate items in the list: '{tag}'")
    return value


def sub_ports(name: str, value: Any) -> list[Record]:
    """Take lists of the ports of a trunk, each with another VLAN."""
    ports: list[Any] = []
    vlans: list[Any] = []
    for one in checked_ports(value, lambda reason: InvalidAttribute(name, reason)):
        vlan = one.get("segmentation_id")
        if one["port_id"] in ports:
            raise InvalidAttribute(name, f"Non unique UUID for subport: '{one['port_id']}'")
        if vlan is not None and vlan in vlans:
            raise InvalidAttribute(
                name, f"Segmentation ID '{vlan}' for '{one['port_id']}' is not unique"
            )
        ports.append(one["port_id"])
        vlans.append(vlan)
    return list(value)


def checked_ports(value: Any, refuse: Callable[[str], Exception]) -> list[Record]:
    """Return a list of objects that name ports; raise what ``refuse`` makes of a reason."""
    if not isinstance(value, list):
        raise refuse(f"Invalid data format for subports: '{value}' is not a list")
    for one in value:
        if not isinstance(one, dict):
            raise refuse(f"Invalid data format for subport: '{one}' is not a dictionary")
        if not is_uuid(one.get("port_id")):
            raise refuse("A valid port UUID must be specified")
    return value


def _address(name: str, value: Any) -> str:
    if not _is_address(value):
        raise InvalidAttribute(name, f"'{value}' is not a valid IP address")
    return str(value)


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
        and (value is None or isinstance(value, str))
        and option.get("ip_version", 4) in (4, 6)
    )
