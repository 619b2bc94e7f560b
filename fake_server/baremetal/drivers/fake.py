"""The ``fake`` interfaces, which accept everything and do nothing, and the ``no-…`` interfaces."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.agents.simulated import SIMULATED
from fake_server.baremetal.drivers.base import Arguments, Disabled, Interface, Step, unsupported
from fake_server.baremetal.models import bios_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.task import Task

#: Indicators by component.
INDICATORS: Mapping[str, Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "chassis": {"led-0": {"readonly": True, "states": ["off", "on"]}},
        "system": {"led": {"readonly": False, "states": ["blinking", "off", "on"]}},
    }
)


def _settings(what: str) -> Arguments:
    description = f"List of {what}, each item needs to contain a dictionary with name/value pairs"
    return {"settings": {"description": description, "required": True}}


class FakePower(Interface):
    """Remembers the power state."""

    kind = "power"


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


class FakeManagement(Interface):
    """Boots from the network only."""

    kind = "management"
    boot_devices: ClassVar[tuple[str, ...]] = ("pxe",)

    def set_boot_device(self, device: str | None) -> None:
        """Accept a boot device; raise InvalidParameterValue unless it is the network."""
        if device not in self.boot_devices:
            raise errors.InvalidParameterValue(f"Invalid boot device {device} specified.")

    def boot_from_disk(self, task: Task) -> None:
        """Have the node boot from its disk from now on.

        :raises InvalidParameterValue: if it boots from the network only, unless the whole machine
            is simulated.
        """
        if task.session.settings.agent != SIMULATED:
            self.set_boot_device("disk")

    def boot_device(self) -> dict[str, Any]:
        """Return what the node boots from."""
        return {"boot_device": "pxe", "persistent": False}

    def indicator(self, component: str, name: str) -> str:
        """Return the state of an indicator; raise InvalidParameterValue for an unknown one."""
        if component not in INDICATORS:
            raise errors.InvalidParameterValue(f"Invalid component {component} specified.")
        if name not in INDICATORS[component]:
            raise errors.InvalidParameterValue(f"Invalid indicator {name} specified.")
        return "on"


class NoopManagement(FakeManagement):
    """Trusts that the machine tries the network first, and then its disk."""

    boot_devices = ("pxe", "disk")

    def set_boot_device(self, device: str | None) -> None:
        """Accept a boot device; raise InvalidParameterValue unless it is the network or disk."""
        if device not in self.boot_devices:
            raise errors.InvalidParameterValue(
                f"Invalid boot device {device} specified, supported are "
                f"{', '.join(self.boot_devices)}."
            )

    def boot_device(self) -> dict[str, Any]:
        """Return what the node boots from."""
        return {"boot_device": "pxe", "persistent": True}


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
            values = {item["name"]: item["value"] for item in wanted}
        except (TypeError, KeyError) as exc:
            raise errors.InvalidParameterValue(str(exc)) from exc
        bios_settings.replace(task.session, task.node, values)
        return waits


class NoBIOS(Disabled):
    """No BIOS."""

    kind = "bios"


class FakeFirmware(Interface):
    """Knows no components."""

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


class FakeVendorB(Interface):
    """Methods that check whether an argument has the expected value."""

    kind = "vendor"
    steps = MappingProxyType(
        {
            "clean": (Step("log_passthrough", priority=1),),
            "service": (
                Step("log_passthrough", ramdisk=False),
                Step("trigger_servicewait", waits=True),
            ),
        }
    )
    #: Methods by name: the word that is right, and whether they are asynchronous and exclusive.
    methods: ClassVar[Mapping[str, tuple[str | None, bool, bool]]] = MappingProxyType(
        {
            "fourth_method_shared_lock": ("woof", True, False),
            "log_passthrough": (None, True, True),
            "second_method": ("kazoo", True, True),
            "third_method_sync": ("meow", False, True),
        }
    )

    def describe_methods(self) -> dict[str, dict[str, Any]]:
        """Return the methods as the API lists them."""
        return {
            name: {
                "http_methods": ["POST"],
                "async": runs_later,
                "description": f"Test if the value of bar is {word}"
                if word
                else "Test pass-through to wait.",
                "attach": False,
                "require_exclusive_lock": exclusive,
            }
            for name, (word, runs_later, exclusive) in self.methods.items()
        }

    def check_call(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Check the arguments of a method; raise MissingParameterValue if ``bar`` is missing."""
        if self.methods[name][0] is not None and not arguments.get("bar"):
            raise errors.MissingParameterValue(f"Parameter 'bar' not passed to method '{name}'.")

    def call(self, name: str, arguments: Mapping[str, Any]) -> bool | None:
        """Call a method.

        :returns: whether ``bar`` is the right word.
        :raises InvalidParameterValue: for arguments that the method doesn't have.
        """
        word = self.methods[name][0]
        if word is None:
            return None
        surplus = [key for key in arguments if key not in ("bar", "http_method")]
        if surplus:
            raise errors.InvalidParameterValue(
                f"{name}() got an unexpected keyword argument '{surplus[0]}'"
            )
        return bool(arguments["bar"] == word)


class NoVendor(FakeVendorB, Disabled):
    """No vendor's methods."""

    validate = Disabled.validate
    steps = MappingProxyType({})
    methods = MappingProxyType({})
