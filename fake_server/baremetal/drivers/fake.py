"""The ``fake`` interfaces, which accept everything and do nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors, states
from fake_server.baremetal.agents.simulated import SIMULATED
from fake_server.baremetal.drivers import base
from fake_server.baremetal.drivers.steps import Arguments, Step, deploy_step
from fake_server.baremetal.drivers.vendor import Method, VendorInterface
from fake_server.baremetal.models import hardware
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task


def _settings(what: str) -> Arguments:
    description = f"List of {what}, each item needs to contain a dictionary with name/value pairs"
    return {"settings": {"description": description, "required": True}}


class FakeDeploy(base.DeployInterface, names={"fake": "fake.FakeDeploy"}):
    """Deploys nothing, and says that it did.

    It switches networks only where every deploy interface has to.
    """

    steps: ClassVar = {"deploy": (deploy_step("deploy", 100),)}

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


class FakeManagement(base.ManagementInterface, names={"fake": "fake.FakeManagement"}):
    """Boots from the network only."""

    boot_devices = ("pxe",)
    _indicators: ClassVar[base.Indicators] = {
        "chassis": {"led-0": {"readonly": True, "states": ["off", "on"]}},
        "system": {"led": {"readonly": False, "states": ["blinking", "off", "on"]}},
    }

    def boot_from_disk(self, task: Task) -> None:
        """Raise InvalidParameterValue, unless the whole machine is simulated."""
        if task.session.settings.agent != SIMULATED:
            super().boot_from_disk(task)

    def indicators(self, task: Task) -> base.Indicators:
        """Return indicators that can't be switched."""
        return self._indicators

    def indicator(self, task: Task, component: str, name: str) -> str:
        """Return that an indicator is on; raise InvalidParameterValue for an unknown one."""
        if component not in self._indicators:
            raise errors.InvalidParameterValue(f"Invalid component {component} specified.")
        if name not in self._indicators[component]:
            raise errors.InvalidParameterValue(f"Invalid indicator {name} specified.")
        return "on"


class FakeBIOS(base.BIOSInterface, names={"fake": "fake.FakeBIOS"}):
    """Remembers the settings that it is given."""

    steps: ClassVar = {
        "clean": (
            Step("apply_configuration", arguments=_settings("BIOS settings")),
            Step("cache_bios_settings"),
            Step("factory_reset"),
        )
    }

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
        hardware.replace_bios_settings(task.session, task.node, values)
        return waits


def _as_text(value: Any) -> str:
    """Return a name or a value as the database of Ironic has it.

    :raises TypeError: if it is neither text nor a number.
    """
    if not isinstance(value, str | int | float):
        raise TypeError(f"type '{type(value).__name__}' is not supported")
    return str(int(value) if isinstance(value, bool) else value)


class FakeFirmware(base.FirmwareInterface, names={"fake": "fake.FakeFirmware"}):
    """Has no components."""

    steps: ClassVar = {"clean": (Step("update", arguments=_settings("Firmware components")),)}


class FakeVendorB(VendorInterface, names={"fake": "fake.FakeVendorB"}):
    """Methods that check whether an argument has the expected value."""

    properties = ("fake",)
    steps: ClassVar = {
        "clean": (Step("log_passthrough", priority=1),),
        "service": (
            Step("log_passthrough", ramdisk=False),
            Step("trigger_servicewait", waits=True),
        ),
    }
    methods: ClassVar = {
        "fourth_method_shared_lock": Method("Test if the value of bar is woof", exclusive=False),
        "log_passthrough": Method("Test pass-through to wait."),
        "second_method": Method("Test if the value of bar is kazoo"),
        "third_method_sync": Method("Test if the value of bar is meow", runs_later=False),
    }
    #: The value of ``bar`` that is right, by method.
    _words: ClassVar[Mapping[str, str]] = {
        "fourth_method_shared_lock": "woof",
        "second_method": "kazoo",
        "third_method_sync": "meow",
    }

    def check_call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> None:
        """Check the arguments of a method; raise MissingParameterValue if ``bar`` is missing."""
        if name in self._words and not arguments.get("bar"):
            raise errors.MissingParameterValue(f"Parameter 'bar' not passed to method '{name}'.")

    def call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> bool | None:
        """Call a method.

        :returns: whether ``bar`` is the right word.
        :raises InvalidParameterValue: for arguments that the method doesn't have.
        """
        if name not in self._words:
            return None
        surplus = [key for key in arguments if key not in ("bar", "http_method")]
        if surplus:
            raise errors.InvalidParameterValue(
                f"{name}() got an unexpected keyword argument '{surplus[0]}'"
            )
        return bool(arguments["bar"] == self._words[name])
