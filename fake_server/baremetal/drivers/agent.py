"""Deploy interfaces with an agent on the node: ``direct``, ``ramdisk``, ``custom-agent``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors, states
from fake_server.baremetal.agents.commands import agent_of
from fake_server.baremetal.drivers import deploy_checks, images
from fake_server.baremetal.drivers.agent_steps import execute, in_band_steps, start_agent
from fake_server.baremetal.drivers.base import DeployInterface
from fake_server.baremetal.drivers.boot_modes import prepare_instance_boot
from fake_server.baremetal.drivers.steps import deploy_step
from fake_server.baremetal.models.node_properties import check_root_device, instance_capabilities
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task

#: Options of the service that the agent gets for cleaning.
_CLEANING: Mapping[str, Any] = {
    "agent_erase_devices_iterations": 1,
    "agent_erase_devices_zeroize": True,
    "agent_continue_if_secure_erase_failed": False,
    "agent_continue_if_ata_erase_failed": False,
    "agent_enable_nvme_secure_erase": True,
    "agent_enable_ata_secure_erase": True,
    "disk_erasure_concurrency": 4,
    "agent_erase_skip_read_only": False,
}
_COMMON_STEPS = (
    deploy_step("boot_instance", 20),
    deploy_step("deploy", 100),
    deploy_step("prepare_instance_boot", 60),
    deploy_step("switch_to_tenant_network", 30),
    deploy_step("tear_down_agent", 40),
)


class AgentBase(DeployInterface):
    """Base of the deploy interfaces that use an agent."""

    boots_agent = True

    def offered(self, task: Task, flow: str) -> list[dict[str, Any]]:
        """Return its own steps, and those that the agent offers beside them."""
        found = super().offered(task, flow)
        own = {step["step"] for step in found}
        in_band = in_band_steps(task, flow, None if flow == "service" else self.kind)
        return found + [step for step in in_band if step["step"] not in own]

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Carry out a step: those of cleaning and servicing are the agent's."""
        if flow != "deploy":
            return execute(task, flow, step)
        return super().run_step(task, flow, step)

    def clean_up(self, task: Task) -> None:
        """Undo what the agent was booted with, and reboot a node that must not be powered off."""
        task.driver.boot.clean_up_ramdisk(task)
        if task.node["disable_power_off"]:
            power.act(task, states.REBOOT)

    def tear_down(self, task: Task) -> None:
        """Power the node off, and drop its volumes and networks."""
        power.off_if_allowed(task)
        task.driver.storage.detach_volumes(task)
        task.remove_volume_targets()
        task.forget("boot_from_volume", "boot_from_volume_deploy")
        task.save()
        task.driver.network.unconfigure_tenant_networks(task)
        task.driver.network.remove_provisioning_network(task)

    def prepare_cleaning(self, task: Task) -> bool:
        """Boot the agent in the cleaning network."""
        task.driver.network.add_cleaning_network(task)
        task.internal.update(_CLEANING)
        task.save()
        start_agent(task)
        power.act(task, states.REBOOT)
        return True

    def tear_down_cleaning(self, task: Task) -> None:
        """Power the node off and leave the cleaning network."""
        failed = task.node["fault"] == "clean failure"
        if not failed and not task.node["disable_power_off"]:
            power.act(task, states.POWER_OFF)
        task.driver.boot.clean_up_ramdisk(task)
        task.driver.network.remove_cleaning_network(task)
        if not failed and task.node["disable_power_off"]:
            power.act(task, states.REBOOT)

    def prepare_service(self, task: Task) -> bool:
        """Boot the agent in the servicing network."""
        power.off_if_allowed(task)
        task.node["power_state"] = states.POWER_ON
        task.save()
        task.driver.network.unconfigure_tenant_networks(task)
        task.driver.network.add_servicing_network(task)
        start_agent(task)
        power.boot(task)
        return True

    def tear_down_service(self, task: Task) -> None:
        """Boot the instance again."""
        failed = task.node["fault"] == "service failure"
        if failed:
            return
        power.off_if_allowed(task)
        task.driver.boot.clean_up_ramdisk(task)
        task.driver.network.remove_servicing_network(task)
        task.driver.network.configure_tenant_networks(task)
        power.boot(task)


class CustomAgentDeploy(AgentBase, names={"custom-agent": "agent.CustomAgentDeploy"}):
    """Runs the steps that it is given, on the agent."""

    properties = ("agent",)
    steps: ClassVar = {"deploy": _COMMON_STEPS}

    def validate(self, task: Task) -> None:
        """Check boot interface, capabilities and root device."""
        task.driver.boot.validate(task)
        deploy_checks.check_capabilities(task)
        check_root_device(task.node)

    def prepare(self, task: Task) -> None:
        """Bring the node into the provisioning network and boot the agent.

        A node that boots from a volume needs neither.
        """
        deploy_checks.check_boot_volume(task)
        writes_image = task.driver.storage.writes_image(task)
        if task.node["provision_state"] == states.DEPLOYING:
            task.driver.network.validate(task)
            power.off_if_allowed(task)
            if writes_image:
                task.driver.network.unconfigure_tenant_networks(task)
                task.driver.network.add_provisioning_network(task)
            task.driver.storage.attach_volumes(task)
            if not writes_image:
                return
        if task.node["provision_state"] in (states.ACTIVE, states.ADOPTING):
            task.driver.boot.prepare_instance(task)
            return
        self.resolve_image(task)
        start_agent(task)

    def resolve_image(self, task: Task) -> None:
        """Note in ``instance_info`` where the agent gets the image from."""

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Carry out a step, by the agent if it isn't one of its own."""
        if flow != "deploy":
            return execute(task, flow, step)
        if self.step(flow, step["step"]) is None:
            if task.internal.get("agent_cached_deploy_steps"):
                return execute(task, flow, step)
            raise errors.InstanceDeployFailure(
                f"Deploy step {step} has not been found. Available out-of-band steps: "
                f"{self.describe_steps()}. Agent is not running."
            )
        name = step["step"]
        if name == "deploy" and task.driver.storage.writes_image(task):
            power.act(task, states.REBOOT)
            return True
        if name == "tear_down_agent" and not task.node["disable_power_off"]:
            with suppress(errors.ApiError):
                agent_of(task).call("standby.power_off", {})
            power.act(task, states.POWER_OFF)
        elif name == "switch_to_tenant_network":
            switch_to_tenant_network(task)
        elif name == "boot_instance":
            power.boot(task)
        return False

    def describe_steps(self) -> list[dict[str, Any]]:
        """Return the deploy steps as nodes show them."""
        return [step.describe(self.kind) for step in self.steps["deploy"]]


class AgentDeploy(CustomAgentDeploy, names={"direct": "agent.AgentDeploy"}):
    """Writes an image to a disk: ``direct``."""

    steps: ClassVar = {"deploy": (*_COMMON_STEPS, deploy_step("write_image", 80))}

    def validate(self, task: Task) -> None:
        """Check the image, unless the node boots from a volume."""
        super().validate(task)
        if not task.driver.storage.writes_image(task):
            return
        info, uuid = task.node["instance_info"], task.node["uuid"]
        source = images.check_named(task.node)
        images.check_reference(source)
        if not images.is_in_glance(source) and not source.startswith(("file://", "oci://")):
            deploy_checks.check_checksum(info, uuid)
        deploy_checks.check_download(task, source)
        deploy_checks.check_proxies(task)
        instance_capabilities(task.node)

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Carry out a step, by the agent if it isn't one of its own."""
        waits = super().run_step(task, flow, step)
        if flow != "deploy" or not task.driver.storage.writes_image(task):
            return waits
        if step["step"] == "write_image":
            args = {
                "image_info": _image_info(task),
                "configdrive": task.node["instance_info"].get("configdrive"),
            }
            asked = {"step": "write_image", "interface": "deploy", "args": args}
            return execute(task, flow, asked)
        if step["step"] == "prepare_instance_boot":
            prepare_instance_boot(task)
        return waits

    def resolve_image(self, task: Task) -> None:
        """Note type and address of the image; raise ImageNotFound if Glance doesn't have it."""
        images.note_address(task)


class RamdiskDeploy(AgentBase, names={"ramdisk": "ramdisk.RamdiskDeploy"}):
    """Boots a ramdisk and nothing else."""

    steps: ClassVar = {"deploy": (deploy_step("deploy", 100),)}

    def validate(self, task: Task) -> None:
        """Check that the boot interface can boot ramdisks."""
        if "ramdisk_boot" not in task.driver.boot.capabilities:
            raise errors.InvalidParameterValue(
                "Invalid configuration: The boot interface must have the `ramdisk_boot` "
                "capability. You are using an incompatible boot interface."
            )
        task.driver.boot.validate(task)
        deploy_checks.check_capabilities(task)

    def prepare(self, task: Task) -> None:
        """Power the node off and attach its volumes."""
        deploy_checks.check_boot_volume(task)
        if task.node["provision_state"] == states.DEPLOYING:
            task.driver.network.validate(task)
            power.act(task, states.POWER_OFF)
            task.driver.storage.attach_volumes(task)

    def supports_deploy(self, task: Task) -> bool:
        """Return whether the instance, or its image in Glance, asks for a ramdisk."""
        info = task.node["instance_info"]
        boots = info.get("boot_iso") or (info.get("kernel") and info.get("ramdisk"))
        if boots and info.get("ironic_ramdisk_deploy"):
            return True
        image = images.find_in_glance(task, info.get("image_source"))
        known = image["properties"] if image else {}
        boots = known.get("boot_iso_id") or (known.get("kernel_id") and known.get("ramdisk_id"))
        return bool(known.get("ironic_ramdisk_deploy") and boots)

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Boot the ramdisk in the tenant's networks."""
        waits = super().run_step(task, flow, step)
        if flow != "deploy":
            return waits
        power.act(task, states.POWER_OFF)
        task.driver.network.configure_tenant_networks(task)
        task.driver.boot.prepare_instance(task)
        power.act(task, states.POWER_ON)
        return False


def _image_info(task: Task) -> dict[str, Any]:
    info = task.node["instance_info"]
    image: dict[str, Any] = {
        "id": str(info["image_source"]).rpartition("/")[2],
        "urls": [info.get("image_url")],
        "disk_format": info.get("image_disk_format"),
        "container_format": info.get("image_container_format"),
        "stream_raw_images": True,
        "node_uuid": task.node["uuid"],
    }
    for name, key in (
        ("checksum", "image_checksum"),
        ("os_hash_algo", "image_os_hash_algo"),
        ("os_hash_value", "image_os_hash_value"),
        ("configdrive", "configdrive"),
    ):
        if info.get(key):
            image[name] = info[key]
    return image


def switch_to_tenant_network(task: Task) -> None:
    """Bring the node into the tenant's networks; raise DeployStepFailure if that fails."""
    try:
        task.driver.network.remove_provisioning_network(task)
        task.driver.network.configure_tenant_networks(task)
    except errors.ApiError as exc:
        raise errors.DeployStepFailure(
            f"Error changing node {task.node['uuid']} to tenant networks after deploy. "
            f"{type(exc).__name__}: {exc}"
        ) from exc
