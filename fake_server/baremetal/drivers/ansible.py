"""The deploy interface ``ansible``, which runs playbooks on the node's agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import states
from fake_server.baremetal.drivers import images
from fake_server.baremetal.drivers.agent import AgentBase, switch_to_tenant_network
from fake_server.baremetal.drivers.agent_steps import start_agent
from fake_server.baremetal.drivers.base import DeployInterface
from fake_server.baremetal.drivers.steps import Step, deploy_step
from fake_server.baremetal.models.node_properties import check_root_device
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task

_TAGS = {"tags": {"required": True, "description": "names of the parts of the playbook to run"}}


class AnsibleDeploy(AgentBase, names={"ansible": "ansible.deploy.AnsibleDeploy"}):
    """Deploys and cleans by playbooks, which always succeed."""

    properties = ("ansible",)
    steps: ClassVar = {
        "deploy": (
            deploy_step("boot_instance", 20),
            deploy_step("deploy", 100),
            deploy_step("switch_to_tenant_network", 30),
            deploy_step("tear_down_agent", 40),
            deploy_step("write_image", 80),
        ),
        "clean": (
            Step("erase_devices_metadata", priority=99, arguments=_TAGS),
            Step("erase_devices", priority=10, arguments=_TAGS),
        ),
    }

    def validate(self, task: Task) -> None:
        """Check boot interface, image and root device."""
        task.driver.boot.validate(task)
        images.check_named(task.node)
        check_root_device(task.node)

    def offered(self, task: Task, flow: str) -> list[dict[str, Any]]:
        """Return its own steps: those of the agent aren't used."""
        return DeployInterface.offered(self, task, flow)

    def prepare(self, task: Task) -> None:
        """Bring the node into the provisioning network and boot the agent."""
        state = task.node["provision_state"]
        if state == states.DEPLOYING:
            power.act(task, states.POWER_OFF)
            task.driver.network.add_provisioning_network(task)
        if state not in (states.ACTIVE, states.ADOPTING):
            images.note_address(task)
            start_agent(task)

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Carry out a step; what Ironic does by a playbook has no effect here."""
        name = step["step"]
        if flow == "clean":
            return False
        if name == "deploy":
            power.act(task, states.REBOOT)
            return True
        if name == "write_image":
            task.driver.management.boot_from_disk(task)
        elif name == "tear_down_agent":
            power.act(task, states.POWER_OFF)
        elif name == "switch_to_tenant_network":
            switch_to_tenant_network(task)
        else:
            power.boot(task)
        return False

    def tear_down(self, task: Task) -> None:
        """Power the node off, and drop its networks."""
        power.act(task, states.POWER_OFF)
        task.driver.network.unconfigure_tenant_networks(task)
