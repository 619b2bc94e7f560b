"""The values of attributes: each function returns the stored value, or refuses it."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

from fake_server.common.formats import is_mac, is_uuid
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.networking.errors import InUse, InvalidAttribute, InvalidInput, Missing

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.db.store import Record

#: Takes an attribute's name and a value.
Convert = Callable[[str, Any], Any]
_NO_MACS = ("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff")


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


def address(name: str, value: Any) -> str | None:
    """Take IP addresses and null."""
    return None if value is None else known_address(name, value)


def cidr(_name: str, value: Any) -> str:
    """Take subnets; what is behind the prefix is left out."""
    try:
        return str(ip_network(value if isinstance(value, str) else "", strict=False))
    except ValueError:
        raise InvalidInput(f"{value} is not in a CIDR format") from None


def pools(name: str, value: Any) -> list[Record]:
    """Take lists of ranges of addresses; those that are empty stand for none."""
    if not value:
        return []
    if not isinstance(value, list) or not all(isinstance(pool, dict) for pool in value):
        raise InvalidInput("Invalid data format for allocation pools")
    for pool in value:
        _check_keys(name, pool, ("end", "start"))
        for end in ("start", "end"):
            known_address(name, pool[end])
    return value


def nameservers(name: str, value: Any) -> list[str]:
    """Take lists of different addresses; null stands for none."""
    if value is None:
        return []
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
    """Take lists of different routes; null stands for none."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidAttribute(name, f"Invalid data format for hostroute: '{value}'")
    for position, route in enumerate(value):
        if not isinstance(route, dict):
            raise InvalidAttribute(name, f"Invalid data format for hostroute: '{route}'")
        _check_keys(name, route, ("nexthop", "destination"))
        if route in value[:position]:
            raise InvalidAttribute(name, f"Duplicate hostroute '{route}'")
        try:
            ip_network(str(route["destination"]))
        except ValueError:
            reason = f"'{route['destination']}' is not a valid CIDR"
            raise InvalidAttribute(name, reason) from None
        known_address(name, route["nexthop"])
    return value


def group_name(name: str, value: Any) -> str:
    """Take texts but the name of the group that every project has."""
    found: str = text()(name, value)
    if found.lower() == "default":
        raise InUse("SecurityGroupDefaultAlreadyExists", "Default security group already exists.")
    return found


def hints(_name: str, value: Any) -> list[str]:
    """Take lists of availability zones, of which there are none."""
    if not isinstance(value, list):
        raise InvalidAttribute("availability_zone_hints", f"'{value}' is not a list")
    if value:
        raise Missing("AvailabilityZone", value[0])
    return []


def tags(name: str, value: Any) -> list[str]:
    """Take lists of different texts."""
    return checked_tags(value, lambda reason: InvalidAttribute(name, reason))


def checked_tags(value: Any, refuse: Callable[[str], Exception]) -> list[str]:
    """Return a list of different texts; raise what ``refuse`` makes of a reason."""
    if not isinstance(value, list):
        raise refuse(f"'{value}' is not a list")
    for position, tag in enumerate(value):
        if not isinstance(tag, str):
            raise refuse(f"'{tag}' is not a valid string")
        if len(tag) > 255:
            raise refuse(f"'{tag}' exceeds maximum length of 255")
        if tag in value[:position]:
            raise refuse(f"Duplicate items in the list: '{tag}'")
    return value


def _check_keys(name: str, value: Record, keys: Collection[str]) -> None:
    if set(value) != set(keys):
        expected = ", ".join(f"'{key}'" for key in keys)
        raise InvalidAttribute(
            name,
            f"Validation of dictionary's keys failed. Expected keys: {{{expected}}} Provided "
            f"keys: {set(value)}",
        )


def known_address(name: str, value: Any) -> str:
    """Take IP addresses."""
    if not _is_address(value):
        raise InvalidAttribute(name, f"'{value}' is not a valid IP address")
    return str(value)


def _is_address(value: Any) -> bool:
    try:
        ip_address(value if isinstance(value, str) else "")
    except ValueError:
        return False
    return True
