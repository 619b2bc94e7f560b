"""The deploy interface ``anaconda``, which boots an installer that reports its progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import states
from fake_server.baremetal.drivers import images
from fake_server.baremetal.drivers.agent import AgentBase
from fake_server.baremetal.drivers.boot_modes import set_boot_to_disk
from fake_server.baremetal.drivers.steps import deploy_step
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task


class AnacondaDeploy(AgentBase, names={"anaconda": "pxe.PXEAnacondaDeploy"}):
    """Boots the installer of a distribution; a kickstart file sends its heartbeats."""

    reports_status = True
    steps: ClassVar = {"deploy": (deploy_step("deploy", 100),)}

    def validate(self, task: Task) -> None:
        """Check the boot interface."""
        task.driver.boot.validate(task)

    def prepare(self, task: Task) -> None:
        """Bring the node into the provisioning network, and note where the image is."""
        if task.node["provision_state"] != states.DEPLOYING:
            return
        task.forget("agent_status", "agent_status_message")
        task.driver.network.validate(task)
        power.act(task, states.POWER_OFF)
        task.driver.network.unconfigure_tenant_networks(task)
        task.driver.network.add_provisioning_network(task)
        task.driver.storage.attach_volumes(task)
        images.note_address(task)

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Boot the installer, and wait for it."""
        waits = super().run_step(task, flow, step)
        if flow != "deploy":
            return waits
        power.act(task, states.POWER_OFF)
        task.driver.boot.prepare_instance(task)
        power.act(task, states.POWER_ON)
        return True

    def boot_instance(self, task: Task) -> None:
        """Boot what was installed, in the tenant's networks."""
        self.clean_up(task)
        power.act(task, states.POWER_OFF)
        set_boot_to_disk(task)
        task.driver.network.remove_provisioning_network(task)
        task.driver.network.configure_tenant_networks(task)
        power.act(task, states.POWER_ON)
