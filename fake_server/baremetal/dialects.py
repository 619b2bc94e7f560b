"""Where the documents and the Ironic that was released differ, as one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of answering; the fields say in what.

    :param connectors_key: key of the list of volume connectors.
    :param targets_key: key of the list of volume targets.
    """

    name: str
    connectors_key: str = "connectors"
    targets_key: str = "targets"


DIALECTS = {
    "ironic": Dialect("ironic"),
    "spec": Dialect(
        "spec",
        connectors_key="volume_connectors",
        targets_key="volume_targets",
    ),
}
