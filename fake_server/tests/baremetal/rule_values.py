"""What inspection rules write into fields of nodes and ports, and what becomes of it.

The same is done in the real Ironic, whose results are the facts beside this module, and in the fake
server. Only the standard library is used, as it runs in Ironic's environment, too.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

VALUES: tuple[Any, ...] = ("UPPER", "", 5, True, None, {"a": 1}, ["x"], "{'a': 1}", "no such thing")
NODE_FIELDS = (
    *("allocation_id", "automated_clean", "chassis_id", "chassis_uuid", "clean_step"),
    *("conductor_group", "description", "driver", "extra", "fault", "instance_info"),
    *("instance_uuid", "last_error", "maintenance", "name", "owner", "power_state", "properties"),
    *("protected", "provision_state", "raid_config", "resource_class", "retired", "shard"),
    *("target_provision_state", "traits", "updated_at", "bogus"),
)
PORT_FIELDS = (
    *("address", "description", "extra", "is_smartnic", "local_link_connection", "name"),
    *("physical_network", "portgroup_id", "pxe_enabled", "bogus"),
)
MAC = "52:54:00:AA:BB:CC"
_PORT = re.compile(r"(?<=for port )[-0-9a-f]{36}")
_PLACE = re.compile(r" at 0x[0-9a-f]+")


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield actions: name and arguments; those on a port want its UUID as ``port_id``."""
    for field in NODE_FIELDS:
        for value in VALUES:
            yield "set-attribute", {"path": f"/{field}", "value": value}
    for field in PORT_FIELDS:
        for value in (*VALUES, *([MAC] if field == "address" else [])):
            yield "set-port-attribute", {"path": f"/{field}", "value": value}
    for field in ("traits", "extra", "name", "bogus"):
        yield "extend-attribute", {"path": f"/{field}", "value": "x"}
        yield "del-attribute", {"path": f"/{field}"}
    for name in ("CUSTOM_A", "HW_CPU_X86_VMX", "custom_a", "no trait", ""):
        yield "add-trait", {"name": name}


def line(action: str, arguments: dict[str, Any], error: str | None, stored: Any) -> str:
    """Return the fact about an action.

    :param error: why it was refused, if it was.
    :param stored: the value of the field then, or the traits.
    """
    asked = json.dumps(arguments, sort_keys=True)
    if error is None:
        return f"{action} {asked}: {json.dumps(stored, default=str)}"
    # What else a database says of its statements.
    reason = _PLACE.sub("", _PORT.sub("PORT", error)).partition("\n")[0]
    return f"{action} {asked}: refused: {reason}"
