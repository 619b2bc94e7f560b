"""Allocations: nodes set aside by what they have to be able to do.

API reference, section "Allocations"; since version 1.52.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource import manager
from baremetalclient._resource.schema import Feature, Field, Filter, Resource
from baremetalclient._resource.waiters import Outage, Progress, deadline_of_look, log_progress, poll
from baremetalclient.microversion import Version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions


def _v(minor: int) -> Version:
    return Version(1, minor)


_UPDATE = Feature("changing allocations", _v(57))

RESOURCE = Resource(
    name="allocation",
    plural="allocations",
    path="allocations",
    list_key="allocations",
    since=_v(52),
    detail=None,
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        Field("name", "Name", creatable=True, updatable=True),
        Field("state", "State"),
        Field("owner", "Owner", since=_v(60), creatable=True),
        Field("node_uuid", "Node UUID", "uuid", sortable=False),
        Field("last_error", "Last Error"),
        Field("resource_class", "Resource Class", creatable=True),
        Field("traits", "Traits", "list", sortable=False, creatable=True),
        Field("candidate_nodes", "Candidate Nodes", "list", sortable=False, creatable=True),
        Field("extra", "Extra", "object", sortable=False, creatable=True, updatable=True),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("node", "Node", since=_v(58), sortable=False, creatable=True, detailed=False),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "name", "resource_class", "state", "node_uuid"),
    filters=(
        Filter("resource_class"),
        Filter("state"),
        Filter("node"),
        Filter("owner", since=_v(60)),
    ),
)


class Allocation(manager.View):
    """An allocation."""

    __slots__ = ()
    resource = RESOURCE


class AllocationManager(manager.Manager[Allocation]):
    """Calls about allocations."""

    resource = RESOURCE
    view = Allocation

    def list(
        self,
        resource_class: str | None = None,
        state: str | None = None,
        node: str | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        fields: Sequence[str] | None = None,
        owner: str | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Allocation]:
        """Return allocations.

        :param resource_class: only those of this class.
        :param state: only those in this state: ``allocating``, ``active`` or ``error``.
        :param node: only that of this node, by UUID or name.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param marker: the UUID after which to begin.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param fields: the fields to return.
        :param owner: only those of this owner; since version 1.60.
        :param call: the options of every call.
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

    def get(
        self, allocation_id: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Allocation:
        """Return an allocation.

        :param allocation_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :param call: the options of every call.
        :raises NotFound: if there is none.
        """
        return self._get(allocation_id, fields, **call)

    def create(self, **attributes: Any) -> Allocation:
        """Create an allocation.

        :param attributes: ``resource_class``, and maybe ``name``, ``traits``, ``candidate_nodes``,
            ``extra``, ``owner``, ``uuid``, or ``node`` to record one that was made already;
            besides, the options of every call.
        :raises InvalidAttribute: if an allocation has no such field.
        :raises Conflict: if the UUID or the name is taken.
        """
        return self._create(attributes)

    def update(
        self, allocation_id: str, patch: manager.Patch, **call: Unpack[CallOptions]
    ) -> Allocation:
        """Change an allocation; since version 1.57.

        :param allocation_id: its UUID or name.
        :param patch: a JSON patch.
        :param call: the options of every call.
        :returns: the allocation as it is afterwards.
        """
        return self._update(allocation_id, patch, features=[_UPDATE], **call)

    def delete(self, allocation_id: str, **call: Unpack[CallOptions]) -> None:
        """Delete an allocation.

        :param allocation_id: its UUID or name.
        :param call: the options of every call.
        """
        self._delete(allocation_id, **call)

    def wait(
        self,
        allocation_id: str | Allocation,
        timeout: float = 0,
        poll_interval: float = 1,
        poll_delay_function: Callable[[float], object] | None = None,
        *,
        progress: Progress = log_progress,
        **call: Unpack[CallOptions],
    ) -> Allocation:
        """Return an allocation when it is active.

        While the server cannot be reached, the wait goes on. A deadline is that of each look.

        :param allocation_id: its UUID or name, or the allocation as it was returned.
        :param timeout: seconds to wait at most, 0 for no limit.
        :param poll_interval: seconds between two looks.
        :param poll_delay_function: what waits between two looks, given seconds; ``time.sleep`` by
            default. What it raises ends the wait.
        :param progress: what is told about each look.
        :param call: the options of every call.
        :raises StateTransitionFailed: if no node can be had.
        :raises StateTransitionTimeout: if the time is over.
        """
        allocation_id = manager.identifier_of(allocation_id)
        story = f"Allocation {allocation_id} failed to become active in {timeout} seconds."
        outage = Outage()
        for passed in poll(timeout, poll_interval, poll_delay_function, lambda: story):
            with outage.tolerated():
                look: CallOptions = {"deadline": deadline_of_look(timeout, passed), **call}
                found = self.get(allocation_id, **look)
                target = "active" if found.state == "allocating" else None
                progress(allocation_id, found.state, target, passed)
                if found.state == "active":
                    return found
                if found.state == "error":
                    raise exc.StateTransitionFailed(
                        f"Allocation {allocation_id} failed: {found.last_error}"
                    )
        raise AssertionError("polling ends by itself")
