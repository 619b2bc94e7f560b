"""Inspection, rescue and RAID through the agent."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors, states
from fake_server.baremetal.agents.parameters import RAID_ARGUMENTS
from fake_server.baremetal.drivers.agent_steps import (
    check_callback,
    execute,
    in_band_steps,
    start_agent,
)
from fake_server.baremetal.drivers.base import InspectInterface, RAIDInterface, RescueInterface
from fake_server.baremetal.drivers.raid import note_raid
from fake_server.baremetal.drivers.steps import Step
from fake_server.baremetal.models.agent_lookup import BMC_ADDRESSES
from fake_server.baremetal.models.node_properties import fast_track
from fake_server.baremetal.models.ports import PORTS
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record

_MANAGED = "inspector_manage_boot"
_APPLY = Step("apply_configuration", arguments=RAID_ARGUMENTS)


class AgentInspect(InspectInterface, names={"agent": "inspector.agent.AgentInspect"}):
    """Inspects with the agent."""

    boots_agent = True

    def validate(self, task: Task) -> None:
        """Check that the agent can be booted for inspection."""
        task.driver.boot.validate_inspection(task)

    def check_report(self, task: Task) -> None:
        """Let agents report."""

    def inspect(self, task: Task) -> bool:
        """Boot the agent in the inspection network."""
        if task.session.settings.pre_create_ports:
            _create_ports(task)
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
        task.driver.boot.clean_up_ramdisk(task)
        task.driver.network.remove_inspection_network(task)
        if not fast_track(task.node):
            off = task.node["disable_power_off"]
            power.act(task, states.REBOOT if off else states.POWER_OFF)

    def abort(self, task: Task) -> None:
        """End the inspection."""
        self.clean_up(task)


def _create_ports(task: Task) -> None:
    """Create ports for the network cards that the controller tells of."""
    with suppress(errors.UnsupportedDriverExtension):
        for address in task.driver.management.mac_addresses(task):
            with suppress(errors.AlreadyExists):
                PORTS.create(task.session, {"node_id": task.node["id"], "address": address})


class AgentRescue(RescueInterface, names={"agent": "agent.AgentRescue"}):
    """Uses the agent as the rescue system."""

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
        task.driver.boot.prepare_instance(task)
        power.boot(task)

    def clean_up(self, task: Task) -> None:
        """Forget the password and leave the rescuing network."""
        for key in ("rescue_password", "hashed_rescue_password"):
            task.node["instance_info"].pop(key, None)
        task.save()
        task.driver.boot.clean_up_ramdisk(task)
        task.driver.network.remove_rescuing_network(task)


class AgentRAID(RAIDInterface, names={"agent": "agent.AgentRAID"}):
    """Builds RAID with the agent."""

    steps: ClassVar = {"service": (_APPLY,)}

    def offered(self, task: Task, flow: str) -> list[dict[str, Any]]:
        """Return the steps that the agent offers, and those that it is used for in service."""
        return [*super().offered(task, flow), *in_band_steps(task, flow, self.kind)]

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Have the agent carry a step out.

        :raises InvalidParameterValue: for a configuration that isn't valid.
        :raises MissingParameterValue: if there is none, or none is left to be created.
        """
        args = step.get("args") or {}
        if step["step"] == "apply_configuration":
            self.check_configuration(task, args["raid_config"])
        elif step["step"] == "create_configuration":
            task.internal["target_raid_config"] = _wanted(task.node, args)
            task.save()
        return execute(task, flow, step)

    def end_step(self, task: Task, flow: str, step: dict[str, Any], result: Any) -> None:
        """Note what the agent built; raise Invalid if it doesn't say that."""
        properties = task.node["properties"]
        if step["step"] == "delete_configuration":
            properties.pop("root_device", None)
            task.node["raid_config"] = {}
        elif flow != "service":
            found = (result or {}).get(f"{flow}_result")
            if not found:
                raise errors.Invalid(
                    "Agent ramdisk didn't return a proper command result while building RAID on "
                    f"{task.node['uuid']}. It returned '{result}' after command execution."
                )
            note_raid(task, found)
        task.save()


def _wanted(node: Record, args: dict[str, Any]) -> dict[str, Any]:
    """Return the target configuration, without the volumes that aren't to be created."""
    wanted, skipped = node["target_raid_config"], []
    if not wanted:
        raise errors.MissingParameterValue(f"Node {node['uuid']} has no target RAID configuration.")
    disks = wanted["logical_disks"]
    for argument, name, is_root in (
        ("create_root_volume", "root volume", True),
        ("create_nonroot_volumes", "non-root volumes", False),
    ):
        if not args.get(argument, True):
            disks = [disk for disk in disks if bool(disk.get("is_root_volume")) != is_root]
            skipped.append(f"skipping {name}")
    if not disks:
        raise errors.MissingParameterValue(
            f"Node {node['uuid']} has empty target RAID configuration after "
            f"{' and '.join(skipped)}."
        )
    return {**wanted, "logical_disks": disks}


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
