"""Where the documents and the Ironic that was released differ, as one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of answering; the fields say in what.

    :param connectors_key: key of the list of volume connectors.
    :param targets_key: key of the list of volume targets.
    :param answers_traits: whether setting all traits is answered with their list.
    :param vif_refusal: status of a VIF that can't be attached or detached.
    :param clears_targets: whether every tear-down removes the volume targets.
    """

    name: str
    connectors_key: str = "connectors"
    targets_key: str = "targets"
    answers_traits: bool = False
    vif_refusal: int = 400
    clears_targets: bool = False


DIALECTS = {
    "ironic": Dialect("ironic"),
    "spec": Dialect(
        "spec",
        connectors_key="volume_connectors",
        targets_key="volume_targets",
        answers_traits=True,
        vif_refusal=422,
        clears_targets=True,
    ),
}
