"""Allocations: nodes reserved by resource class and traits.

API reference, section "Allocations"; since version 1.52.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource.fields import Filter, field, settable
from baremetalclient._resource.resource import Resource, identifier_of
from baremetalclient._resource.schema import NO_CHANGES, ResourceType
from baremetalclient.microversion import Feature, v1
from baremetalclient.v1.calls.allocation import AllocationCalls

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from baremetalclient._bulk.listener import Listener
    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.objects import Link
    from baremetalclient.v1.types import AllocationState


class Allocation(Resource):
    """An allocation."""

    __slots__ = ()
    resource_type = ResourceType(
        name="allocation",
        path="allocations",
        since=v1(52),
        missing=NO_CHANGES,
        detail=None,
        update_feature=Feature("changing allocations", v1(57), NO_CHANGES),
        listed=("uuid", "name", "resource_class", "state", "node_uuid"),
        only_sent={
            "node": (
                "str",
                field(
                    "Node that is deployed already, to create an allocation for it.",
                    since=v1(58),
                    sortable=False,
                    creatable=True,
                    detailed=False,
                ),
            )
        },
        list_arguments=(
            *("resource_class", "state", "node", "limit", "marker", "sort_key", "sort_dir"),
            *("fields", "owner"),
        ),
        filters=(
            Filter("resource_class", "List only allocations of this resource class."),
            Filter("state", "List only allocations in this state."),
            Filter("node", "List only the allocation of this node.", "str | Node | None"),
            Filter("owner", "List only allocations of this owner.", since=v1(60)),
        ),
    )

    uuid: str = field("UUID of the allocation.", creatable=True)
    name: str | None = settable("Name of the allocation.")
    state: AllocationState = field("State of the allocation: allocating, active or error.")
    owner: str | None = field("Project that owns the allocation.", since=v1(60), creatable=True)
    node_uuid: str | None = field("Node that was chosen.", sortable=False)
    last_error: str | None = field("Why no node was chosen.")
    resource_class: str | None = field(
        "Resource class that the node has to have.", given="str", creatable=True
    )
    traits: list[str] = field("Traits that the node has to have.", creatable=True)
    candidate_nodes: list[str] = field("Nodes to choose from; all, if it is empty.", creatable=True)
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    created_at: str = field("Time of its creation.")
    updated_at: str | None = field("Time of its last change.")
    links: list[Link] = field("Links to the allocation.", detailed=False)


class AllocationManager(AllocationCalls[Allocation]):
    """Calls for allocations."""

    resource_class = Allocation

    def wait(
        self,
        allocation_id: str | Allocation,
        timeout: float = 0,
        poll_interval: float | None = None,
        poll_delay_function: Callable[[float], object] | None = None,
        *,
        listener: Listener | None = None,
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
        :param listener: told what each poll has seen.
        :raises StateTransitionFailed: if the allocation failed.
        :raises StateTransitionTimeout: if the time is over.
        """
        from baremetalclient._bulk.goal import StateGoal
        from baremetalclient._bulk.kinds import ALLOCATION
        from baremetalclient._bulk.wait import Pacing, wait_for_one

        ident = identifier_of(allocation_id)
        found: Allocation | None = None
        goal = StateGoal(ALLOCATION, "active", ("state",), ("active",), stable_fails=False)

        def fetch(limit: float | None) -> dict[str, Any]:
            nonlocal found
            options: CallOptions = {"deadline": limit, **call}
            found = self.get(ident, **options)
            return vars(found)

        pacing = Pacing(timeout, poll_interval, poll_delay_function)
        _, verdict = wait_for_one(fetch, goal, pacing, ident, listener)
        if verdict.outcome == "failed":
            raise exc.StateTransitionFailed(f"Allocation {ident} failed: {verdict.reason}")
        if found is None or verdict.outcome == "waiting":
            raise exc.StateTransitionTimeout(
                f"Allocation {ident} failed to become active in {timeout} seconds."
            )
        return found
