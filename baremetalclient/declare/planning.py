"""Planning: the steps that make the server match the files."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from baremetalclient import exc
from baremetalclient._resource.resource import Fields
from baremetalclient.declare import compare, part_rules, refusals, sources, states
from baremetalclient.declare.kinds import KINDS
from baremetalclient.declare.lab import Lab

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from baremetalclient.declare.compare import Changes, Path
    from baremetalclient.declare.inventory import Found, Inventory
    from baremetalclient.declare.lab import Item
    from baremetalclient.declare.sources import LabSource
    from baremetalclient.v1.node import Node

Action = Literal["create", "change", "remove", "refused"]

SINGLES = ("chassis", "deploy_templates", "runbooks", "inspection_rules")
"""The lists of what nodes may need, in the order of creation."""

PRUNED_FIELDS = (
    *("provision_state", "target_provision_state", "instance_uuid", "protected", "maintenance"),
    "parent_node",
)
"""The fields of nodes that decide whether they can be removed."""


@dataclass(frozen=True)
class Step:
    """A step of a plan: what happens to one resource.

    :param kind: the kind of the resource, such as ``volume connector``.
    :param id: its name, its MAC address, or another identity.
    :param node: the node that it is, or belongs to.
    :param action: ``create``, ``change``, ``remove``, or ``refused`` if Ironic would refuse it.
    :param fields: the values that change, each with ``old`` and ``new``; secrets are masked.
    :param reason: why it is refused.
    """

    kind: str
    id: str
    node: str | None
    action: Action
    fields: dict[str, dict[str, Any]]
    reason: str | None = None


@dataclass(eq=False)
class Task:
    """A step with the data to apply it.

    :param step: the step.
    :param key: the key of the list that the resource is in.
    :param item: the resource in the file; None for one that is removed.
    :param found: the resource as it is; None for a new one.
    :param changes: the values that change.
    """

    step: Step
    key: str
    item: Item | None
    found: Found | None
    changes: Changes = field(default_factory=dict)

    @property
    def manager(self) -> str:
        """The name of the manager of the resource."""
        return KINDS[self.key].manager


@dataclass(eq=False)
class NodeTasks:
    """The tasks for a node of a lab.

    :param item: the node in the file.
    :param own: the task for the node itself, None for none.
    :param parts: the tasks for resources that belong to it.
    :param refused: the tasks that Ironic would refuse.
    """

    item: Item
    own: Task | None = None
    parts: list[Task] = field(default_factory=list)
    refused: list[Task] = field(default_factory=list)

    def all(self) -> list[Task]:
        """Return all of it, in the order of reports."""
        return [*([self.own] if self.own else []), *self.parts, *self.refused]


class Planner:
    """Compare a lab with the server.

    :param inventory: the resources on the server.
    :param lab: the lab.
    :param refresh_secrets: whether secrets that the server masks are sent again.
    """

    def __init__(self, inventory: Inventory, lab: Lab, *, refresh_secrets: bool) -> None:
        self._inventory = inventory
        self._lab = lab
        self._refresh = refresh_secrets

    def problems(self) -> Iterator[str]:
        """Yield the problems of the lab as a whole."""
        for key, kind in KINDS.items():
            for item in self._lab.all(key):
                found = self._inventory.items.get(item)
                if found is None:
                    missing = [name for name in kind.required if item.fields.get(name) is None]
                    if missing:
                        yield f"{item.place}: a new {kind.name} needs {' and '.join(missing)}"
        for item in self._lab.all("nodes"):
            other = self._inventory.by("nodes", item.fields.get("name"), "name")
            uuid = item.fields.get("uuid")
            if other is not None and uuid and other["uuid"].lower() != uuid.lower():
                yield (
                    f"{item.place}: there is a node {item.fields['name']!r} with the UUID "
                    f"{other['uuid']}, and not {uuid}"
                )

    def singles(self, *keys: str) -> list[Task]:
        """Return the tasks for resources that belong to no node."""
        return [
            task for key in keys for item in self._lab.all(key) for task in self._tasks(key, item)
        ]

    def nodes(self) -> list[NodeTasks]:
        """Return the tasks for the nodes of the lab, in the order of their names."""
        found = [self._node(item) for item in self._lab.all("nodes")]
        return sorted(found, key=lambda tasks: item_id(tasks.item))

    def prune(self, tasks: NodeTasks) -> None:
        """Add removals of resources of a node that are missing in the lists of the file."""
        node = self._inventory.items.get(tasks.item)
        if node is None:
            return
        removed: dict[str, list[Task]] = {}
        for key in ("ports", "portgroups", "volume_connectors", "volume_targets"):
            for found in self._inventory.of_node(key, node["uuid"]):
                if _has_list(tasks.item, key) and id(found) not in self._named:
                    reason = part_rules.removal(key, found, node, tasks.item.fields)
                    if key == "portgroups":
                        reason = reason or self._still_used(found)
                    task = _removal(key, found, item_id(tasks.item), reason)
                    (tasks.refused if reason else removed.setdefault(key, [])).append(task)
        # Port groups have to be empty, and what is new may need the place of what is gone.
        groups = removed.pop("portgroups", [])
        tasks.parts = [*(one for part in removed.values() for one in part), *tasks.parts, *groups]

    @cached_property
    def _named(self) -> dict[int, Item]:
        return {id(found): item for item, found in self._inventory.items.items()}

    def _still_used(self, group: Found) -> str | None:
        """Return why a port group can't be removed: ports that stay in it."""
        for port in self._inventory.of_node("ports", group["node_uuid"]):
            item = self._named.get(id(port))
            if port.get("portgroup_uuid") == group["uuid"] and item is not None:
                wanted = self._inventory.wanted(item)
                if wanted.get(("portgroup_uuid",), group["uuid"]) == group["uuid"]:
                    return f"port {port['address']} belongs to it"
        return None

    def _node(self, item: Item) -> NodeTasks:
        inventory = self._inventory
        found = inventory.items.get(item)
        wanted = inventory.wanted(item)
        changes = self._changes(wanted, found)
        state = states.settled(found) if found else states.ENROLL
        case = refusals.Case(found or {}, wanted.keys(), changes, state, [])
        refused: list[refusals.Refusal] = []
        target = wanted.get(("provision_state",))
        if target is not None:
            transitions = states.route(state, target)
            reason = refusals.no_route(state, target) if transitions is None else None
            if transitions is not None:
                case.transitions = transitions
                reason = refusals.of_transitions(case)
            if reason:
                case.transitions = []
                refused.append(
                    ([("provision_state",)], f"the state {target} can't be reached: {reason}")
                )
        refused += refusals.of_changes(case)
        tasks = NodeTasks(item)
        name = item_id(item)
        for paths, reason in refused:
            parts = {path: changes.pop(path) for path in paths if path in changes}
            if parts:
                tasks.refused.append(self._task("nodes", item, found, parts, name, reason))
        if changes or found is None:
            tasks.own = self._task("nodes", item, found, changes, name)
        for one in sorted(item.below(), key=lambda one: one.kind.manager != "portgroup"):
            for task in self._tasks(_key(one), one, found):
                (tasks.refused if task.step.action == "refused" else tasks.parts).append(task)
        return tasks

    def _tasks(self, key: str, item: Item, node: Found | None = None) -> Iterator[Task]:
        """Yield the tasks for a resource that is not a node: the change, and what is refused."""
        found = self._inventory.items.get(item)
        changes = self._changes(self._inventory.wanted(item), found)
        name = item_id(item.node) if item.node else None
        fields = item.node.fields if item.node else {}
        reason, paths = part_rules.change(key, item, found, changes, node, fields, self._inventory)
        if reason:
            refused = {path: changes.pop(path) for path in paths}
            yield self._task(key, item, found, refused, name, reason)
        if changes or (found is None and not reason):
            yield self._task(key, item, found, changes, name)

    def _changes(self, wanted: dict[Path, Any], found: Found | None) -> Changes:
        if found is None:
            return {
                path: compare.Change(None, value)
                for path, value in wanted.items()
                if value is not None and path != ("node_uuid",)
            }
        return compare.differences(wanted, found, refresh_secrets=self._refresh)

    def _task(
        self,
        key: str,
        item: Item,
        found: Found | None,
        changes: Changes,
        node: str | None,
        reason: str | None = None,
    ) -> Task:
        action: Action = "refused" if reason else "change" if found else "create"
        fields = compare.shown(changes, sensitive=bool(item.fields.get("sensitive")))
        step = Step(item.kind.name, item_id(item), node, action, fields, reason)
        return Task(step, key, item, found, changes)


def item_id(item: Item) -> str:
    """Return the name of a resource of a file in reports."""
    return _id(_key(item), item.fields)


def removed_nodes(selected: Iterable[Node], inventory: Inventory) -> Iterator[Task]:
    """Yield the removals of selected nodes that no file names, children first.

    :param selected: the nodes, with the :data:`PRUNED_FIELDS`.
    :param inventory: the resources on the server, with the nodes of the files.
    """
    named = {found["uuid"] for found in inventory.items.values()}
    found = [Fields(node) for node in selected if node.uuid not in named]
    for node in sorted(found, key=lambda node: not node.get("parent_node")):
        yield _removal("nodes", node, node.get("name") or node["uuid"], part_rules.deletion(node))


def read_lab(lab: LabSource, allow_secrets: Sequence[str] = ()) -> Lab:
    """Return a lab from files.

    :param lab: the files, see :func:`~baremetalclient.declare.plan`.
    :param allow_secrets: patterns of references to secrets that are allowed.
    :raises ValidationError: if it is invalid; the message names the places.
    """
    found = Lab(sources.read(lab, allow_secrets))
    check(found.problems)
    return found


def check(problems: Iterable[str]) -> None:
    """Raise ValidationError if there are problems."""
    listed = list(dict.fromkeys(problems))
    if listed:
        raise exc.ValidationError("\n".join(listed))


def _removal(key: str, found: Found, node: str, reason: str | None) -> Task:
    step = Step(
        KINDS[key].name, _id(key, found), node, "refused" if reason else "remove", {}, reason
    )
    return Task(step, key, None, found)


def _id(key: str, fields: dict[str, Any]) -> str:
    names = ("name", "address", "connector_id", "boot_index", "description")
    shown = names[1:] if key == "ports" else names
    name = next((name for name in shown if fields.get(name) is not None), "uuid")
    return f"{fields.get('type')} {fields[name]}" if name == "connector_id" else str(fields[name])


def _key(item: Item) -> str:
    return next(key for key, kind in KINDS.items() if kind is item.kind)


def _has_list(item: Item, key: str) -> bool:
    groups = item.nested.get("portgroups", [])
    return key in item.nested or (key == "ports" and any(key in one.nested for one in groups))
