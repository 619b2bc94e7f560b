"""Chassis: groups of nodes.

API reference, section "Chassis".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.fields import field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.v1.calls.chassis import ChassisCalls
from baremetalclient.v1.node import Node, NodeManager

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient.v1.arguments import ListOptions
    from baremetalclient.v1.objects import Link
    from baremetalclient.v1.types import ProvisionState


class Chassis(Resource):
    """A chassis."""

    __slots__ = ()
    resource_type = ResourceType(
        name="chassis",
        plural="chassis",
        path="chassis",
        detail="path",
        listed=("uuid", "description"),
        list_arguments=("marker", "limit", "sort_key", "sort_dir", "detail", "fields"),
    )

    uuid: str = field("UUID of the chassis.", creatable=True)
    description: str | None = settable("Description of the chassis.")
    created_at: str = field("Time of its creation.")
    updated_at: str | None = field("Time of its last change.")
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    links: list[Link] = field("Links to the chassis.", detailed=False)
    nodes: list[list[Link]] = field("Links to its nodes.", detailed=False)


class ChassisManager(ChassisCalls[Chassis]):
    """Calls for chassis."""

    resource_class = Chassis

    def list_nodes(
        self,
        chassis_id: str | Chassis,
        *page: Any,
        associated: bool | str | None = None,
        maintenance: bool | str | None = None,
        provision_state: ProvisionState | None = None,
        **options: Unpack[ListOptions],
    ) -> list[Node]:
        """Return the nodes in a chassis; see :class:`.ListManager` for the arguments of all lists.

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
        return self._list_children(NodeManager, "chassis", chassis_id, **filters, **options)
