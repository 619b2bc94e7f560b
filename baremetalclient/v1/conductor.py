"""Conductors: the services that manage nodes.

API reference, section "Conductors"; since version 1.49.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import Field, ResourceType
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import IterateOptions
    from baremetalclient.v1.objects import Link
    from baremetalclient.v1.types import DriverName, SortDirection


RESOURCE_TYPE = ResourceType(
    name="conductor",
    plural="conductors",
    path="conductors",
    list_key="conductors",
    since=v1(49),
    fields=(
        Field("hostname", "Hostname"),
        Field("conductor_group", "Conductor Group"),
        Field("alive", "Alive", "boolean", sortable=False),
        Field("drivers", "Drivers", "list", sortable=False),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("hostname", "conductor_group", "alive"),
    identifier="hostname",
)


class Conductor(Resource):
    """A conductor."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    hostname: str
    conductor_group: str
    alive: bool
    drivers: list[DriverName]
    created_at: str
    updated_at: str | None
    links: list[Link]


class ConductorManager(manager.Manager[Conductor]):
    """Calls for conductors."""

    resource_class = Conductor

    def list(
        self,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        fields: Sequence[str] | None = None,
        detail: bool = False,
        **call: Unpack[CallOptions],
    ) -> list[Conductor]:
        """Return conductors; see :class:`.Manager` for the arguments of all lists."""
        return self._list({}, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[IterateOptions]) -> Iterator[Conductor]:
        """Yield all conductors, holding one page of the server in memory at a time.

        :param options: the arguments of all lists but ``limit``, and the options of every call.
        """
        return self._iterate(**options)

    def get(
        self, hostname: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Conductor:
        """Return a conductor.

        :param hostname: its hostname.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(hostname, fields, **call)
