"""Inspection, rescue and RAID through the agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers.agent_steps import (
    check_callback,
    execute,
    in_band_steps,
    start_agent,
)
from fake_server.baremetal.drivers.fake import FakeInspect, FakeRescue
from fake_server.baremetal.drivers.raid import FakeRAID
from fake_server.baremetal.models.agent_lookup import BMC_ADDRESSES
from fake_server.baremetal.models.node_properties import fast_track
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task

_MANAGED = "inspector_manage_boot"


class AgentInspect(FakeInspect):
    """Has the agent report what it finds."""

    boots_agent = True

    def validate(self, task: Task) -> None:
        """Check that the agent can be booted for inspection."""
        task.driver.boot.validate_inspection(task)

    def inspect(self, task: Task) -> bool:
        """Boot the agent in the inspection network."""
        task.driver.boot.validate_inspection(task)
        task.internal[_MANAGED] = True
        addresses = _bmc_addresses(task)
        if addresses:
            task.internal[BMC_ADDRESSES] = addresses
        else:
            task.forget(BMC_ADDRESSES)
        task.save()
        try:
            check_callback(task)
            power.off_if_allowed(task)
            task.driver.network.add_inspection_network(task)
            task.driver.boot.prepare_ramdisk(task)
            power.boot(task)
        except errors.ApiError as exc:
            raise errors.HardwareInspectionFailure(
                error=f"unable to start inspection: {exc}"
            ) from exc
        return True

    def clean_up(self, task: Task) -> None:
        """Power the node off and leave the inspection network."""
        task.forget(_MANAGED, BMC_ADDRESSES)
        task.save()
        task.driver.network.remove_inspection_network(task)
        if not fast_track(task.node):
            off = task.node["disable_power_off"]
            power.act(task, states.REBOOT if off else states.POWER_OFF)


class AgentRescue(FakeRescue):
    """Has the agent be the rescue system."""

    boots_agent = True

    def validate(self, task: Task) -> None:
        """Raise InvalidParameterValue if the image or the password is missing."""
        task.driver.boot.validate(task)
        task.driver.boot.validate_rescue(task)
        uuid = task.node["uuid"]
        password = task.node["instance_info"].get("rescue_password")
        if password is None:
            raise errors.MissingParameterValue(
                f"Node {uuid} is missing 'instance_info/rescue_password'. It is required for "
                "rescuing node."
            )
        if not isinstance(password, str):  # Ironic fails at it
            raise errors.InvalidParameterValue(
                f"The 'instance_info/rescue_password' of node {uuid} must be a non-empty string."
            )
        if not password.strip():
            raise errors.InvalidParameterValue(
                f"The 'instance_info/rescue_password' is an empty string for node {uuid}. The "
                "'rescue_password' must be a non-empty string value."
            )

    def rescue(self, task: Task) -> bool:
        """Boot the agent in the rescuing network."""
        _power_off(task)
        task.driver.network.unconfigure_tenant_networks(task)
        task.driver.network.add_rescuing_network(task)
        start_agent(task)
        power.boot(task)
        return True

    def unrescue(self, task: Task) -> None:
        """Boot the instance in the tenant's networks again."""
        _power_off(task)
        self.clean_up(task)
        task.driver.network.configure_tenant_networks(task)
        power.boot(task)

    def clean_up(self, task: Task) -> None:
        """Forget the password and leave the rescuing network."""
        for key in ("rescue_password", "hashed_rescue_password"):
            task.node["instance_info"].pop(key, None)
        task.save()
        task.driver.network.remove_rescuing_network(task)


class AgentRAID(FakeRAID):
    """Has the agent build what is wanted."""

    def offered(self, task: Task, flow: str) -> list[dict[str, Any]]:
        """Return the steps that the agent offers."""
        return in_band_steps(task, flow, self.kind) if flow != "service" else []

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Have the agent carry a step out."""
        return execute(task, flow, step)


def _power_off(task: Task) -> None:
    power.off_if_allowed(task)
    task.node["power_state"] = states.POWER_ON
    task.save()


def _bmc_addresses(task: Task) -> list[str]:
    """Return the addresses in ``driver_info``; names aren't looked up."""
    found = []
    for name, value in task.node["driver_info"].items():
        if name.endswith("_address") and isinstance(value, str):
            host = value.partition("//")[2] or value
            found.append(host.partition("/")[0].strip("[]"))
    return [host for host in found if not host.startswith("127.")]
