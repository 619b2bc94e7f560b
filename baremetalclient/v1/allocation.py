"""Allocations: nodes reserved by resource class and traits.

API reference, section "Allocations"; since version 1.52.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._bulk.poller import Poller, Progress, log_progress
from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource, identifier_of
from baremetalclient._resource.schema import (
    NO_CHANGES,
    Feature,
    Field,
    Filter,
    ResourceType,
    SettableField,
)
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import AllocationFields, AllocationFilters
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import Link, Patch
    from baremetalclient.v1.types import AllocationState, SortDirection


_UPDATE = Feature("changing allocations", v1(57), NO_CHANGES)

RESOURCE_TYPE = ResourceType(
    name="allocation",
    plural="allocations",
    path="allocations",
    list_key="allocations",
    since=v1(52),
    missing=NO_CHANGES,
    detail=None,
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("name", "Name"),
        Field("state", "State"),
        Field("owner", "Owner", since=v1(60), creatable=True),
        Field("node_uuid", "Node UUID", "uuid", sortable=False),
        Field("last_error", "Last Error"),
        Field("resource_class", "Resource Class", creatable=True),
        Field("traits", "Traits", "list", sortable=False, creatable=True),
        Field("candidate_nodes", "Candidate Nodes", "list", sortable=False, creatable=True),
        SettableField("extra", "Extra", "object", sortable=False),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("node", "Node", since=v1(58), sortable=False, creatable=True, detailed=False),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "name", "resource_class", "state", "node_uuid"),
    filters=(
        Filter("resource_class"),
        Filter("state"),
        Filter("node"),
        Filter("owner", since=v1(60)),
    ),
)


class Allocation(Resource):
    """An allocation."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    name: str | None
    state: AllocationState
    owner: str | None
    node_uuid: str | None
    last_error: str | None
    resource_class: str | None
    traits: list[str]
    candidate_nodes: list[str]
    extra: dict[str, Any]
    created_at: str
    updated_at: str | None
    links: list[Link]


class AllocationManager(manager.Manager[Allocation]):
    """Calls for allocations."""

    resource_class = Allocation

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
    ) -> list[Allocation]:
        """Return allocations; see :class:`.Manager` for the arguments of all lists.

        :param resource_class: only those of this class.
        :param state: only those in this state: ``allocating``, ``active`` or ``error``.
        :param node: only that of this node, by UUID or name.
        :param owner: only those of this owner; since version 1.60.
        """
        return self._list(
            {"resource_class": resource_class, "state": state, "node": node, "owner": owner},
            limit,
            marker,
            sort_key,
            sort_dir,
            fields=fields,
            **call,
        )

    def iterate(self, **options: Unpack[AllocationFilters]) -> Iterator[Allocation]:
        """Yield all matching allocations, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

    def get(
        self,
        allocation_id: str | Allocation,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> Allocation:
        """Return an allocation.

        :param allocation_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(allocation_id, fields, **call)

    def create(self, **attributes: Unpack[AllocationFields]) -> Allocation:
        """Create an allocation.

        :param attributes: ``resource_class``, optionally ``name``, ``traits``, ``candidate_nodes``,
            ``extra``, ``owner``, ``uuid``, or ``node`` to create one for a deployed node; and the
            options of every call.
        :raises InvalidAttribute: if an allocation does not have one of the fields.
        :raises Conflict: if the UUID or the name is taken.
        """
        return self._create(**attributes)

    def update(
        self, allocation_id: str | Allocation, patch: Patch, **call: Unpack[CallOptions]
    ) -> Allocation:
        """Change an allocation; since version 1.57.

        :param allocation_id: its UUID or name.
        :param patch: a JSON patch.
        :returns: the changed allocation.
        """
        return self._update(allocation_id, patch, features=[_UPDATE], **call)

    def delete(self, allocation_id: str | Allocation, **call: Unpack[CallOptions]) -> None:
        """Delete an allocation.

        :param allocation_id: its UUID or name.
        """
        self._delete(allocation_id, **call)

    def wait(
        self,
        allocation_id: str | Allocation,
        timeout: float = 0,
        poll_interval: float | None = None,
        poll_delay_function: Callable[[float], object] | None = None,
        *,
        progress: Progress = log_progress,
        **call: Unpack[CallOptions],
    ) -> Allocation:
        """Wait until an allocation is active, and return it.

        Once the server has responded, the wait goes on while it is unreachable. A deadline is for
        each poll.

        :param allocation_id: its UUID or name, or the allocation as it was returned.
        :param timeout: the maximum seconds to wait, 0 for no limit.
        :param poll_interval: the seconds between two polls; None for a quarter of a second at
            first, then more and more up to five.
        :param poll_delay_function: called with the seconds to sleep, ``time.sleep`` by default.
            Exceptions that it raises end the wait.
        :param progress: called with the result of each poll.
        :raises StateTransitionFailed: if the allocation failed.
        :raises StateTransitionTimeout: if the time is over.
        """
        ident = identifier_of(allocation_id)

        def fetch(limit: float | None) -> Allocation:
            options: CallOptions = {"deadline": limit, **call}
            return self.get(ident, **options)

        poller = Poller(fetch, timeout=timeout, interval=poll_interval, sleep=poll_delay_function)
        for found in poller:
            target = "active" if found.state == "allocating" else None
            progress(ident, found.state, target, poller.seconds)
            if found.state == "error":
                raise exc.StateTransitionFailed(f"Allocation {ident} failed: {found.last_error}")
            if found.state == "active":
                return found
        raise exc.StateTransitionTimeout(
            f"Allocation {ident} failed to become active in {timeout} seconds."
        )
