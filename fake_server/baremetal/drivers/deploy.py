"""Base of the deploy interfaces, and ``fake``, which deploys nothing."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import states
from fake_server.baremetal.drivers.base import Interface, Step
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task


def deploy_step(name: str, priority: int) -> Step:
    """Return a step of deploying; it may be aborted."""
    return Step(name, priority=priority, abortable=True, ramdisk=None)


class DeployInterface(Interface):
    """Base of the deploy interfaces; its methods do nothing."""

    kind = "deploy"
    #: Whether what it boots says in its heartbeats when it is done, and takes no commands.
    reports_status: ClassVar[bool] = False

    def switch_interface(self, task: Task) -> None:
        """Switch the node to the deploy interface that is to act on it, if that is another one."""

    def restore_interface(self, task: Task) -> None:
        """Give the node the deploy interface back that it had before :meth:`switch_interface`."""
        if original := task.internal.pop("original_deploy_interface", None):
            task.node["deploy_interface"] = original
            task.save()
            task.reload_driver()

    def supports_deploy(self, task: Task) -> bool:
        """Return whether the interface suits the image of the node."""
        return True

    def prepare(self, task: Task) -> None:
        """Prepare the node for its deploy steps."""

    def clean_up(self, task: Task) -> None:
        """Remove what was prepared."""

    def boot_instance(self, task: Task) -> None:
        """Boot what an installer installed that reported its end."""

    def tear_down(self, task: Task) -> None:
        """Take the instance off the node."""

    def prepare_cleaning(self, task: Task) -> bool:
        """Prepare the node for its clean steps; return whether it has to wait for its agent."""
        return False

    def tear_down_cleaning(self, task: Task) -> None:
        """Undo :meth:`prepare_cleaning`."""

    def prepare_service(self, task: Task) -> bool:
        """Prepare the node for its service steps; return whether it has to wait for its agent."""
        return False

    def tear_down_service(self, task: Task) -> None:
        """Undo :meth:`prepare_service`."""


class NoopDeploy(DeployInterface):
    """Deploys nothing, and leaves the networks as they are."""

    steps = MappingProxyType({"deploy": (deploy_step("deploy", 100),)})


class FakeDeploy(DeployInterface):
    """Deploys nothing, and says that it did.

    It switches networks only where every deploy interface has to.
    """

    steps = MappingProxyType({"deploy": (deploy_step("deploy", 100),)})

    def prepare(self, task: Task) -> None:
        """Bring the node into the provisioning network."""
        if task.session.dialect.switches_networks:
            task.driver.network.add_provisioning_network(task)

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Carry a step out; the one that deploys brings the node into the tenant's networks."""
        waits = super().run_step(task, flow, step)
        if flow == "deploy" and task.session.dialect.switches_networks:
            power.act(task, states.POWER_OFF)
            task.driver.network.remove_provisioning_network(task)
            task.driver.network.configure_tenant_networks(task)
            power.act(task, states.POWER_ON)
        return waits

    def tear_down(self, task: Task) -> None:
        """Take the node out of the tenant's networks."""
        if task.session.dialect.switches_networks:
            power.act(task, states.POWER_OFF)
            task.driver.network.unconfigure_tenant_networks(task)

    def prepare_cleaning(self, task: Task) -> bool:
        """Bring the node into the cleaning network."""
        if task.session.dialect.switches_networks:
            task.driver.network.add_cleaning_network(task)
        return False

    def tear_down_cleaning(self, task: Task) -> None:
        """Take the node out of the cleaning network."""
        if task.session.dialect.switches_networks:
            task.driver.network.remove_cleaning_network(task)
