"""What nodes are told of their instances, as Nova's ``virt.ironic.patcher``."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.session import Session
    from fake_server.db.store import Record


def instance_info(
    session: Session,
    instance: Record,
    node: Mapping[str, Any],
    owner: Mapping[str, str],
    *,
    from_volume: bool,
) -> dict[str, Any]:
    """Return what a node is told of its instance, by the paths of a patch."""
    flavor = instance["flavor"]
    values: dict[str, Any] = {
        "root_gb": str(flavor["disk"]),
        "swap_mb": str(flavor["swap"]),
        "display_name": instance["name"],
        "vcpus": str(flavor["vcpus"]),
        "nova_host_id": session.host,
        "memory_mb": str(flavor["ram"]),
        "local_gb": str((node["properties"] or {}).get("local_gb", 0)),
        "project_id": instance["project_id"],
        "project_name": owner["project_name"],
        "user_id": instance["user_id"],
        "user_name": owner["user_name"],
        "flavor_name": flavor["name"],
    }
    if not from_volume:
        values["image_source"] = instance["image_ref"]
        # Ironic would ask the Image service; this one does not.
        values["image_type"] = "whole-disk"
    if flavor["ephemeral"]:
        values["ephemeral_gb"] = str(flavor["ephemeral"])
    capabilities, traits = {}, []
    for key, value in flavor["extra_specs"].items():
        prefix, _, name = key.partition(":")
        if prefix == "capabilities":
            capabilities[name] = value
        elif prefix.startswith("trait") and value == "required":
            traits.append(name)
    if capabilities:
        values["capabilities"] = json.dumps(capabilities)
    if traits:
        values["traits"] = traits
    return {f"/instance_info/{name}": value for name, value in values.items()}


def config_drive(instance: Record) -> dict[str, Any] | None:
    """Return what an instance's config drive holds; ``None`` without one."""
    if not instance["config_drive"] and instance["user_data"] is None:
        return None
    meta_data: dict[str, Any] = {
        "uuid": instance["id"],
        "name": instance["name"],
        "hostname": instance["hostname"],
        "project_id": instance["project_id"],
        "launch_index": instance["launch_index"],
        "availability_zone": instance["zone"],
        "meta": instance["metadata"],
    }
    if instance["key_data"] is not None:
        meta_data["public_keys"] = {instance["key_name"]: instance["key_data"]}
    found: dict[str, Any] = {"meta_data": meta_data, "network_data": {}}
    if instance["user_data"] is not None:
        found["user_data"] = base64.b64decode(instance["user_data"]).decode("utf-8", "replace")
    return found
