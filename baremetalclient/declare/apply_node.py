"""The steps for one node, in order; it stops wherever the node needs time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.declare import compare, restrictions, transitions
from baremetalclient.declare.live import POWERED_ON, REASON
from baremetalclient.declare.transitions import MANAGEABLE, Wait

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from baremetalclient.declare.compare import Changes
    from baremetalclient.declare.live import Found
    from baremetalclient.declare.plan_steps import NodeTasks, Task
    from baremetalclient.declare.resource_requests import Writer

_OTHER_REQUESTS = frozenset(
    {
        *("uuid", "traits", "vifs", "bios_settings", "target_raid_config", "provision_state"),
        *("power_state", "maintenance", "maintenance_reason"),
    }
)
"""Fields that are not changed by patches."""

_STATES: tuple[transitions.StateField, ...] = ("provision_state", "power_state")
_INSTANCE_FIELDS = frozenset({"instance_uuid", "instance_info", "vifs"})
"""Fields that a tear-down clears."""


class NodeJob:
    """The tasks for a node, with their results.

    :param wait: whether the last transition is waited for, too.
    :param refresh_secrets: whether masked secrets are sent again.
    """

    def __init__(
        self, writer: Writer, tasks: NodeTasks, *, wait: bool, refresh_secrets: bool
    ) -> None:
        self.tasks = tasks
        #: What became of tasks: None for done, else the error.
        self.errors: dict[Task, exc.ClientException | None] = {}
        #: Whether anything was sent for it.
        self.begun = False
        self._writer = writer
        self._nodes = writer.client.node
        self._wait = wait
        self._refresh = refresh_secrets
        self._reason: str | None = None
        self._refused = {
            path for task in tasks.refused if task.kind.key == "nodes" for path in task.changes
        }
        self.script: Generator[Wait, None, None] = self._script()

    @property
    def found(self) -> Found:
        """The node as it is."""
        return self._writer.live.items[self.tasks.item]

    @property
    def uuid(self) -> str:
        """The UUID of the node."""
        return str(self.found["uuid"])

    def fail(self, error: exc.ClientException) -> None:
        """Note that it has failed."""
        if self.tasks.own:
            self.errors[self.tasks.own] = error
        else:
            self.errors |= {task: error for task in self.tasks.parts if task not in self.errors}

    def create(self) -> None:
        """Create the node."""
        self.begun = True
        found = self._writer.create(self.tasks.item)
        found |= {"vifs": [], "bios_settings": {}}

    def _script(self) -> Generator[Wait, None, None]:
        pending = bool(self.tasks.parts) or bool(compare.fields_of(self._changes()) - {*_STATES})
        moving = [field for field in _STATES if transitions.is_moving(self.found, field)]
        if moving and not (pending or self._wait) and not self._diverted():
            return
        for field in moving:
            yield Wait(None, field)
        wanted, changes = self._wanted(), self._changes()
        target = str(wanted.get(("provision_state",)) or transitions.bound_for(self.found))
        maintenance = changes.get(("maintenance",))
        # Power that a plan has turned off is restored first.
        restored = self.found.get("maintenance_reason") != POWERED_ON
        if maintenance and not maintenance.new and restored:
            self._set_maintenance(False)
        refused = _attempted(self._patch)
        route = transitions.route(self._state, target) or []
        if route and route[0].verb == "deleted":
            yield from self._go(route[0], last=len(route) == 1 and not pending)
            if self._state not in transitions.REACHED_BY_UNDEPLOY:
                return
        refused = _attempted(self._set_plain_parts) or refused
        yield from self._parts()
        if refused:
            raise refused
        yield from self._set_bios(target)
        yield from self._drive(target)
        if self._state == target:
            yield from self._finish()

    def _diverted(self) -> bool:
        """Return whether the node is not on its way to where it has to go."""
        changes = self._changes()
        return any(
            transitions.bound_for(self.found, field) != changes[field,].new
            for field in _STATES
            if (field,) in changes
        )

    # Changes of the node itself

    def _wanted(self) -> dict[compare.Path, Any]:
        wanted = self._writer.live.wanted(self.tasks.item)
        return {path: value for path, value in wanted.items() if path not in self._refused}

    def _changes(self) -> Changes:
        return compare.differences(self._wanted(), self.found, refresh_secrets=self._refresh)

    @property
    def _state(self) -> str:
        return str(self.found["provision_state"])

    def _patch(self) -> None:
        """Change the fields that Ironic lets be changed in the present state."""
        wanted = self._wanted()
        changes = {
            path: change
            for path, change in self._changes().items()
            if path[0] not in _OTHER_REQUESTS
            and restrictions.is_permitted(path, change, self.found, wanted)
        }
        self._refresh = False
        if not changes:
            return
        instance = changes.get(("instance_uuid",))
        if instance and instance.old and instance.new:
            self._update({("instance_uuid",): instance._replace(new=None)})
        self._update(changes)

    def _update(self, changes: Changes) -> None:
        # Interfaces of the old driver may not fit the new one.
        reset = True if ("driver",) in changes else None
        if reset:
            changes |= {
                path: compare.Change(None, value)
                for path, value in self._wanted().items()
                if path[0].endswith("_interface") and value is not None
            }
        patch = compare.patch(changes, self.found, self._wanted())
        updated = self._nodes.update(self.uuid, patch, reset_interfaces=reset)
        self.found.update(vars(updated))

    def _set_plain_parts(self) -> None:
        """Set fields that have requests of their own and can be set in any state."""
        changes = self._changes()
        for name in ("traits", "target_raid_config"):
            if (name,) in changes:
                getattr(self._nodes, f"set_{name}")(self.uuid, changes[name,].new)
                self.found[name] = changes[name,].new

    def _set_maintenance(self, state: bool, reason: str | None = None) -> None:
        self._nodes.set_maintenance(self.uuid, state, reason)
        self.found.update(maintenance=state, maintenance_reason=reason if state else None)

    # What belongs to the node

    def _parts(self) -> Generator[Wait, None, None]:
        volumes = [task for task in self.tasks.parts if task.kind.key in restrictions.VOLUMES]
        others = [task for task in self.tasks.parts if task not in volumes]
        maintained = self._needs_maintenance(others)
        if maintained:
            self._set_maintenance(True, REASON)
        try:
            if maintained:
                self._patch()
            self._take(others)
        finally:
            if maintained:
                self._set_maintenance(False)
        yield from self._volumes(volumes)

    def _needs_maintenance(self, tasks: Iterable[Task]) -> bool:
        if self.found["maintenance"]:
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

    def _volumes(self, tasks: list[Task]) -> Generator[Wait, None, None]:
        """Change volume connectors and targets, while the node is powered off if need be."""
        changed = [task for task in tasks if task.found is not None]
        needs_off = any(task.item is not None for task in changed) or (
            bool(changed) and self._state not in transitions.DELETABLE
        )
        power = self.found["power_state"]
        if not needs_off or power == restrictions.OFF:
            self._take(tasks)
            return
        restored = power == "power on" and ("power_state",) not in self._wanted()
        maintained = restored and not self.found["maintenance"]
        if maintained:
            self._set_maintenance(True, POWERED_ON)
        yield from self._power(restrictions.OFF)
        self._take(tasks)
        if restored:
            yield from self._power("power on")
        if maintained:
            self._set_maintenance(False)

    def _take(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            self.errors[task] = _attempted(partial(self._writer.take, task))

    # States

    def _power(self, state: str, *, wait: bool = True) -> Generator[Wait, None, None]:
        self._nodes.set_power_state(self.uuid, "on" if state == "power on" else "off")
        if wait:
            yield Wait(state, "power_state")

    def _drive(self, target: str) -> Generator[Wait, None, None]:
        while self._state != target:
            route = transitions.route(self._state, target)
            if route is None:
                raise exc.StateTransitionFailed(f"It is in {self._state}.", state=self._state)
            before = self._state
            yield from self._go(route[0], last=len(route) == 1)
            if self._state == before:
                return

    def _go(self, transition: transitions.Transition, *, last: bool) -> Generator[Wait, None, None]:
        """Request a transition of a node, and wait for it unless nothing follows."""
        if transition.verb in ("active", "rebuild"):
            self._connect()
            if self.found["maintenance"]:
                self._reason = self.found["maintenance_reason"]
                self._set_maintenance(False)
        self._nodes.set_provision_state(self.uuid, transition.verb)
        if last and not self._wait and not self._has_late_work(transition):
            return
        yield Wait(transition.reached)
        if transition.verb == "deleted":
            # It changes more than the state.
            self.found.update(vars(self._nodes.get(self.uuid)))
            if "vifs" in self.tasks.item.fields:
                self.found["vifs"] = self._writer.live.vifs(self.uuid)
        self._patch()

    def _set_bios(self, target: str) -> Generator[Wait, None, None]:
        settings = [
            {"name": path[1], "value": change.new}
            for path, change in self._changes().items()
            if path[0] == "bios_settings"
        ]
        if not settings:
            return
        yield from self._drive(MANAGEABLE)
        step = {"interface": "bios", "step": "apply_configuration", "args": {"settings": settings}}
        self._nodes.set_provision_state(self.uuid, "clean", cleansteps=[step])
        self.found["bios_settings"] |= {one["name"]: one["value"] for one in settings}
        if self._wait or target != MANAGEABLE or compare.fields_of(self._changes()):
            yield Wait(MANAGEABLE)

    def _connect(self) -> None:
        """Attach and detach VIFs."""
        change = self._changes().get(("vifs",))
        if not change:
            return
        if change.new and self.found["network_interface"] == "noop":
            raise exc.ValidationError("The network interface noop keeps no VIFs.")
        for vif in change.removed():
            self._nodes.vif_detach(self.uuid, vif)
        for vif in change.added():
            self._nodes.vif_attach(self.uuid, vif)
        self.found["vifs"] = change.new

    def _has_late_work(self, last: transitions.Transition) -> bool:
        """Return whether there is something to do after the last transition."""
        changes = self._changes()
        if compare.fields_of(changes) - {"provision_state", "power_state"}:
            return True
        if last.verb == "deleted" and compare.fields_of(self._wanted()) & _INSTANCE_FIELDS:
            return True
        after = transitions.POWER_AFTER.get(last.reached, self.found["power_state"])
        return bool(self._wanted().get(("power_state",), after) != after)

    def _finish(self) -> Generator[Wait, None, None]:
        """Do the rest after the node has reached its state."""
        self._patch()
        self._connect()
        power = self._changes().get(("power_state",))
        # A plan that was broken off has turned it off.
        broken_off = self.found.get("maintenance_reason") == POWERED_ON
        if power and power.new and broken_off:
            yield from self._power(power.new)
        if {("maintenance",), ("maintenance_reason",)} & self._changes().keys():
            wanted = self._wanted()
            self._set_maintenance(
                bool(wanted.get(("maintenance",), self.found["maintenance"])),
                wanted.get(("maintenance_reason",), self._reason),
            )
        if power and power.new and not broken_off:
            yield from self._power(power.new, wait=self._wait)


def _attempted(action: Callable[[], None]) -> exc.ClientException | None:
    """Call a function, and return the error if it fails, so that the rest is still done."""
    try:
        action()
    except exc.ClientException as error:
        return error
    return None
