"""The ``fake`` interfaces, which accept everything and do nothing, and the ``no-…`` interfaces."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.base import Arguments, Disabled, Interface, Step, unsupported
from fake_server.baremetal.models import bios_settings

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task


def _settings(what: str) -> Arguments:
    description = f"List of {what}, each item needs to contain a dictionary with name/value pairs"
    return {"settings": {"description": description, "required": True}}


class FakePower(Interface):
    """Remembers the power state."""

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


class FakeBoot(Interface):
    """Boots from nothing."""

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


class FakeBIOS(Interface):
    """Remembers the settings that it is given."""

    kind = "bios"
    steps = MappingProxyType(
        {
            "clean": (
                Step("apply_configuration", arguments=_settings("BIOS settings")),
                Step("cache_bios_settings"),
                Step("factory_reset"),
            )
        }
    )

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Run a step; raise InvalidParameterValue for settings without names or values."""
        waits = super().run_step(task, flow, step)
        wanted: Any = []
        if step["step"] == "apply_configuration":
            wanted = step["args"]["settings"]
        elif step["step"] != "factory_reset":
            return waits
        try:
            values = {
                _as_text(item["name"]): {
                    "value": None if item["value"] is None else _as_text(item["value"])
                }
                for item in wanted
            }
        except (TypeError, KeyError) as exc:
            raise errors.InvalidParameterValue(str(exc)) from exc
        bios_settings.replace(task.session, task.node, values)
        return waits


def _as_text(value: Any) -> str:
    """Return a name or a value as the database of Ironic has it.

    :raises TypeError: if it is neither text nor a number.
    """
    if not isinstance(value, str | int | float):
        raise TypeError(f"type '{type(value).__name__}' is not supported")
    return str(int(value) if isinstance(value, bool) else value)


class NoBIOS(Disabled):
    """No BIOS."""

    kind = "bios"


class FakeFirmware(Interface):
    """Has no components."""

    kind = "firmware"
    steps = MappingProxyType(
        {"clean": (Step("update", arguments=_settings("Firmware components")),)}
    )


class NoFirmware(Disabled):
    """No firmware."""

    kind = "firmware"


class FakeInspect(Interface):
    """Finds nothing, at once."""

    kind = "inspect"

    def inspect(self, task: Task) -> bool:
        """Inspect the node; return whether it has to wait for its agent."""
        return False

    def inventory(self, task: Task) -> dict[str, Any] | None:
        """Return what was found without an agent, if anything; raise ApiError if that fails."""
        return None


class NoInspect(FakeInspect, Disabled):
    """No inspection."""

    validate = Disabled.validate


class FakeRescue(Interface):
    """Rescues at once."""

    kind = "rescue"

    def rescue(self, task: Task) -> bool:
        """Boot the rescue system; return whether the node has to wait for it."""
        return False

    def unrescue(self, task: Task) -> None:
        """Boot the instance again."""


class NoRescue(FakeRescue, Disabled):
    """No rescue."""

    validate = Disabled.validate
