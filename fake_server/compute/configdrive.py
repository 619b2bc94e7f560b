"""What the config drive of a server holds, for Ironic to build it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fake_server.db.store import Record


def contents(server: Record) -> dict[str, Any] | None:
    """Return what a server's config drive holds (its user data, a key); ``None`` without one."""
    if not server["config_drive"] and server["user_data"] is None:
        return None
    meta_data: dict[str, Any] = {
        "uuid": server["id"],
        "name": server["name"],
        "hostname": server["hostname"],
        "project_id": server["project_id"],
        "launch_index": server["launch_index"],
        "availability_zone": server["zone"],
        "meta": server["metadata"],
    }
    if server["key_data"] is not None:
        meta_data["public_keys"] = {server["key_name"]: server["key_data"]}
    found: dict[str, Any] = {"meta_data": meta_data, "network_data": {}}
    if server["user_data"] is not None:
        found["user_data"] = base64.b64decode(server["user_data"]).decode("utf-8", "replace")
    return found
