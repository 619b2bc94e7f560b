"""What error messages of Ironic, its agent and its libraries mean, and where to look."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from baremetalclient._http.urls import without_credentials

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class _KnownError(NamedTuple):
    """An error that has a usual cause.

    :param pattern: matches its message.
    :param cause: the cause; ``{}`` is the address of the management controller.
    """

    pattern: re.Pattern[str]
    cause: str


def _row(pattern: str, cause: str) -> _KnownError:
    return _KnownError(re.compile(pattern, re.IGNORECASE), cause)


_ADDRESSES = ("redfish_address", "ipmi_address", "drac_address", "ilo_address", "irmc_address")
# The first that matches: messages quote each other, so the more specific ones come first.
_KNOWN_ERRORS = (
    _row(
        r"returned code 40[13]|invalid user ?name|RAKP",
        "The management controller{} refuses the user name or the password in driver_info.",
    ),
    _row(
        r"certificate.verify.failed",
        "The certificate of the management controller{} is not trusted. Give its CA in "
        "driver_info, as redfish_verify_ca.",
    ),
    _row(
        r"Redfish connection failed|IPMI call failed|unable to establish (IPMI|LAN)",
        "The management controller{} does not respond. Check its power, its network, and its "
        "address in driver_info.",
    ),
    _row(
        r"Timeout reached while (waiting for .*callback|cleaning|servicing)|inspection timed out",
        "The ramdisk did not report in time. See the console of the machine: did it boot from the "
        "network, and can the ramdisk reach the API of Ironic?",
    ),
    _row(
        r"Connection to agent failed|Agent API for node|Timeout executing command",
        "The ramdisk stopped responding. See the console of the machine, and its network.",
    ),
    _row(
        r"Agent seems offline",
        "Ironic does not manage the power of this machine: boot the ramdisk on it by hand.",
    ),
    _row(
        r"verify(ing)? .*checksum",
        "The image is not the one that image_checksum, or image_os_hash_value, describes.",
    ),
    _row(
        r"Error downloading image|Image download timeout|Failed to download image|"
        r"Validation of image href|Image \S+ could not be found|Not authorized for image",
        "The image cannot be fetched. Check image_source in instance_info, and whether the ramdisk "
        "can reach it.",
    ),
    _row(
        r"No space left on device|image .*(too large|does not fit|bigger than)",
        "The image does not fit on the disk.",
    ),
    _row(
        r"No suitable device was found|Error finding the disk",
        "No disk of the machine fits. Check root_device in the properties of the node.",
    ),
    _row(
        r"Failed to set node power state|Timeout.* power",
        "The machine does not reach the power state that Ironic asks for. See its management "
        "controller{}.",
    ),
    _row(
        r"network with name or UUID \S+ was not found|UUID or name of .* network is not set",
        "Neutron has no such network. Check the networks in driver_info, and those in ironic.conf.",
    ),
    _row(
        r"Failed to update binding|Binding failed for port|portbindings",
        "Neutron cannot bind the port: nothing handles the physical network of the node, or its "
        "local_link_connection is wrong.",
    ),
)


def cause_of(message: str | None, driver_info: Mapping[str, Any] | None) -> str | None:
    """Return the usual cause of an error, and where to look; None if it is not known.

    :param message: what Ironic says about it.
    :param driver_info: that of the node, for the address of its management controller.
    """
    if not message:
        return None
    cause = next((one.cause for one in _KNOWN_ERRORS if one.pattern.search(message)), None)
    addresses = (str((driver_info or {}).get(name) or "") for name in _ADDRESSES)
    address = next(filter(None, addresses), "")
    return cause and cause.format(f" at {without_credentials(address)}" if address else "")
