"""The deploy interface ``autodetect``, which switches to another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fake_server.baremetal.drivers.base import DeployInterface

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task


class AutodetectDeploy(DeployInterface, names={"autodetect": "autodetect.AutodetectDeploy"}):
    """Switches a node to the first interface that suits its image, until the flow has ended."""

    #: Ironic's default of ``[DEFAULT]autodetect_deploy_interfaces``; the last suits every image.
    candidates: ClassVar[tuple[str, ...]] = ("ramdisk", "bootc", "direct")

    def validate(self, task: Task) -> None:
        """Validate the node for the interface that it would be switched to."""
        task.driver_with(deploy=self._choose(task)).deploy.validate(task)

    def switch_interface(self, task: Task) -> None:
        """Switch the node to the interface that suits its image."""
        task.internal["original_deploy_interface"] = task.node["deploy_interface"]
        task.node["deploy_interface"] = self._choose(task)
        task.save()
        task.reload_driver()

    def _choose(self, task: Task) -> str:
        return next(
            (
                name
                for name in self.candidates
                if task.driver_with(deploy=name).deploy.supports_deploy(task)
            ),
            self.candidates[-1],
        )
