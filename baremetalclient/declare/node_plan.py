"""The requests that make a node what a file declares, in order, as far as they are known before."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from baremetalclient.declare import compare, restrictions, transitions
from baremetalclient.declare.live import POWERED_ON, REASON
from baremetalclient.declare.plan_steps import Operation
from baremetalclient.declare.transitions import MANAGEABLE
from baremetalclient.v1.node.actions import ACTIONS, power_state, provision_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from baremetalclient.declare.compare import Changes
    from baremetalclient.declare.live import Found, Live
    from baremetalclient.declare.plan_steps import NodeTasks, Task

_OTHER_REQUESTS = frozenset(
    {
        *("uuid", "traits", "vifs", "bios_settings", "target_raid_config", "provision_state"),
        *("power_state", "maintenance", "maintenance_reason"),
    }
)
"""Fields that are not changed by patches."""

_STATES: tuple[transitions.StateField, ...] = ("provision_state", "power_state")
_AFTER_TEAR_DOWN: Mapping[str, Any] = {"instance_uuid": None, "instance_info": {}, "vifs": []}
"""What a tear-down makes of the fields of an instance."""
_NEW: Mapping[str, Any] = {
    **{"provision_state": "enroll", "power_state": None, "target_power_state": None},
    **{"maintenance": False, "maintenance_reason": None, "vifs": [], "bios_settings": {}},
}
"""What a new node has."""


def guarded(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a node whose change makes a plan void, as they are once it is at rest.

    The power state counts only at the beginning of a plan.
    """
    names = ("maintenance", "instance_uuid")
    states = {field: transitions.bound_for(node, field) for field in _STATES}
    return {name: node.get(name) for name in names} | states


class NodePlanner:
    """Finds the operations for a node, on a copy of what is known of it.

    :param live: the resources on the server.
    :param tasks: the tasks for the node, which get the operations.
    :param refresh_secrets: whether masked secrets are sent again.
    """

    def __init__(self, live: Live, tasks: NodeTasks, *, refresh_secrets: bool) -> None:
        refused = {
            path for task in tasks.refused if task.kind.key == "nodes" for path in task.changes
        }
        wanted = live.wanted(tasks.item)
        found = live.items.get(tasks.item)
        self._tasks = tasks
        self._wanted = {path: value for path, value in wanted.items() if path not in refused}
        self._before: Found = found or {}
        #: The node as it will be.
        self._node: Found = copy(found) if found else self._created(live)
        self._refresh = refresh_secrets
        self._reason: str | None = None
        # Where the tear-down of a retired node leads to depends on the cleaning.
        self._is_retired_now = False
        #: Whether transitions have changed the power, and how is only assumed.
        self._power_assumed = False
        #: How the machine is interrupted, or what is lost, each only once.
        self._interruptions: dict[str, None] = {}

    def plan(self) -> None:
        """Add the operations to the tasks, and to the step of the node how they interrupt it."""
        self._plan()
        own, interrupts = self._tasks.own, " and ".join(self._interruptions)
        if own and interrupts:
            own.step = replace(own.step, interrupts=interrupts)

    def _created(self, live: Live) -> Found:
        """Return a new node as it will be shown."""
        item = self._tasks.item
        node: Found = {name: live.default(item, name) for name in item.fields} | dict(_NEW)
        for path, value in self._wanted.items():
            if path[0] in item.kind.creatable and value is not None:
                compare.put(node, path, value)
        return node

    def _plan(self) -> None:
        for field in _STATES:
            if transitions.is_moving(self._node, field):
                state = transitions.bound_for(self._node, field)
                goal = provision_state if field == "provision_state" else power_state
                self._add(Operation(goal=goal(state)))
                self._node |= {field: state, f"target_{field}": None}
        target = str(self._wanted.get(("provision_state",)) or self._state)
        maintenance = self._changes().get(("maintenance",))
        # Power that a plan has turned off is restored first.
        if maintenance and not maintenance.new and not self._is_broken_off:
            self._set_maintenance(False)
        broken_off = self._is_broken_off
        self._patch(tolerated=True)
        route = transitions.route(self._state, target) or []
        if route and route[0].verb == "deleted":
            self._go(route[0])
        for name, action in (("traits", "trait set"), ("target_raid_config", "raid config set")):
            change = self._changes().get((name,))
            if change:
                self._add(Operation(action, {name: change.new}, tolerated=True))
                self._node[name] = change.new
        self._parts()
        self._set_bios()
        self._drive(target)
        self._finish(broken_off=broken_off)

    @property
    def _state(self) -> str:
        return str(self._node["provision_state"])

    @property
    def _is_broken_off(self) -> bool:
        return bool(self._node.get("maintenance_reason") == POWERED_ON)

    def _changes(self) -> Changes:
        return compare.differences(self._wanted, self._node, refresh_secrets=self._refresh)

    def _add(self, operation: Operation) -> None:
        expected = guarded(self._node)
        # Transitions find out the power, and change it.
        moving = transitions.is_moving(self._node, "provision_state")
        if self._tasks.operations or moving or not self._node["power_state"]:
            del expected["power_state"]
        if self._is_retired_now:
            del expected["provision_state"]
        self._tasks.operations.append(replace(operation, expected=expected))
        # What this plan has deployed itself is nobody's yet.
        if operation.action and (words := ACTIONS[operation.action].interruption(self._before)):
            self._interruptions[words] = None

    # Changes of the node itself

    def _patch(self, *, tolerated: bool = False) -> None:
        """Change the fields that Ironic lets be changed in the present state."""
        changes = {
            path: change
            for path, change in self._changes().items()
            if path[0] not in _OTHER_REQUESTS
            and restrictions.is_permitted(path, change, self._node, self._wanted)
        }
        self._refresh = False
        if not changes:
            return
        instance = changes.get(("instance_uuid",))
        if instance and instance.old and instance.new:
            removed: Changes = {("instance_uuid",): instance._replace(new=None)}
            self._add(Operation("set", changes=removed, tolerated=tolerated))
            self._node["instance_uuid"] = None
            changes["instance_uuid",] = instance._replace(old=None)
        if any(map(compare.empties_secret, changes.values())):
            self._interruptions[ACTIONS["unset secrets"].interrupts] = None
        # Interfaces of the old driver may not fit the new one.
        reset = ("driver",) in changes
        if reset:
            changes |= {
                path: compare.Change(self._node.get(path[0]), value)
                for path, value in self._wanted.items()
                if path[0].endswith("_interface") and value is not None
            }
        self._add(Operation("set", changes=changes, reset=reset, tolerated=tolerated))
        for path, change in changes.items():
            compare.put(self._node, path, change.new)

    def _set_maintenance(
        self, state: bool, reason: str | None = None, *, for_parts: bool = False
    ) -> None:
        action = "maintenance set" if state else "maintenance unset"
        arguments = {"maint_reason": reason} if state else {}
        self._add(Operation(action, arguments, for_parts=for_parts))
        self._node |= {"maintenance": state, "maintenance_reason": reason if state else None}

    # What belongs to the node

    def _parts(self) -> None:
        volumes = [task for task in self._tasks.parts if task.kind.key in restrictions.VOLUMES]
        others = [task for task in self._tasks.parts if task not in volumes]
        maintained = self._needs_maintenance(others)
        if maintained:
            self._set_maintenance(True, REASON, for_parts=True)
            self._patch(tolerated=True)
        self._take(others)
        if maintained:
            self._set_maintenance(False, for_parts=True)
        self._volumes(volumes)

    def _needs_maintenance(self, tasks: Iterable[Task]) -> bool:
        if self._node["maintenance"]:
            return False
        interfaces = self._state not in transitions.FREE and any(
            path[0] == "driver" or path[0].endswith("_interface") for path in self._changes()
        )
        connections = self._state not in transitions.CONNECTABLE and any(
            compare.fields_of(task.changes) & restrictions.SETTLED
            for task in tasks
            if task.found is not None
        )
        return interfaces or connections

    def _volumes(self, tasks: list[Task]) -> None:
        """Change volume connectors and targets, while the node is powered off if need be."""
        changed = [task for task in tasks if task.found is not None]
        needs_off = any(task.item is not None for task in changed) or (
            bool(changed) and self._state not in transitions.DELETABLE
        )
        power = self._node["power_state"]
        if not needs_off or power == restrictions.OFF:
            self._take(tasks)
            return
        restored = power == "power on" and ("power_state",) not in self._wanted
        maintained = restored and not self._node["maintenance"]
        if maintained:
            self._set_maintenance(True, POWERED_ON, for_parts=True)
        self._power(restrictions.OFF, for_parts=True)
        self._take(tasks)
        if restored:
            self._power("power on", for_parts=True)
        if maintained:
            self._set_maintenance(False, for_parts=True)

    def _take(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            self._add(Operation(part=task, for_parts=True))

    # States

    def _power(self, state: str, *, for_parts: bool = False, assumed_done: bool = False) -> None:
        goal = power_state(state)
        self._add(Operation(state, goal=goal, for_parts=for_parts, assumed_done=assumed_done))
        self._node["power_state"] = state

    def _drive(self, target: str) -> None:
        for transition in transitions.route(self._state, target) or ():
            self._go(transition)

    def _go(self, transition: transitions.Transition) -> None:
        """Go to the next state."""
        if transition.verb in ("active", "rebuild"):
            self._connect()
            if self._node["maintenance"]:
                self._reason = self._node["maintenance_reason"]
                self._set_maintenance(False)
        verb, reached = transition
        self._add(Operation(verb, goal=ACTIONS[verb].goal or provision_state(reached)))
        self._is_retired_now = verb == "deleted" and bool(self._node.get("retired"))
        power = transitions.POWER_AFTER.get(reached, self._node["power_state"])
        self._node |= {"provision_state": reached, "power_state": power}
        self._power_assumed = True
        if verb == "deleted":
            self._node |= _AFTER_TEAR_DOWN
        self._patch()

    def _set_bios(self) -> None:
        settings = [
            {"name": path[1], "value": change.new}
            for path, change in self._changes().items()
            if path[0] == "bios_settings"
        ]
        if not settings:
            return
        self._drive(MANAGEABLE)
        step = {"interface": "bios", "step": "apply_configuration", "args": {"settings": settings}}
        self._add(Operation("clean", {"cleansteps": [step]}, goal=ACTIONS["clean"].goal))
        for one in settings:
            compare.put(self._node, ("bios_settings", one["name"]), one["value"])

    def _connect(self) -> None:
        """Attach and detach VIFs."""
        change = self._changes().get(("vifs",))
        if not change:
            return
        for vif in change.removed():
            self._add(Operation("vif detach", {"vif_id": vif}))
        for vif in change.added():
            self._add(Operation("vif attach", {"vif_id": vif}))
        self._node["vifs"] = change.new

    def _finish(self, *, broken_off: bool) -> None:
        """Do the rest after the node has reached its state.

        :param broken_off: whether an earlier plan has turned it off, and was broken off.
        """
        self._patch()
        self._connect()
        power = self._wanted.get(("power_state",))
        differs = ("power_state",) in self._changes()
        if power and differs and broken_off:
            self._power(power)
        if {("maintenance",), ("maintenance_reason",)} & self._changes().keys():
            self._set_maintenance(
                bool(self._wanted.get(("maintenance",), self._node["maintenance"])),
                self._wanted.get(("maintenance_reason",), self._reason),
            )
        if power and not broken_off and (differs or self._power_assumed):
            self._power(power, assumed_done=not differs)
