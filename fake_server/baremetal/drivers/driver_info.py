"""The fields of ``driver_info`` about the controller (BMC) of a machine."""

from __future__ import annotations

import ipaddress
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.arguments import is_host_name
from fake_server.baremetal.errors import InvalidParameterValue, MissingParameterValue
from fake_server.common.parsing import parse_boolean, parse_integer

if TYPE_CHECKING:
    from fake_server.db.store import Record

#: An absolute URI with a host, after RFC 3986.
_URI = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://"
    r"(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?"
    r"(?:\[[0-9A-Fa-f:.]+(?:%25[\w.~-]+)?\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)"
    r"(?::\d*)?"
    r"(?:/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?"
    r"(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?"
    r"(?:\#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?",
    re.ASCII,
)
_HAS_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]")
_AUTHENTICATION = ("basic", "session", "auto")
_TLS_VERSIONS = ("1.1", "1.2", "1.3")
_IPMI_VERSIONS = ("2.0", "1.5")
_PRIVILEGES = ("ADMINISTRATOR", "CALLBACK", "OPERATOR", "USER")
#: What each kind of bridging needs to know.
_BRIDGING = {
    "single": ("ipmi_target_channel", "ipmi_target_address"),
    "dual": (
        "ipmi_target_channel",
        "ipmi_target_address",
        "ipmi_transit_channel",
        "ipmi_transit_address",
    ),
}
_LAST_PORT = 65535


def is_uri(value: Any) -> bool:
    """Return whether a value is an absolute URI with a host."""
    return isinstance(value, str) and _URI.fullmatch(value) is not None


def check_redfish(node: Record) -> None:
    """Check what a Redfish controller is reached with.

    :raises MissingParameterValue: if it has no address.
    :raises InvalidParameterValue: for a value that isn't valid.
    """
    info, uuid = node["driver_info"], node["uuid"]
    if not info.get("redfish_address"):
        raise MissingParameterValue(
            f"Missing the following Redfish properties in node {uuid} driver_info: "
            "['redfish_address']"
        )
    _check_redfish_address(info["redfish_address"], uuid)
    system = info.get("redfish_system_id")
    if system is not None and not isinstance(system, str):
        raise InvalidParameterValue(
            f'Invalid value "{system}" set in driver_info/redfish_system_id on node {uuid}. The '
            "value should be a path (string) to the resource that the driver will interact with. "
            "For example: /redfish/v1/Systems/1"
        )
    _check_certificates(info.get("redfish_verify_ca", True), uuid)
    kind = info.get("redfish_auth_type", "auto")
    if kind not in _AUTHENTICATION:
        raise InvalidParameterValue(
            f'Invalid value "{kind}" set in driver_info/redfish_auth_type on node {uuid}. The '
            'value should be one of "basic", "session" or "auto".'
        )
    version = info.get("redfish_tls_minimum_version")
    if version and version not in _TLS_VERSIONS:
        raise InvalidParameterValue(
            f'Invalid value "{version}" set in driver_info/redfish_tls_minimum_version on node '
            f'{uuid}. The value should be one of "1.1", "1.2", or "1.3".'
        )


def check_ipmi(node: Record) -> None:
    """Check what an IPMI controller is reached with; its address may be any text.

    :raises MissingParameterValue: if something is left out.
    :raises InvalidParameterValue: for a value that isn't valid.
    """
    info = node["driver_info"]
    if not info.get("ipmi_address"):
        raise MissingParameterValue(
            "Missing the following IPMI credentials in node's driver_info: ['ipmi_address']."
        )
    version = str(info.get("ipmi_protocol_version", "2.0"))
    if version not in _IPMI_VERSIONS:
        raise InvalidParameterValue(
            f"Invalid IPMI protocol version value {version}, the valid value can be one of "
            f"{', '.join(_IPMI_VERSIONS)}"
        )
    _check_port(info, "ipmi_terminal_port", info.get("ipmi_terminal_port") or None)
    _check_port(info, "ipmi_port", info.get("ipmi_port"))
    _check_bridging(info)
    privilege = info.get("ipmi_priv_level", "ADMINISTRATOR")
    if privilege not in _PRIVILEGES:
        raise InvalidParameterValue(
            f"Invalid privilege level value:{privilege}, the valid value can be one of "
            f"{', '.join(_PRIVILEGES)}"
        )
    key = info.get("ipmi_hex_kg_key")
    if key and len(str(key)) % 2:
        raise InvalidParameterValue("Number of ipmi_hex_kg_key characters is not even")
    suite = info.get("ipmi_cipher_suite")
    if suite is None:
        return
    if parse_integer(suite) is None:
        raise InvalidParameterValue(f"Invalid cipher suite {suite}, expected a number")
    if version == "1.5":
        raise InvalidParameterValue("Cipher suites cannot be used with IPMI 1.5")


def check_ipmi_address(node: Record) -> None:
    """Check that the address of an IPMI controller is that of a host."""
    address = node["driver_info"].get("ipmi_address")
    try:
        ipaddress.ip_address(address)
    except ValueError:
        if not is_host_name(address):
            raise InvalidParameterValue(
                f'Invalid IPMI address "{address}" for node {node["uuid"]}. Must be a valid IP '
                "address or hostname."
            ) from None


def check_ipmi_console(node: Record) -> None:
    """Check what a console over IPMI needs.

    :raises InvalidParameterValue: if its port or a newer version of IPMI is missing.
    """
    check_ipmi(node)
    info = node["driver_info"]
    if not info.get("ipmi_terminal_port"):
        raise MissingParameterValue(
            "Either missing 'ipmi_terminal_port' parameter in node's driver_info or "
            "[console]port_range is not configured"
        )
    if str(info.get("ipmi_protocol_version", "2.0")) != "2.0":
        raise InvalidParameterValue(
            "Serial over lan only works with IPMI protocol version 2.0. Check the "
            "'ipmi_protocol_version' parameter in node's driver_info"
        )


def redfish_url(address: str) -> str:
    """Return the URL of a Redfish controller: by HTTPS unless its address says otherwise."""
    with suppress(ValueError):
        address = f"[{ipaddress.IPv6Address(address)}]"
    return address if _HAS_AUTHORITY.match(address) else f"https://{address}"


def _check_redfish_address(address: Any, uuid: str) -> None:
    if isinstance(address, str):
        address = redfish_url(address)
    if not is_uri(address):
        raise InvalidParameterValue(
            f"Invalid Redfish address {address} set in driver_info/redfish_address on node {uuid}"
        )


def _check_certificates(value: Any, uuid: str) -> None:
    if isinstance(value, bool):
        return
    known = parse_boolean(value) is not None
    if isinstance(value, str) and (known or (value and os.path.exists(value))):
        return
    raise InvalidParameterValue(
        f"Invalid value type set in driver_info/redfish_verify_ca on node {uuid}. The value should "
        f'be a Boolean or the path to a file/directory, not "{value}"'
    )


def _check_port(info: Record, name: str, port: Any) -> None:
    if port is None:
        return
    if parse_integer(port, minimum=0, maximum=_LAST_PORT) is None:
        raise InvalidParameterValue(f'{name} "{port}" is not a valid port.')


def _check_bridging(info: Record) -> None:
    kind = info.get("ipmi_bridging", "no")
    if kind == "no":
        return
    if kind not in _BRIDGING:
        raise InvalidParameterValue(
            f"Invalid value for ipmi_bridging: {kind}, the valid value can be one of: "
            f"{[*_BRIDGING, 'no']}"
        )
    missing = [name for name in _BRIDGING[kind] if info.get(name) is None]
    if missing:
        raise MissingParameterValue(f"{missing} not provided")
