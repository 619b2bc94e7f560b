"""What a wait has to know of each type of resource, and what is a failure of it: the one table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_FAILED = re.compile(r"error.*|.*failed", re.IGNORECASE)
"""States of failure: ``deploy failed`` of Ironic, ``ERROR`` of Nova, ``error_deleting`` of Cinder.
No other state of these services has such a name."""


def has_failed(state: str | None) -> bool:
    """Return whether a state is one of failure, in any of the services.

    :param state: the state, None of a resource without one.
    """
    return state is not None and _FAILED.fullmatch(state) is not None


@dataclass(frozen=True)
class Kind:
    """A type of resource.

    :param name: its name, such as ``node``.
    :param state: the field with the state of a resource, empty if it has none.
    :param error: where a resource says why it is in a failure state: a field, and keys in it.
    :param unknown: what is said if it doesn't say that.
    :param identifier: the field that identifies a resource.
    :param hint: the command that tells more about one that has failed, but for its name or
        identifier; empty if there is none.
    """

    name: str
    state: str = ""
    error: tuple[str, ...] = ("last_error",)
    unknown: str = "in a failure state without a reason"
    identifier: str = "uuid"
    hint: str = ""

    def failed(self, item: Mapping[str, Any]) -> bool:
        """Return whether a resource is in a failure state."""
        return has_failed(item.get(self.state))

    def reason(self, item: Mapping[str, Any]) -> str | None:
        """Return why a resource is in a failure state, None if it doesn't say that."""
        found: Any = item
        for name in self.error:
            found = (found or {}).get(name)
        return found or None


NODE = Kind("node", "provision_state", hint="baremetal node explain")
ALLOCATION = Kind("allocation", "state", hint="baremetal allocation show")
SERVER = Kind(
    "server",
    "status",
    error=("fault", "message"),
    unknown="Nova gives no reason",
    identifier="id",
    hint="baremetal server show",
)
VOLUME = Kind(
    "volume",
    "status",
    unknown="Cinder gives no reason",
    identifier="id",
    hint="openstack volume show",
)
ATTACHMENT = Kind(
    "volume attachment",
    "status",
    unknown="Cinder gives no reason",
    identifier="attachment_id",
    hint="openstack volume attachment show",
)

_KINDS = {kind.name: kind for kind in (NODE, ALLOCATION, SERVER, VOLUME, ATTACHMENT)}


def kind_of(name: str) -> Kind:
    """Return the row of a type of resource; one that has no state has no row."""
    return _KINDS.get(name) or Kind(name)
