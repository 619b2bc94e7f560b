"""The deploy interface ``bootc``, which installs a container image."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.agent import CustomAgentDeploy
from fake_server.baremetal.drivers.agent_steps import execute
from fake_server.baremetal.drivers.boot_modes import set_boot_to_disk
from fake_server.baremetal.drivers.steps import deploy_step

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task


class BootcDeploy(CustomAgentDeploy, names={"bootc": "agent.BootcAgentDeploy"}):
    """Installs an image of a container registry."""

    steps: ClassVar = {
        "deploy": (
            *CustomAgentDeploy.steps["deploy"],
            deploy_step("execute_bootc_install", 80),
            deploy_step("set_boot_to_disk", 60),
        )
    }

    def validate(self, task: Task) -> None:
        """Check the image, too; raise InvalidParameterValue unless it is in a registry."""
        super().validate(task)
        source = task.node["instance_info"].get("image_source")
        if not source or not str(source).startswith("oci://"):
            raise errors.InvalidParameterValue(f"Invalid image href {source}.")

    def supports_deploy(self, task: Task) -> bool:
        """Return False: Ironic asks the registry whether an image installs itself."""
        return False

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Carry out a step; the agent installs the image."""
        waits = super().run_step(task, flow, step)
        if flow != "deploy":
            return waits
        if step["step"] == "set_boot_to_disk":
            set_boot_to_disk(task)
        if step["step"] == "execute_bootc_install":
            info = task.node["instance_info"]
            secret = info.get("image_pull_secret")
            args = {
                "image_source": info["image_source"],
                "configdrive": info.get("configdrive"),
                "oci_pull_secret": b64encode(str(secret).encode()).decode() if secret else None,
            }
            return execute(task, flow, {**step, "args": args})
        return waits
