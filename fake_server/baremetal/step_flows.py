"""The three flows of steps: cleaning, deploying and servicing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fake_server.baremetal import states

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record


@dataclass(frozen=True, slots=True)
class StepFlow:
    """A flow of steps: its names, its states, and its keys of ``driver_internal_info``.

    :param kind: ``clean``, ``deploy`` or ``service``.
    :param long: how ``driver_internal_info`` spells the flow.
    :param running: the state in which its steps run.
    :param waiting: the state in which it waits for an agent or a controller.
    :param failed: the state in which it ends if it fails.
    :param without_ramdisk: the key that says that it boots no agent; ``None`` for a flow that boots
        it by one of its steps.
    :param others: what else is stored as long as it lasts.
    """

    kind: str
    long: str
    running: str
    waiting: str
    failed: str
    without_ramdisk: str | None
    others: tuple[str, ...]

    @property
    def step_field(self) -> str:
        """The field of a node with the running step."""
        return f"{self.kind}_step"

    @property
    def marks(self) -> tuple[str, ...]:
        """The keys that tell how the running step is to end."""
        return (f"{self.long}_reboot", f"skip_current_{self.kind}_step", f"{self.long}_polling")


FLOWS: Mapping[str, StepFlow] = {
    flow.kind: flow
    for flow in (
        StepFlow(
            "clean",
            "cleaning",
            states.CLEANING,
            states.CLEANWAIT,
            states.CLEANFAIL,
            "cleaning_disable_ramdisk",
            ("cleaning_disable_ramdisk", "declarative_cleaning"),
        ),
        StepFlow(
            "deploy",
            "deployment",
            states.DEPLOYING,
            states.DEPLOYWAIT,
            states.DEPLOYFAIL,
            None,
            ("user_deploy_steps", "image_source"),
        ),
        StepFlow(
            "service",
            "servicing",
            states.SERVICING,
            states.SERVICEWAIT,
            states.SERVICEFAIL,
            "service_disable_ramdisk",
            ("service_disable_ramdisk", "image_source"),
        ),
    )
}
#: The flows by the state in which each waits.
BY_WAITING: Mapping[str, StepFlow] = {flow.waiting: flow for flow in FLOWS.values()}


def is_polled(node: Record) -> bool:
    """Return whether a node waits for its controller."""
    flow = BY_WAITING.get(node["provision_state"])
    return flow is not None and bool(node["driver_internal_info"].get(f"{flow.long}_polling"))
