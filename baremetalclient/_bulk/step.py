"""Steps: what a plan, a file or a command does with one resource, as it is shown before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

StepAction = Literal["create", "change", "remove", "refused", "none"]


@dataclass(frozen=True)
class PlannedStep:
    """What happens to one resource.

    :param kind: the kind of the resource, such as ``volume connector``.
    :param id: its name, its MAC address, or another identity.
    :param node: the node that it is, or belongs to.
    :param action: ``create``, ``change``, ``remove``, ``refused`` if Ironic would refuse it, or
        ``none`` if it is as it is to be.
    :param fields: the values that change, each with ``old`` and ``new``; secrets are masked.
    :param reason: why it is refused.
    :param interrupts: how it interrupts a machine, or what is lost, in words; None if it doesn't.
    :param uuid: the UUID of the resource, None if it is not known.
    """

    kind: str
    id: str
    node: str | None
    action: StepAction
    fields: dict[str, dict[str, Any]] = field(default_factory=dict)
    reason: str | None = None
    interrupts: str | None = None
    uuid: str | None = None
