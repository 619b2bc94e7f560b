"""Steps of cleaning, deploying and servicing, which the methods of hardware interfaces are."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors

if TYPE_CHECKING:
    from collections.abc import Mapping

Arguments = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of cleaning, deploying or servicing.

    :param name: name of the step.
    :param priority: higher ones come first; 0 only on request.
    :param abortable: whether it may be aborted.
    :param arguments: description of its arguments.
    :param ramdisk: whether it needs the ramdisk; ``None`` for a deploy step, which doesn't say.
    :param waits: whether it ends with a node that waits for its agent.
    """

    name: str
    priority: int = 0
    abortable: bool = False
    arguments: Arguments | None = None
    ramdisk: bool | None = True
    waits: bool = False

    def describe(self, interface: str) -> dict[str, Any]:
        """Return the step as nodes show it."""
        shown: dict[str, Any] = {
            "step": self.name,
            "priority": self.priority,
            "abortable": self.abortable,
            "argsinfo": deepcopy(self.arguments),
            "interface": interface,
        }
        if self.ramdisk is not None:
            shown["requires_ramdisk"] = self.ramdisk
        return shown

    def check_call(self, class_name: str, given: Mapping[str, Any]) -> None:
        """Check arguments as a call of the method does.

        :param class_name: the class that has the method.
        :param given: the arguments by name.
        :raises InvalidParameterValue: with the text of Python, for those that don't suit.
        """
        arguments = self.arguments or {}
        call = f"{class_name}.{self.name}()"
        unknown = [name for name in given if name not in arguments]
        if unknown:
            raise errors.InvalidParameterValue(
                f"{call} got an unexpected keyword argument '{unknown[0]}'"
            )
        missing = [
            name for name, one in arguments.items() if one.get("required") and name not in given
        ]
        if missing:
            raise errors.InvalidParameterValue(
                f"{call} missing {len(missing)} required positional argument"
                f"{'s' * (len(missing) > 1)}: {' and '.join(map(repr, missing))}"
            )


def deploy_step(name: str, priority: int) -> Step:
    """Return a step of deploying; it may be aborted."""
    return Step(name, priority=priority, abortable=True, ramdisk=None)
