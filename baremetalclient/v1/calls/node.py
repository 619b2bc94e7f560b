"""Calls for nodes; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.resource import Resource
    from baremetalclient.v1.arguments import NodeFields, NodeFilters
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.types import DriverName, Fault, ProvisionState, SortDirection


class NodeCalls(CreateManager[ResourceT]):
    """Calls for nodes."""

    def iterate(self, **options: Unpack[NodeFilters]) -> Iterator[ResourceT]:
        """Yield all nodes that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        node_id: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return a node.

        :param node_id: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(node_id, fields, **call)

    def create(self, **fields: Unpack[NodeFields]) -> ResourceT:  # type: ignore[override]
        """Create a node.

        :param fields: its fields, and the options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def delete(self, node_id: str | ResourceT, **call: Unpack[CallOptions]) -> None:
        """Delete a node.

        :param node_id: its identifier, or the resource.
        :raises NotFound: if it does not exist.
        """
        self._delete(node_id, **call)

    def list(
        self,
        associated: bool | str | None = None,
        maintenance: bool | str | None = None,
        marker: str | None = None,
        limit: int | None = None,
        detail: bool = False,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        fields: Sequence[str] | None = None,
        provision_state: ProvisionState | None = None,
        driver: DriverName | None = None,
        resource_class: str | None = None,
        chassis: str | Resource | None = None,
        fault: Fault | None = None,
        *,
        conductor_group: str | None = None,
        conductor: str | None = None,
        owner: str | None = None,
        retired: bool | str | None = None,
        lessee: str | None = None,
        shards: Sequence[str] | None = None,
        sharded: bool | str | None = None,
        parent_node: str | Node | None = None,
        include_children: bool | None = None,
        description_contains: str | None = None,
        instance_name: str | None = None,
        instance_uuid: str | None = None,
        traits: Sequence[str] | None = None,
        traits_any: Sequence[str] | None = None,
        not_traits: Sequence[str] | None = None,
        not_traits_any: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the nodes that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param associated: only those with, or without, an instance.
        :param maintenance: only those in, or not in, maintenance.
        :param provision_state: list only nodes in this provision state.
        :param driver: list only nodes with this driver.
        :param resource_class: list only nodes of this resource class.
        :param chassis: list only nodes of this chassis.
        :param fault: list only nodes with this fault.
        :param conductor_group: list only nodes of this conductor group.
        :param conductor: list only nodes managed by this conductor.
        :param owner: list only nodes of this owner.
        :param retired: only those that are, or are not, retired.
        :param lessee: list only nodes of this lessee.
        :param shards: list only nodes in one of these shards.
        :param sharded: only those with, or without, a shard.
        :param parent_node: only children of the node with this UUID.
        :param include_children: whether to return child nodes as well.
        :param description_contains: list only nodes whose description contains this text.
        :param instance_name: list only nodes whose instance has this name.
        :param instance_uuid: only that of the instance with this UUID.
        :param traits: list only nodes with all of these traits.
        :param traits_any: list only nodes with any of these traits.
        :param not_traits: leave out nodes with all of these traits.
        :param not_traits_any: leave out nodes with any of these traits.
        """
        return self._list(
            associated=associated,
            maintenance=maintenance,
            marker=marker,
            limit=limit,
            detail=detail,
            sort_key=sort_key,
            sort_dir=sort_dir,
            fields=fields,
            provision_state=provision_state,
            driver=driver,
            resource_class=resource_class,
            chassis=chassis,
            fault=fault,
            conductor_group=conductor_group,
            conductor=conductor,
            owner=owner,
            retired=retired,
            lessee=lessee,
            shards=shards,
            sharded=sharded,
            parent_node=parent_node,
            include_children=include_children,
            description_contains=description_contains,
            instance_name=instance_name,
            instance_uuid=instance_uuid,
            traits=traits,
            traits_any=traits_any,
            not_traits=not_traits,
            not_traits_any=not_traits_any,
            **call,
        )
