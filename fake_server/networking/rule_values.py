"""The values of security group rules: each function returns the stored value, or refuses it."""

from __future__ import annotations

from ipaddress import ip_interface
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_integer
from fake_server.networking.errors import InvalidInput
from fake_server.networking.values import one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Numbers of protocols by the names that rules can have, in the order in which errors list them.
PROTOCOLS: Mapping[str, int] = MappingProxyType(
    {
        "ah": 51,
        "dccp": 33,
        "egp": 8,
        "esp": 50,
        "gre": 47,
        "hopopt": 0,
        "icmp": 1,
        "igmp": 2,
        "ip": 0,
        "ipip": 4,
        "ipv6-encap": 41,
        "ipv6-frag": 44,
        "ipv6-icmp": 58,
        "icmpv6": 58,
        "ipv6-nonxt": 59,
        "ipv6-opts": 60,
        "ipv6-route": 43,
        "ospf": 89,
        "pgm": 113,
        "rsvp": 46,
        "sctp": 132,
        "tcp": 6,
        "udp": 17,
        "udplite": 136,
        "vrrp": 112,
    }
)
FORWARDED = ("dccp", "icmp", "ipv6-icmp", "sctp", "tcp", "udp")
_ANY = (None, "any")
_ETHERTYPES = ("IPv4", "IPv6")


def protocol(_name: str, value: Any) -> str | None:
    """Take the names and the numbers of protocols; null and ``any`` stand for all."""
    if value is None or value == "any":
        return None
    number = parse_integer(value, minimum=0, maximum=255)
    if number is not None:
        return str(number)
    if isinstance(value, str) and value.lower() in PROTOCOLS:
        return value.lower()
    raise BadRequest(
        f"Security group rule protocol {value} not supported. Only protocol values "
        f"{(*_ANY, *PROTOCOLS)} and integer representations [0 to 255] are supported.",
        "SecurityGroupRuleInvalidProtocol",
    )


def forwarded(name: str, value: Any) -> Any:
    """Take the names of protocols whose ports a floating IP can forward."""
    number = parse_integer(value, minimum=0, maximum=255)
    if number is None and str(value).lower() not in FORWARDED:
        raise InvalidInput(
            f"IP protocol '{value}' is not supported. Only protocol names and their integer "
            "representation (0 to 255) are supported"
        )
    return one_of(FORWARDED)(name, value)


def ethertype(_name: str, value: Any) -> str:
    """Take the versions of IP, in upper case or not."""
    for one in _ETHERTYPES:
        if isinstance(value, str) and value.lower() == one.lower():
            return one
    raise BadRequest(
        f"Security group rule for ethertype '{value}' not supported. Allowed values are "
        f"{list(_ETHERTYPES)}.",
        "SecurityGroupRuleInvalidEtherType",
    )


def port(_name: str, value: Any) -> int | None:
    """Take the numbers of ports, as texts too, and null."""
    if value is None:
        return None
    number = parse_integer(value, minimum=0, maximum=65535)
    if number is None:
        raise BadRequest(f"Invalid value for port {value}", "SecurityGroupInvalidPortValue")
    return number


def prefix(_name: str, value: Any) -> str | None:
    """Take addresses and subnets; an empty text is the same as null."""
    if not value:
        return None
    try:
        return str(ip_interface(value if isinstance(value, str) else ""))
    except ValueError:
        raise BadRequest(f"Invalid CIDR {value} given as IP prefix.", "InvalidCIDR") from None
