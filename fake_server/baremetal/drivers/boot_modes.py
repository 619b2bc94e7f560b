"""How the instance of a node boots: in which mode, with which boot loader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors
from fake_server.baremetal.agents.commands import agent_of
from fake_server.baremetal.models.node_properties import capability, instance_capabilities

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task

#: Mode in which nodes boot by default.
DEFAULT_BOOT_MODE = "uefi"


def prepare_instance_boot(task: Task) -> None:
    """Have the agent install a boot loader, and the node boot from its disk."""
    agent = agent_of(task)
    found = agent.call("standby.get_partition_uuids", {}, wait=True).get("command_result") or {}
    root = found.get("root uuid")
    if root:
        task.internal["root_uuid_or_disk_id"] = root
        task.save()
    whole = task.internal.get("is_whole_disk_image")
    mode = boot_mode(task)
    if (whole and mode == "uefi") or (root and not whole):
        has_efi = mode == "uefi" and not whole
        params = {
            "root_uuid": root,
            "efi_system_part_uuid": found.get("efi system partition uuid") if has_efi else None,
            "prep_boot_part_uuid": None,
            "target_boot_mode": mode,
        }
        answer = agent.call("image.install_bootloader", params)
        if answer.get("command_status") == "FAILED":
            raise errors.DeployStepFailure(
                f"Failed to install a bootloader when deploying node {task.node['uuid']}: "
                f"{answer.get('command_error')}"
            )
    set_boot_to_disk(task)


def set_boot_to_disk(task: Task) -> None:
    """Have the node boot from its disk; raise DeployStepFailure if that fails."""
    try:
        task.driver.boot.prepare_instance(task)
        task.driver.management.boot_from_disk(task)
    except errors.ApiError as exc:
        raise errors.DeployStepFailure(
            "Failed to change the boot device to disk when deploying node "
            f"{task.node['uuid']}: {exc}"
        ) from exc


def boot_mode(task: Task) -> str:
    """Return the mode in which the node's instance is to boot."""
    return requested_boot_mode(task) or DEFAULT_BOOT_MODE


def requested_boot_mode(task: Task) -> str | None:
    """Return the boot mode that the instance or the node asks for, or that was chosen before."""
    asked = instance_capabilities(task.node)
    if str(asked.get("secure_boot")).lower() == "true":
        return DEFAULT_BOOT_MODE
    found = (
        asked.get("boot_mode")
        or task.node["instance_info"].get("deploy_boot_mode")
        or capability(task.node, "boot_mode")
        or task.internal.get("deploy_boot_mode")
    )
    return str(found).lower() if found else None
