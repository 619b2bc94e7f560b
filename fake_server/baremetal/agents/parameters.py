"""The parameters of commands to agents."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from fake_server.common.masking import mask

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record

#: Columns of nodes that Ironic doesn't have.
_OWN = ("agent_certificate", "delays_drawn")
#: Columns that are empty objects where nothing is in them.
_OBJECTS = ("extra", "internal_info", "local_link_connection", "network_data")
_SECRETIVE = ("driver_info", "driver_internal_info", "instance_info")

#: Arguments of the step that builds RAID.
RAID_ARGUMENTS = {
    "raid_config": {"description": "The RAID configuration to apply.", "required": True},
    "delete_existing": {
        "description": "Setting this to 'True' indicates to delete existing RAID configuration "
        "prior to creating the new configuration. Default value is 'True'.",
        "required": False,
    },
}


def about(task: Task, *, with_drive: bool = False) -> dict[str, Any]:
    """Return the parameters that name the node and its ports; secrets are masked.

    :param with_drive: whether the agent is to read the configuration drive.
    """
    node = _plain(task.node)
    for column in _OWN:
        del node[column]
    drive = node["instance_info"].get("configdrive")
    node.update({column: mask(node[column] or {}) for column in _SECRETIVE})
    if drive and with_drive:
        node["instance_info"]["configdrive"] = drive
    node["reservation"] = task.host
    traits = [{"node_id": node["id"], "trait": trait} for trait in task.traits]
    node["traits"] = {"objects": traits}
    ports = [{**_plain(port), "node_uuid": node["uuid"]} for port in task.ports]
    return {"node": node, "ports": ports}


def for_step(task: Task, flow: str, step: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a step.

    :param flow: ``clean``, ``deploy`` or ``service``.
    """
    version = task.internal.get("hardware_manager_version")
    params = about(task, with_drive=flow == "deploy")
    return {"step": step, **params, f"{flow}_version": version}


def _plain(row: Record) -> dict[str, Any]:
    return {column: _plain_value(column, value) for column, value in row.items()}


def _plain_value(column: str, value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return {} if value is None and column in _OBJECTS else value
