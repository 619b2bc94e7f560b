"""Requests that create, change and remove single resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource.resource import Fields
from baremetalclient.declare import compare, transitions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient.declare.compare import Change, Changes, Path
    from baremetalclient.declare.lab import LabItem
    from baremetalclient.declare.live import Found, Live
    from baremetalclient.declare.plan_steps import Task
    from baremetalclient.v1.client import Client


class ChangedSince(exc.ClientException):
    """A resource is not as the plan has found it, so nothing more is done with it."""


def check_unchanged(
    now: Mapping[str, Any], expected: Mapping[str, Any], changes: Mapping[Path, Change]
) -> None:
    """Check that a resource is still as a plan has found it.

    :param now: the resource as it is.
    :param expected: fields that have to be the same.
    :param changes: the changes that are to be made, whose old values have to be there.
    :raises ChangedSince: if anything differs.
    """
    differs: Changes = {
        (name,): compare.Change(value, now.get(name))
        for name, value in expected.items()
        if now.get(name) != value
    }
    differs |= compare.changed_since(changes, now)
    if not differs:
        return
    told = ", ".join(
        f"{name} was {change['old']!r} and is {change['new']!r}"
        for name, change in compare.shown(differs).items()
    )
    raise ChangedSince(f"It has changed since it was compared, so it is left alone: {told}.")


class Writer:
    """Send the requests for single resources.

    :param live: the resources on the server, which is kept up to date.
    """

    def __init__(self, client: Client, live: Live) -> None:
        self.client = client
        self.live = live

    def create(self, item: LabItem) -> Found:
        """Create a resource, and return it as the server shows it."""
        for around in item.links:
            if around not in self.live.items:
                raise exc.ClientException(f"There is no {around.label} for it.")
        wanted = self.live.wanted(item)
        body: dict[str, Any] = {}
        for path, value in wanted.items():
            # Allocations are asked for a node, and show it by another name.
            name = "node" if path == ("node_uuid",) and "node" in item.kind.fixed else path[0]
            if value is None or name not in item.kind.creatable:
                continue
            if len(path) == 1:
                body[name] = value
            else:
                body.setdefault(name, {})[path[1]] = value
        manager = getattr(self.client, item.kind.manager)
        found: Found = Fields(manager.create(**body))
        self.live.add(item, found)
        return found

    def take(self, task: Task) -> None:
        """Take the step of a task whose resource is not a node."""
        if task.item is None:
            self.remove(task)
            return
        changes, found = task.changes, task.found
        if found is None:
            found = self.create(task.item)
            # The rest is accepted only now.
            given = task.item.kind.creatable
            changes = {path: change for path, change in changes.items() if path[0] not in given}
        else:
            check_unchanged(self._now(task, found), {}, changes)
            # What they name may have been created since.
            wanted = self.live.wanted(task.item)
            changes = {path: change._replace(new=wanted[path]) for path, change in changes.items()}
        self.change(task.item, found, changes)

    def _now(self, task: Task, found: Found) -> Found:
        return Fields(getattr(self.client, task.kind.manager).get(found["uuid"]))

    def change(self, item: LabItem, found: Found, changes: Changes) -> None:
        """Change fields of a resource that is not a node."""
        manager, uuid = getattr(self.client, item.kind.manager), found["uuid"]
        traits = changes.pop(("traits",), None) if item.kind.manager == "runbook" else None
        if changes:
            patch = compare.patch(changes, found, self.live.wanted(item))
            shown = Fields(manager.update(uuid, patch))
            steps = changes.get(("steps",))
            if steps and not compare.same(steps.new, shown["steps"], "steps"):
                # Ironic keeps steps that stay before new ones: so add them one after the other.
                for count in range(1, len(steps.new) + 1):
                    change: Changes = {("steps",): steps._replace(new=steps.new[:count])}
                    manager.update(uuid, compare.patch(change))
        if traits:
            for trait in traits.removed():
                manager.remove_trait(uuid, trait)
            for trait in traits.added():
                manager.add_trait(uuid, trait)

    def remove(self, task: Task) -> None:
        """Remove a resource; one that is gone already is fine."""
        assert task.found is not None  # noqa: S101 - what isn't there is never removed
        uuid = task.found["uuid"]
        try:
            now = self._now(task, task.found)
            times = {name for name in now if name.endswith("_at")}
            check_unchanged(now, {name: task.found[name] for name in task.found.keys() - times}, {})
            state = task.found.get("provision_state")
            if task.kind.key == "nodes" and state not in transitions.DELETABLE:
                self.client.node.set_maintenance(uuid, True)
            getattr(self.client, task.kind.manager).delete(uuid)
        except exc.NotFound:
            return
