"""Base of the hardware interfaces, and their steps."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.task import Task
    from fake_server.db.store import Record

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


class Interface:
    """An interface that accepts everything and does nothing.

    :param name: the name under which it is enabled.
    """

    kind: ClassVar[str]
    #: What the interface can do; other interfaces ask for it.
    capabilities: ClassVar[tuple[str, ...]] = ()
    #: Which properties of ``driver_info`` it knows: names in ``driver_properties.json``.
    properties: ClassVar[tuple[str, ...]] = ()
    #: Steps by flow: ``clean``, ``deploy``, ``service``.
    steps: ClassVar[Mapping[str, tuple[Step, ...]]] = MappingProxyType({})

    def __init__(self, name: str) -> None:
        self.name = name

    def validate(self, task: Task) -> None:
        """Check that the node has what the interface needs.

        :raises InvalidParameterValue: if something is missing or wrong.
        :raises UnsupportedDriverExtension: if the interface does nothing at all.
        """

    #: Whether it boots an agent on the node, which is then waited for.
    boots_agent: ClassVar[bool] = False

    def offered(self, task: Task, flow: str) -> list[dict[str, Any]]:
        """Return the steps that it offers, as nodes show them.

        :param flow: ``clean``, ``deploy`` or ``service``.
        """
        return [step.describe(self.kind) for step in self.steps.get(flow, ())]

    def clean_up(self, task: Task) -> None:
        """Undo its preparations."""

    def refresh(self, task: Task) -> None:
        """Update what the node keeps of its hardware; raise ApiError if that fails."""

    def step(self, flow: str, name: str) -> Step | None:
        """Return one of its steps."""
        return next((step for step in self.steps.get(flow, ()) if step.name == name), None)

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Carry a step out.

        :param flow: ``clean``, ``deploy`` or ``service``.
        :param step: the step with its ``args``.
        :returns: whether the node has to wait for its agent now.
        :raises ApiError: if it fails.
        """
        name = step["step"]
        known = self.step(flow, name)
        method = known or next(filter(None, (self.step(other, name) for other in self.steps)), None)
        if method is None:
            raise errors.InvalidParameterValue(
                f"'{type(self).__name__}' object has no attribute '{name}'"
            )
        if flow == "service":  # the others check arguments in advance
            self._check_call(method, step.get("args") or {})
        return known is not None and known.waits

    def _check_call(self, method: Step, given: dict[str, Any]) -> None:
        """Raise InvalidParameterValue, as Python says it, if a method can't be called like this."""
        arguments = method.arguments or {}
        call = f"{type(self).__name__}.{method.name}()"
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

    def end_step(self, task: Task, flow: str, step: dict[str, Any], result: Any) -> None:
        """Note what the agent made by a step.

        :param result: the ``command_result`` of its answer.
        :raises ApiError: if that can't be used.
        """

    def is_done(self, task: Task, step: dict[str, Any]) -> bool:
        """Return whether what a step began has come to its end.

        It is asked while the node waits for its controller.
        """
        return True


class Disabled(Interface):
    """An interface that refuses everything, named ``no-…``."""

    def validate(self, task: Task) -> None:
        """Refuse."""
        raise unsupported(task.node, self.kind)


def unsupported(node: Record, extension: str) -> errors.UnsupportedDriverExtension:
    """Return the error for something that the driver of a node can't do."""
    return errors.UnsupportedDriverExtension(driver=node["driver"], extension=extension)
