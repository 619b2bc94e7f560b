"""The schemas of traits, of nodes and of what nodes need them for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.arguments import checked

if TYPE_CHECKING:
    from fake_server.common.schemas import Schema


def trait_schema() -> Schema:
    """Return the schema of one trait: a standard one, or one of the operator's own."""
    import os_traits  # type: ignore[import-untyped]

    return {
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        "anyOf": [
            {"pattern": f"^{os_traits.CUSTOM_NAMESPACE}[A-Z0-9_]+$"},
            {"enum": os_traits.get_traits()},
        ],
    }


#: Takes a trait.
TRAIT = checked(trait_schema)
#: Takes the body of a request that sets traits.
TRAITS = checked(
    lambda: {
        "type": "object",
        "properties": {"traits": {"type": "array", "items": trait_schema()}},
        "additionalProperties": False,
    }
)
