"""Bases of the hardware interfaces, one for each kind; what some do is all that ``fake`` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.interface import Interface, unsupported
from fake_server.baremetal.drivers.raid import check_raid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.baremetal.drivers.networks.plugin import NetworkDriver
    from fake_server.baremetal.drivers.vendor import VendorInterface
    from fake_server.baremetal.task.protocol import Task

    #: By component and name, whether they can't be switched, and their states.
    Indicators = Mapping[str, Mapping[str, Mapping[str, Any]]]


class PowerInterface(Interface, names={"fake": "fake.FakePower"}):
    """A power interface that remembers the power state."""

    kind = "power"
    #: Whether machines can be brought into the power state that their nodes have.
    can_be_synced: ClassVar[bool] = True

    def state(self, task: Task) -> str | None:
        """Return the power state of the node; raise ApiError if that fails."""
        state: str | None = task.node["power_state"]
        return state

    def seconds_lost(self, task: Task, *, acts: bool) -> float:
        """Return for how long the machine is tried or waited for in vain.

        :param acts: whether its power state is to change.
        """
        return 0

    def act(self, task: Task, action: str) -> None:
        """Carry a power action out.

        :param action: one of :data:`~fake_server.baremetal.states.POWER_TARGETS`.
        :raises ApiError: if it fails.
        """


class BootInterface(Interface, names={"fake": "fake.FakeBoot"}):
    """A boot interface that boots from nothing."""

    kind = "boot"
    capabilities: ClassVar[tuple[str, ...]] = ("ipxe_boot", "pxe_boot")

    def validate_inspection(self, task: Task) -> None:
        """Raise UnsupportedDriverExtension if it can't boot the agent for inspection."""
        raise unsupported(task.node, "validate_inspection")

    def validate_rescue(self, task: Task) -> None:
        """Raise UnsupportedDriverExtension if it can't boot the agent for rescue."""
        raise unsupported(task.node, "validate_rescue")

    def prepare_ramdisk(self, task: Task) -> None:
        """Prepare the node to boot its agent."""

    def clean_up_ramdisk(self, task: Task) -> None:
        """Undo :meth:`prepare_ramdisk`; raise ApiError if that fails."""

    def prepare_instance(self, task: Task) -> None:
        """Prepare the node to boot its instance."""


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


class ManagementInterface(Interface):
    """A management interface that can only name its boot devices."""

    kind = "management"
    boot_devices: ClassVar[tuple[str, ...]]

    def refresh(self, task: Task) -> None:
        """Forget the boot mode and secure boot, which it can't find out."""
        task.node["boot_mode"] = None
        task.node["secure_boot"] = None

    def mac_addresses(self, task: Task) -> list[str]:
        """Return the MAC addresses of the machine's network cards; raise ApiError if that fails."""
        raise unsupported(task.node, "get_mac_addresses")

    def health(self, task: Task) -> str | None:
        """Return what the machine says of its health; raise ApiError if it can't be asked."""
        raise unsupported(task.node, "get_node_health")

    def set_boot_device(self, task: Task, device: str | None, *, persistent: bool | None) -> None:
        """Set what the node boots from.

        :param persistent: whether for more than the next time; ``None`` where a user said so.
        :raises InvalidParameterValue: for a device that the node can't boot from.
        """
        if device not in self.boot_devices:
            raise errors.InvalidParameterValue(f"Invalid boot device {device} specified.")

    def boot_from_disk(self, task: Task) -> None:
        """Have the node boot from its disk from now on; raise ApiError if it can't."""
        self.set_boot_device(task, "disk", persistent=True)

    def boot_device(self, task: Task) -> dict[str, Any]:
        """Return what the node boots from."""
        return {"boot_device": "pxe", "persistent": False}

    def inject_nmi(self, task: Task) -> None:
        """Send the node an interrupt that it can't mask; raise ApiError if that fails."""
        raise unsupported(task.node, "inject_nmi")

    def indicators(self, task: Task) -> Indicators:
        """Return the indicators of the node."""
        raise unsupported(task.node, "get_supported_indicators")

    def indicator(self, task: Task, component: str, name: str) -> str:
        """Return the state of an indicator; raise InvalidParameterValue for an unknown one."""
        raise unsupported(task.node, "get_indicator_state")

    def set_indicator(self, task: Task, component: str, name: str, state: str | None) -> None:
        """Switch an indicator; raise InvalidParameterValue for an unknown one."""
        raise unsupported(task.node, "set_indicator_state")

    def set_boot_mode(self, task: Task, mode: str) -> None:
        """Change between ``bios`` and ``uefi``; raise ApiError if that fails."""
        raise unsupported(task.node, "set_boot_mode")

    def set_secure_boot(self, task: Task, wanted: bool) -> None:
        """Turn secure boot on or off; raise ApiError if that fails."""
        raise unsupported(task.node, "set_secure_boot_state")

    def media(self, task: Task) -> list[dict[str, Any]]:
        """Return the devices for virtual media, and what is in them."""
        raise unsupported(task.node, "get_virtual_media")

    def attach_media(self, task: Task, device: str) -> None:
        """Attach an image to a device; raise ApiError if that fails."""
        raise errors.UnsupportedDriverExtension(
            f"Publishing images is not supported for driver {task.node['driver']}"
        )

    def detach_media(self, task: Task, devices: Sequence[str] | None) -> None:
        """Detach images from devices, from all if none is named; raise ApiError if that fails."""
        raise unsupported(task.node, "detach_virtual_media")


class BIOSInterface(Interface):
    """Base of the BIOS interfaces."""

    kind = "bios"


class ConsoleInterface(Interface, names={"fake": "fake.FakeConsole"}):
    """A console interface that shows nothing."""

    kind = "console"

    def start(self, task: Task) -> None:
        """Start the console."""

    def stop(self, task: Task) -> None:
        """Stop the console."""

    def access(self, task: Task) -> dict[str, Any]:
        """Return how to get at the console."""
        return {}


class FirmwareInterface(Interface):
    """Base of the firmware interfaces."""

    kind = "firmware"


class InspectInterface(Interface, names={"fake": "fake.FakeInspect"}):
    """An inspect interface that finds nothing, at once."""

    kind = "inspect"

    def inspect(self, task: Task) -> bool:
        """Inspect the node; return whether it has to wait for its agent."""
        return False

    def inventory(self, task: Task) -> dict[str, Any] | None:
        """Return what was found without an agent, if anything; raise ApiError if that fails."""
        return None

    def abort(self, task: Task) -> None:
        """End an inspection that waits for its agent; raise ApiError if that isn't possible."""
        raise unsupported(task.node, "abort")

    def check_report(self, task: Task) -> None:
        """Raise UnsupportedDriverExtension unless agents can report what they found.

        Ironic names the wrong method there, too.
        """
        raise unsupported(task.node, "abort")


class RAIDInterface(Interface, names={"fake": "fake.FakeRAID"}):
    """A RAID interface that accepts every valid configuration and builds nothing."""

    kind = "raid"

    def validate(self, task: Task) -> None:
        """Check the target configuration, if there is one."""
        if task.node["target_raid_config"]:
            self.check_configuration(task, task.node["target_raid_config"])

    def check_configuration(self, task: Task, configuration: Mapping[str, Any]) -> None:
        """Check a configuration; raise InvalidParameterValue if it isn't valid."""
        check_raid(configuration)


class RescueInterface(Interface, names={"fake": "fake.FakeRescue"}):
    """A rescue interface that rescues at once."""

    kind = "rescue"

    def rescue(self, task: Task) -> bool:
        """Boot the rescue system; return whether the node has to wait for it."""
        return False

    def unrescue(self, task: Task) -> None:
        """Boot the instance again."""


class StorageInterface(
    Interface, names={"fake": "fake.FakeStorage", "noop": "storage.noop.NoopStorage"}
):
    """A storage interface for which volumes play no role."""

    kind = "storage"

    def attach_volumes(self, task: Task) -> None:
        """Make the node's volumes reachable."""

    def detach_volumes(self, task: Task) -> None:
        """Undo :meth:`attach_volumes`."""

    def writes_image(self, task: Task) -> bool:
        """Return whether an image is to be written to a disk of the node."""
        return True


@dataclass(frozen=True, slots=True)
class Driver:
    """The hardware interfaces of one node."""

    boot: BootInterface
    deploy: DeployInterface
    management: ManagementInterface
    network: NetworkDriver
    power: PowerInterface
    bios: BIOSInterface
    console: ConsoleInterface
    firmware: FirmwareInterface
    inspect: InspectInterface
    raid: RAIDInterface
    rescue: RescueInterface
    storage: StorageInterface
    vendor: VendorInterface

    def interface(self, kind: str) -> Interface:
        """Return the interface of a kind."""
        return getattr(self, kind)  # type: ignore[no-any-return]
