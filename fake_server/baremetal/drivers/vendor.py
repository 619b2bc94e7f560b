"""The base of the vendor interfaces, and the methods that they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal.drivers.interface import Interface

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task


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
    """A vendor interface, without methods."""

    kind = "vendor"
    methods: ClassVar[Mapping[str, Method]] = {}

    def check_call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> None:
        """Check the arguments of a method; raise InvalidParameterValue for a wrong one."""

    def call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a method and return its result; raise ApiError if it fails."""
