"""The schema of a node's ``network_data``: what Nova gives an instance as its network metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fake_server.common.schemas import Schema

_MAC = "(?i)^([0-9A-F]{2}[:-]){5}([0-9A-F]{2})$"
_OCTET = "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)"
_STRICT_OCTET = "([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
_IPV4 = rf"^(?:{_OCTET}\.){{3}}{_OCTET}$"
_IPV4_NETWORK = rf"^({_STRICT_OCTET}\.){{3}}{_STRICT_OCTET}$"
_MASK_OCTET = "(254|252|248|240|224|192|128|0)"
_IPV4_NETMASK = (
    rf"^{_MASK_OCTET}\.0\.0\.0|255\.{_MASK_OCTET}\.0\.0|255\.255\.{_MASK_OCTET}\.0"
    rf"|255\.255\.255\.{_MASK_OCTET}$"
)
_GROUP = "[0-9a-fA-F]{1,4}"
_TAIL_OCTET = "(25[0-5]|(2[0-4]|1{0,1}[0-9]){0,1}[0-9])"
_DOTTED = rf"({_TAIL_OCTET}\.){{3,3}}{_TAIL_OCTET}"
#: IPv6 addresses in groups only, all but those that are nothing but colons.
_GROUPS = "|".join(
    (
        f"({_GROUP}:){{7,7}}{_GROUP}",
        f"({_GROUP}:){{1,7}}:",
        f"({_GROUP}:){{1,6}}:{_GROUP}",
        *(f"({_GROUP}:){{1,{7 - n}}}(:{_GROUP}){{1,{n}}}" for n in range(2, 6)),
        f"{_GROUP}:((:{_GROUP}){{1,6}})",
    )
)
_IPV6 = "|".join(
    (
        _GROUPS,
        f":((:{_GROUP}){{1,7}}|:)",
        "fe80:(:[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}",
        f"::(ffff(:0{{1,4}}){{0,1}}:){{0,1}}{_DOTTED}",
        f"({_GROUP}:){{1,4}}:{_DOTTED}",
    )
)
_IPV6_HOST = f"^({_IPV6})(/[0-9]{{1,2}})?$"
_IPV6_GATEWAY = f"^({_IPV6})$"
_IPV6_NETWORK = f"^({_GROUPS}|:((:{_GROUP}){{1,7}})|(::))$"

_TEXT: Schema = {"type": "string"}


def _pattern(pattern: str) -> Schema:
    return {"type": "string", "pattern": pattern}


def _choice(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(required: tuple[str, ...], **properties: Schema) -> Schema:
    return {"type": "object", "required": list(required), "properties": properties}


def _link(kind: Schema, required: tuple[str, ...], address: str, **more: Schema) -> Schema:
    properties: dict[str, Schema] = {
        "id": _TEXT,
        address: _pattern(_MAC),
        "mtu": {"anyOf": [{"type": "number", "minimum": 1, "maximum": 65535}, {"type": "null"}]},
        "type": kind,
        "vif_id": _TEXT,
        **more,
    }
    return _object((address, "id", "type", *required), **properties)


def _service(address: str) -> Schema:
    return _object(("address", "type"), address=_pattern(address), type=_choice("dns"))


def _network(kind: Schema, host: str, netmask: str, network: str, gateway: str) -> Schema:
    route = _object(
        ("gateway", "netmask", "network"),
        network=_pattern(network),
        netmask=_pattern(netmask),
        gateway=_pattern(gateway),
        services=_list(_service(host)),
    )
    return _object(
        ("id", "link", "network_id", "type"),
        id=_TEXT,
        link=_TEXT,
        network_id=_TEXT,
        type=kind,
        ip_address=_pattern(host),
        netmask=_pattern(netmask),
        routes=_list(route),
    )


def schema() -> dict[str, Any]:
    """Return the schema."""
    physical = _choice("bridge", "dvs", "hw_veb", "hyperv", "ovs", "tap", "vhostuser", "vif", "phy")
    modes = _choice(
        "802.3ad",
        "balance-rr",
        "active-backup",
        "balance-xor",
        "broadcast",
        "balance-tlb",
        "balance-alb",
    )
    links = [
        _link(physical, (), "ethernet_mac_address"),
        _link(
            _choice("bond"),
            ("bond_mode", "bond_links"),
            "ethernet_mac_address",
            bond_mode=modes,
            bond_links=_list(_TEXT),
        ),
        _link(
            _choice("vlan"),
            ("vlan_link", "vlan_id"),
            "vlan_mac_address",
            vlan_id={"type": "integer"},
            vlan_link=_TEXT,
        ),
    ]
    networks = [
        _network(_choice("ipv4", "ipv4_dhcp"), _IPV4, _IPV4_NETMASK, _IPV4_NETWORK, _IPV4),
        _network(
            _choice("ipv6", "ipv6_dhcp", "ipv6_slaac"),
            _IPV6_HOST,
            _IPV6_NETWORK,
            _IPV6_NETWORK,
            _IPV6_GATEWAY,
        ),
    ]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "required": ["links", "networks", "services"],
        "properties": {
            "links": _list({"oneOf": links}),
            "networks": _list({"oneOf": networks}),
            "services": _list({"anyOf": [_service(_IPV4), _service(_IPV6_HOST)]}),
        },
    }
