"""Create nodes: their defaults, and the validation of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, interfaces
from fake_server.baremetal.models import conductors
from fake_server.baremetal.models.nodes import NODES
from fake_server.common import randomness
from fake_server.common.parsing import parse_integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

#: Properties that are sizes.
_SIZES = ("local_gb", "memory_mb")


def create(session: Session, values: Mapping[str, Any]) -> Record:
    """Create a node.

    :param values: columns; a ``uuid`` is made up if there is none, and interfaces that aren't
        named are the defaults.
    :raises NotFound: with status 400, if no conductor is there for its driver and group.
    :raises InvalidParameterValue: for invalid values.
    :raises AlreadyExists, InstanceAssociated: when it isn't unique.
    """
    row = {name: value for name, value in values.items() if value is not None}
    row["uuid"] = row.get("uuid") or randomness.uuid()
    row["resource_class"] = row.get("resource_class") or None
    row["conductor_group"] = row.get("conductor_group") or ""
    if "secure_boot" in row:
        row["secure_boot"] = bool(row["secure_boot"])
    for name in ("maintenance", "console_enabled"):
        if values.get(name, False) is None:
            raise errors.Invalid(f"Field {name} can't be null: use true or false.")
    if values.get("properties", {}) is None:
        raise errors.Invalid("Field properties can't be null: use an object.")
    conductors.require(session, row, 400)
    interfaces.set_defaults(session.settings, row)
    check_properties(row["uuid"], row.get("properties"))
    return NODES.create(session, row)


def check_properties(uuid: str, properties: Mapping[str, Any] | None) -> None:
    """Raise InvalidParameterValue for sizes that aren't numbers, naming all of them."""
    wrong = [
        f"{name}={properties[name]}"
        for name in _SIZES
        if properties
        and properties.get(name) is not None
        and parse_integer(properties[name], minimum=0) is None
    ]
    if wrong:
        raise errors.InvalidParameterValue(
            f"The following properties for node {uuid} should be non-negative integers, but "
            f"provided values are: {', '.join(wrong)}"
        )
