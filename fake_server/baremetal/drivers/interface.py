"""What the hardware interfaces of all kinds have."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors, interfaces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.drivers.steps import Step
    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record


class Interface:
    """An interface that accepts everything and does nothing.

    A class names itself for Ironic: ``names={NAME: CLASS}`` has the names under which it can be
    enabled, and the class that each has in Ironic, below ``ironic.drivers.modules``.

    :param name: the name under which it is enabled.
    :param python_class: its class in Ironic, which errors show.
    """

    kind: ClassVar[str]
    #: What the interface can do; other interfaces ask for it.
    capabilities: ClassVar[tuple[str, ...]] = ()
    #: Which properties of ``driver_info`` it knows: names in ``driver_properties.json``.
    properties: ClassVar[tuple[str, ...]] = ()
    #: Steps by flow: ``clean``, ``deploy``, ``service``.
    steps: ClassVar[Mapping[str, tuple[Step, ...]]] = {}

    def __init_subclass__(cls, names: Mapping[str, str] = MappingProxyType({})) -> None:
        """Make the interfaces known under their names."""
        for name, python_class in names.items():
            interfaces.register(cls.kind, cls(name, python_class))

    def __init__(self, name: str, python_class: str) -> None:
        self.name = name
        self.python_class = python_class

    @property
    def _class_name(self) -> str:
        return self.python_class.rpartition(".")[2]

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
                f"'{self._class_name}' object has no attribute '{name}'"
            )
        if flow == "service":  # the others check arguments in advance
            method.check_call(self._class_name, step.get("args") or {})
        return known is not None and known.waits

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
