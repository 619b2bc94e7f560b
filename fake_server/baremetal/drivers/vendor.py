"""Vendor interfaces: their methods, and those of ``fake``."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.base import Disabled, Interface, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.task import Task


@dataclass(frozen=True, slots=True)
class Method:
    """A vendor method.

    :param description: what the API says about it.
    :param http_method: HTTP method with which it is called.
    :param runs_later: whether the caller isn't given its result.
    :param exclusive: whether the node is locked meanwhile.
    """

    description: str
    http_method: str = "POST"
    runs_later: bool = True
    exclusive: bool = True

    def describe(self) -> dict[str, Any]:
        """Return the method as the API lists it."""
        return {
            "http_methods": [self.http_method],
            "async": self.runs_later,
            "description": self.description,
            "attach": False,
            "require_exclusive_lock": self.exclusive,
        }


class VendorInterface(Interface):
    """Has no methods."""

    kind = "vendor"
    methods: ClassVar[Mapping[str, Method]] = MappingProxyType({})

    def check_call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> None:
        """Check the arguments of a method; raise InvalidParameterValue for a wrong one."""

    def call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a method and return its result; raise ApiError if it fails."""


class FakeVendorB(VendorInterface):
    """Methods that check whether an argument has the expected value."""

    properties = ("fake",)
    steps = MappingProxyType(
        {
            "clean": (Step("log_passthrough", priority=1),),
            "service": (
                Step("log_passthrough", ramdisk=False),
                Step("trigger_servicewait", waits=True),
            ),
        }
    )
    methods = MappingProxyType(
        {
            "fourth_method_shared_lock": Method(
                "Test if the value of bar is woof", exclusive=False
            ),
            "log_passthrough": Method("Test pass-through to wait."),
            "second_method": Method("Test if the value of bar is kazoo"),
            "third_method_sync": Method("Test if the value of bar is meow", runs_later=False),
        }
    )
    #: The value of ``bar`` that is right, by method.
    _words: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "fourth_method_shared_lock": "woof",
            "second_method": "kazoo",
            "third_method_sync": "meow",
        }
    )

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


class NoVendor(VendorInterface, Disabled):
    """No vendor methods."""

    validate = Disabled.validate
