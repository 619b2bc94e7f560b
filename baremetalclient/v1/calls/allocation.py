"""Calls for allocations; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import AllocationChanges, AllocationFields, AllocationFilters
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import Patch
    from baremetalclient.v1.types import AllocationState, SortDirection


class AllocationCalls(CreateManager[ResourceT]):
    """Calls for allocations."""

    def iterate(self, **options: Unpack[AllocationFilters]) -> Iterator[ResourceT]:
        """Yield all allocations that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        allocation_id: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return an allocation.

        :param allocation_id: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(allocation_id, fields, **call)

    def create(self, **fields: Unpack[AllocationFields]) -> ResourceT:  # type: ignore[override]
        """Create an allocation.

        :param fields: its fields, and the options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def update(
        self,
        allocation_id: str | ResourceT,
        patch: Patch | None = None,
        **changes: Unpack[AllocationChanges],
    ) -> ResourceT:
        """Change an allocation, and return it.

        :param allocation_id: its identifier, or the resource.
        :param patch: a JSON patch.
        :param changes: instead of a patch: new values of whole fields, None to remove one; and the
            options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        """
        return self._change(allocation_id, patch, **changes)

    def delete(self, allocation_id: str | ResourceT, **call: Unpack[CallOptions]) -> None:
        """Delete an allocation.

        :param allocation_id: its identifier, or the resource.
        :raises NotFound: if it does not exist.
        """
        self._delete(allocation_id, **call)

    def list(
        self,
        resource_class: str | None = None,
        state: AllocationState | None = None,
        node: str | Node | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        fields: Sequence[str] | None = None,
        owner: str | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the allocations that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param resource_class: list only allocations of this resource class.
        :param state: list only allocations in this state.
        :param node: list only the allocation of this node.
        :param owner: list only allocations of this owner.
        """
        return self._list(
            resource_class=resource_class,
            state=state,
            node=node,
            limit=limit,
            marker=marker,
            sort_key=sort_key,
            sort_dir=sort_dir,
            fields=fields,
            owner=owner,
            **call,
        )
