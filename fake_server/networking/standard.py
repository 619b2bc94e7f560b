"""Attributes that several kinds of resources have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_server.networking import nested_values, values
from fake_server.networking.attributes import CHOSEN, Attribute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.networking.values import Convert

FIXED = Attribute(create=False, update=False)
NAME = Attribute(values.text(), "")
SWITCH = Attribute(values.boolean, True)
OFF = Attribute(values.boolean, False, sorts=False)
OPTIONAL_TEXT = values.optional(values.text())
ROUTES = values.items_of(
    nested_values.route, "Invalid data format for hostroute: '{}'", "Duplicate hostroute '{}'"
)
UNSORTED = replace(FIXED, sorts=False)
UNFILTERED = replace(FIXED, filters=False, sorts=False)
SORTED_ONLY = replace(FIXED, filters=False)

STANDARD: Mapping[str, Attribute] = {
    "id": FIXED,
    "tenant_id": Attribute(values.text(), update=False),
    "name": NAME,
    "description": replace(NAME, sorts=False),
    "tags": FIXED,
    "created_at": UNFILTERED,
    "updated_at": UNFILTERED,
    "revision_number": UNSORTED,
}


def unlisted(convert: Convert = values.anything, default: Any = CHOSEN, **more: Any) -> Attribute:
    """Return an attribute by which lists are neither filtered nor sorted."""
    return Attribute(convert, default, filters=False, sorts=False, **more)


def standard_without(*names: str) -> dict[str, Attribute]:
    """Return the standard attributes but for some."""
    return {name: one for name, one in STANDARD.items() if name not in names}


#: What is kept of items of the kinds that have less than the standard attributes.
KEPT = ("tags", "created_at", "updated_at", "revision_number")
