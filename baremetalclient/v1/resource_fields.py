"""Fields of resources and their labels, for programs written for python-ironicclient.

Each resource has its fields in a plain list, such as ``PORT_RESOURCE``, and those in a detailed
one, such as ``PORT_DETAILED_RESOURCE``.
"""

from __future__ import annotations

from typing import NamedTuple

from baremetalclient.v1.resources import RESOURCES, resource_type

_PLAIN, _DETAILED = "_RESOURCE", "_DETAILED_RESOURCE"


class Resource(NamedTuple):
    """The columns of a list.

    :param fields: the names of the fields.
    :param labels: their labels.
    :param sort_fields: the names of those that the list can be sorted by.
    :param sort_labels: the labels of those.
    """

    fields: tuple[str, ...]
    labels: tuple[str, ...]
    sort_fields: tuple[str, ...]
    sort_labels: tuple[str, ...]


def __getattr__(name: str) -> Resource:
    for ending in (_DETAILED, _PLAIN):
        module = name.removesuffix(ending).lower()
        if name.endswith(ending) and module in RESOURCES:
            described = resource_type(module)
            plain = (described.by_name[field] for field in described.listed)
            columns = described.long_columns if ending == _DETAILED else tuple(plain)
            sortable = tuple(field for field in columns if field.sortable)
            return Resource(
                tuple(field.name for field in columns),
                tuple(field.label for field in columns),
                tuple(field.name for field in sortable),
                tuple(field.label for field in sortable),
            )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
