"""Chassis: groups of nodes.

API reference, section "Chassis".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import Field, ResourceType, SettableField
from baremetalclient.v1.node import Node, NodeManager

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import ChassisFields, IterateOptions
    from baremetalclient.v1.objects import Link, Patch
    from baremetalclient.v1.types import ProvisionState, SortDirection


RESOURCE_TYPE = ResourceType(
    name="chassis",
    plural="chassis",
    path="chassis",
    list_key="chassis",
    detail="path",
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("description", "Description"),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        SettableField("extra", "Extra", "object", sortable=False),
        Field("links", "Links", "links", sortable=False, detailed=False),
        Field("nodes", "Nodes", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "description"),
)


class Chassis(Resource):
    """A chassis."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    description: str | None
    created_at: str
    updated_at: str | None
    extra: dict[str, Any]
    links: list[Link]
    nodes: list[list[Link]]


class ChassisManager(manager.Manager[Chassis]):
    """Calls for chassis."""

    resource_class = Chassis

    def list(
        self,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Chassis]:
        """Return chassis; see :class:`.Manager` for the arguments of all lists."""
        return self._list({}, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[IterateOptions]) -> Iterator[Chassis]:
        """Yield all chassis, holding one page of the server in memory at a time.

        :param options: the arguments of all lists but ``limit``, and the options of every call.
        """
        return self._iterate(**options)

    def get(
        self,
        chassis_id: str | Chassis,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> Chassis:
        """Return a chassis.

        :param chassis_id: its UUID.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(chassis_id, fields, **call)

    def create(self, **attributes: Unpack[ChassisFields]) -> Chassis:
        """Create a chassis.

        :param attributes: ``description``, ``extra`` and ``uuid``, all optional; and the
            options of every call.
        :raises InvalidAttribute: if a chassis does not have one of the fields.
        :raises Conflict: if the UUID is taken.
        """
        return self._create(**attributes)

    def update(
        self, chassis_id: str | Chassis, patch: Patch, **call: Unpack[CallOptions]
    ) -> Chassis:
        """Change a chassis.

        :param chassis_id: its UUID.
        :param patch: a JSON patch.
        :returns: the changed chassis.
        """
        return self._update(chassis_id, patch, **call)

    def delete(self, chassis_id: str | Chassis, **call: Unpack[CallOptions]) -> None:
        """Delete a chassis.

        :param chassis_id: its UUID.
        """
        self._delete(chassis_id, **call)

    def list_nodes(
        self,
        chassis_id: str | Chassis,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        associated: bool | str | None = None,
        maintenance: bool | str | None = None,
        provision_state: ProvisionState | None = None,
        **call: Unpack[CallOptions],
    ) -> builtins.list[Node]:
        """Return the nodes in a chassis; see :class:`.Manager` for the arguments of all lists.

        :param chassis_id: the UUID of the chassis.
        :param associated: only those with, or without, an instance.
        :param maintenance: only those in, or not in, maintenance.
        :param provision_state: only those in this state.
        """
        filters = {
            "associated": associated,
            "maintenance": maintenance,
            "provision_state": provision_state,
        }
        page = (limit, marker, sort_key, sort_dir, detail, fields)
        return self._list_children(NodeManager, "chassis", chassis_id, *page, filters, **call)
