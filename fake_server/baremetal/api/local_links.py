"""The schema of ``local_link_connection`` of a port."""

from __future__ import annotations

import re
from typing import Any

from fake_server.baremetal import arguments
from fake_server.baremetal.arguments import checked
from fake_server.baremetal.errors import Invalid
from fake_server.common.formats import is_mac
from fake_server.common.schemas import Checker, Schema

#: Keys that only some versions know.
OVN_KEYS = ("vtep-logical-switch", "vtep-physical-switch")

_DATAPATH_ID = re.compile(r"[0-9a-f]{16}$")


def _link(*required: str, types: tuple[str, ...] = ("managed", "unmanaged")) -> Schema:
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {
            "port_id": text,
            "switch_id": text,
            "hostname": text,
            "switch_info": text,
            "network_type": {"type": "string", "enum": list(types)},
            **dict.fromkeys(OVN_KEYS, text),
        },
        "additionalProperties": False,
        "dependentRequired": {OVN_KEYS[0]: [OVN_KEYS[1]], OVN_KEYS[1]: [OVN_KEYS[0]]},
        "required": list(required),
    }


_SMART_NIC = _link("port_id", "hostname")
_ANY = {
    "anyOf": [
        _link("port_id", "switch_id"),
        _SMART_NIC,
        _link("network_type", types=("unmanaged",)),
        _link("port_id", *OVN_KEYS),
        {"type": "object", "additionalProperties": False},
    ]
}
_check_smart_nic = Checker(_SMART_NIC)


def fits_smart_nic(link: dict[str, Any] | None) -> bool:
    """Return whether a link, if there is one, is that of a Smart NIC."""
    return link is None or _check_smart_nic.best(link) is None


def _with_switch(_name: str, link: Any) -> Any:
    """Write the address of the switch in lower case."""
    if link and "switch_id" in link:
        switch = link["switch_id"].lower()
        if not is_mac(switch) and not _DATAPATH_ID.match(switch):
            raise Invalid(
                f"Expected a MAC address or OpenFlow datapath ID but received {link['switch_id']}."
            )
        link["switch_id"] = switch
    return link


#: Takes the link of a port.
local_link = arguments.chain(checked(_ANY), _with_switch)
