"""Calls for port groups; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import PortgroupChanges, PortgroupFields, PortgroupFilters
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import Patch
    from baremetalclient.v1.types import SortDirection


class PortgroupCalls(CreateManager[ResourceT]):
    """Calls for port groups."""

    def iterate(self, **options: Unpack[PortgroupFilters]) -> Iterator[ResourceT]:
        """Yield all port groups that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        portgroup_id: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return a port group.

        :param portgroup_id: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(portgroup_id, fields, **call)

    def create(self, **fields: Unpack[PortgroupFields]) -> ResourceT:  # type: ignore[override]
        """Create a port group.

        :param fields: its fields, and the options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def update(
        self,
        portgroup_id: str | ResourceT,
        patch: Patch | None = None,
        **changes: Unpack[PortgroupChanges],
    ) -> ResourceT:
        """Change a port group, and return it.

        :param portgroup_id: its identifier, or the resource.
        :param patch: a JSON patch.
        :param changes: instead of a patch: new values of whole fields, None to remove one; and the
            options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        """
        return self._change(portgroup_id, patch, **changes)

    def delete(self, portgroup_id: str | ResourceT, **call: Unpack[CallOptions]) -> None:
        """Delete a port group.

        :param portgroup_id: its identifier, or the resource.
        :raises NotFound: if it does not exist.
        """
        self._delete(portgroup_id, **call)

    def list(
        self,
        node: str | Node | None = None,
        address: str | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        shards: Sequence[str] | None = None,
        *,
        conductor_groups: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the port groups that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param node: list only port groups of this node (name or UUID).
        :param address: list only the port group with this address.
        :param shards: list only port groups of nodes in one of these shards.
        :param conductor_groups: list only port groups of nodes in one of these conductor groups.
        """
        return self._list(
            node=node,
            address=address,
            limit=limit,
            marker=marker,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            shards=shards,
            conductor_groups=conductor_groups,
            **call,
        )
