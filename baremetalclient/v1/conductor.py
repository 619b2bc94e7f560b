"""Conductors: the services that manage nodes.

API reference, section "Conductors"; since version 1.49.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.fields import field
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.calls.conductor import ConductorCalls

if TYPE_CHECKING:
    from baremetalclient.v1.objects import Link
    from baremetalclient.v1.types import DriverName


class Conductor(Resource):
    """A conductor."""

    __slots__ = ()
    resource_type = ResourceType(
        name="conductor",
        path="conductors",
        since=v1(49),
        identifier="hostname",
        identified_by="hostname",
        listed=("hostname", "conductor_group", "alive"),
        list_arguments=("marker", "limit", "sort_key", "sort_dir", "fields", "detail"),
    )

    hostname: str = field("Name of the host of the conductor.")
    conductor_group: str = field("Conductor group that it belongs to.")
    alive: bool = field("Whether it has reported to Ironic lately.", sortable=False)
    drivers: list[DriverName] = field("Drivers that are enabled in it.")
    created_at: str = field("Time of its creation.")
    updated_at: str | None = field("Time of its last change.")
    links: list[Link] = field("Links to the conductor.", detailed=False)


class ConductorManager(ConductorCalls[Conductor]):
    """Calls for conductors."""

    resource_class = Conductor
