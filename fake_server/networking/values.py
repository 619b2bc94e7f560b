"""The values of attributes: each function returns the stored value, or refuses it."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_address, ip_interface, ip_network
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict
from fake_server.common.formats import is_mac, is_uuid
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.networking.errors import InvalidAttribute, InvalidInput, Missing

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.db.store import Record

#: Takes an attribute's name and a value.
Convert = Callable[[str, Any], Any]
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
        found = []
        for position, one in enumerate(value):
            found.append(check(name, one))
            if one in value[:position]:
                raise InvalidAttribute(name, again.format(one))
        return found

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
    if not is_address(value):
        raise InvalidAttribute(name, f"'{value}' is not a valid IP address")
    return str(value)


def cidr(_name: str, value: Any) -> str:
    """Take subnets; what is behind the prefix is left out."""
    try:
        return str(ip_network(value if isinstance(value, str) else "", strict=False))
    except ValueError:
        raise InvalidInput(f"{value} is not in a CIDR format") from None


def subnet(name: str, value: Any) -> str:
    """Take subnets whose prefix has a length; what is behind the prefix is left out."""
    try:
        found = ip_interface(value if isinstance(value, str) and "/" in value else "")
    except ValueError:
        found = None
    # Of version 4, it has to be written out.
    if found is None or (found.version == 4 and str(found) != value):
        raise InvalidAttribute(name, f"'{value}' is not a valid IP subnet")
    return str(found.network)


def nameserver(name: str, value: Any) -> str:
    """Take the address of a name server."""
    if not is_address(value):
        reason = f"'{value}' is not a valid nameserver. '{value}' is not a valid IP address"
        raise InvalidAttribute(name, reason)
    return str(value)


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


def is_address(value: Any) -> bool:
    """Return whether a value is an IP address."""
    try:
        ip_address(value if isinstance(value, str) else "")
    except ValueError:
        return False
    return True
