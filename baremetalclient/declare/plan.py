"""Plans: the steps that make the server match a lab."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._bulk import runner
from baremetalclient._bulk.listener import Listener
from baremetalclient._bulk.step import PlannedStep
from baremetalclient._http.session import allow_connections
from baremetalclient._resource.resource import Fields
from baremetalclient.declare import compare, restrictions, transitions
from baremetalclient.declare.apply import Application
from baremetalclient.declare.lab import Lab, check, read_lab
from baremetalclient.declare.lab_kinds import KINDS
from baremetalclient.declare.live import Live
from baremetalclient.declare.node_plan import NodePlanner
from baremetalclient.declare.plan_steps import NodeTasks, StepResult, Task
from baremetalclient.declare.resource_requests import ChangedSince, Writer
from baremetalclient.v1.node.actions import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from baremetalclient._bulk.step import StepAction
    from baremetalclient.declare.compare import Changes, Path
    from baremetalclient.declare.lab import LabItem
    from baremetalclient.declare.lab_kinds import LabKind
    from baremetalclient.declare.live import Found
    from baremetalclient.declare.read import LabSource
    from baremetalclient.v1.client import Client
    from baremetalclient.v1.node import Node

_SINGLES = ("chassis", "deploy_templates", "runbooks", "inspection_rules")
"""The lists of what nodes may need, in the order of creation."""

_PRUNED_FIELDS = (
    *("provision_state", "target_provision_state", "instance_uuid", "protected", "maintenance"),
    "parent_node",
)
"""The fields of nodes that decide whether they can be removed."""


def plan(
    client: Client,
    lab: LabSource | Lab,
    *,
    prune: str | Sequence[str] | None = None,
    refresh_secrets: bool = False,
    allow_secrets: Sequence[str] = (),
    new: bool = False,
) -> Plan:
    """Compare a lab with the server.

    :param client: the client.
    :param lab: what a file says as a dictionary, the path of a file or a folder,
        several paths, or what ``lab.read_lab()`` returned.
    :param prune: selections of nodes (see ``client.node.select``): those that no file names are
        removed, and of the others what a file doesn't name where it has that list.
    :param refresh_secrets: whether secrets that the server masks are sent again.
    :param allow_secrets: patterns of references to secrets that are allowed besides variables other
        than ``OS_*`` and files in the folder of the lab: ``cmd:pass *``, ``file:/etc/ironic/*``.
    :param new: whether everything is to be created: the server is not asked for what is there.
    :returns: the plan; nothing is changed before it is applied.
    :raises ValidationError: if the lab is invalid; the message names the places.
    """
    if not isinstance(lab, Lab):
        lab = read_lab(lab, allow_secrets)
    live = Live(client, lab, empty=new)
    planner = _Planner(live, lab, refresh_secrets=refresh_secrets)
    check(planner.problems())
    selected: list[Node] = []
    if prune is not None:
        expressions = [prune] if isinstance(prune, str) else prune
        selected = client.node.select(*expressions, fields=_PRUNED_FIELDS)
    return Plan(client, planner, selected)


class Plan:
    """The steps that make the server match a lab.

    :param client: the client.
    :param planner: compares the lab with the server.
    :param selected: the nodes that are selected to be pruned.
    """

    def __init__(self, client: Client, planner: _Planner, selected: Sequence[Node]) -> None:
        lab, live = planner.lab, planner.live
        self._client = client
        self._live = live
        self._singles = [
            task for key in _SINGLES for item in lab.all(key) for task in planner.tasks(item)
        ]
        self._nodes = [planner.node(item) for item in lab.all("nodes")]
        self._allocations = [
            task for item in lab.all("allocations") for task in planner.tasks(item)
        ]
        self._removed = list(_removed_nodes(selected, live))
        #: How many values of the lab are not compared, because the server masks them.
        self.secrets_not_compared = planner.secrets_not_compared
        pruned = {node.uuid for node in selected}
        for tasks in self._nodes:
            if live.uuid_of(tasks.item) in pruned:
                planner.prune(tasks)
            if tasks.own or tasks.parts:
                NodePlanner(live, tasks, refresh_secrets=planner.refresh).plan()

    @property
    def steps(self) -> list[PlannedStep]:
        """The steps; none if there is nothing to do."""
        return [task.step for task in self._tasks]

    @property
    def _tasks(self) -> list[Task]:
        nodes = sorted(self._nodes, key=lambda tasks: tasks.item.id)
        of_nodes = [task for tasks in nodes for task in tasks.all()]
        return [*self._singles, *of_nodes, *self._removed, *self._allocations]

    def apply(
        self,
        *,
        parallel: int = runner.DEFAULT_PARALLEL,
        wait: bool = True,
        timeout: float = 0,
        max_failures: int | None = None,
        stop: Callable[[], bool] | None = None,
        listener: Listener | None = None,
        allow_interruptions: bool = False,
    ) -> list[StepResult]:
        """Apply the steps; a step that fails or is refused does not stop the others.

        Each resource is read before it is changed. If it has changed since the plan was made, it is
        left alone, and its step is ``skipped``.

        :param parallel: the maximum number of requests at a time.
        :param wait: whether to wait for the last transition of each node, too.
        :param timeout: the maximum seconds to wait, 0 for no limit.
        :param max_failures: nothing new is started after this number of failures, None for no
            limit.
        :param stop: nothing new is started once this returns True.
        :param listener: told what each poll has seen of the nodes that are waited for.
        :param allow_interruptions: whether to take steps that interrupt a machine or lose data,
            such as to tear down an instance: those with ``interrupts``.
        :returns: the steps with their results.
        :raises ValidationError: if there are such steps, and they are not allowed; nothing is sent.
        """
        interrupting = [step for step in self.steps if step.interrupts]
        if interrupting and not allow_interruptions:
            named = ", ".join(f"{step.kind} {step.id} ({step.interrupts})" for step in interrupting)
            raise exc.ValidationError(
                f"Nothing was done: {len(interrupting)} steps interrupt machines or lose data. "
                f"Allow it with allow_interruptions=True: {named}."
            )
        allow_connections(self._client.http_client.session, parallel)
        writer, never = Writer(self._client, self._live), lambda: False
        application = Application(
            writer, parallel, timeout, max_failures, stop or never, listener or Listener()
        )
        application.single(_possible(self._singles))
        # Allocations get nodes that are available.
        allocations = _possible(self._allocations)
        application.nodes(self._nodes, wait=wait or bool(allocations))
        application.remove_nodes(_possible(self._removed))
        application.single(allocations)
        return [self._result(task, application.errors) for task in self._tasks]

    def _result(self, task: Task, errors: Mapping[Task, exc.ClientException | None]) -> StepResult:
        found = self._live.items.get(task.item) if task.item else task.found
        why = errors.get(task) or task.step.reason
        left_out = task not in errors or isinstance(why, ChangedSince)
        return StepResult(
            **{**vars(task.step), "uuid": found["uuid"] if found else None},
            result="skipped" if left_out else "failed" if why else "done",
            error=str(why) if why else None,
        )


def _possible(tasks: list[Task]) -> list[Task]:
    return [task for task in tasks if task.step.action != "refused"]


class _Planner:
    """Compare a lab with the server.

    :param refresh_secrets: whether secrets that the server masks are sent again.
    """

    def __init__(self, live: Live, lab: Lab, *, refresh_secrets: bool) -> None:
        self.live = live
        self.lab = lab
        self.refresh = refresh_secrets
        self.secrets_not_compared = 0

    def problems(self) -> Iterator[str]:
        """Yield the problems of the lab as a whole."""
        for key, kind in KINDS.items():
            for item in self.lab.all(key):
                missing = [name for name in kind.required if item.fields.get(name) is None]
                if missing and item not in self.live.items:
                    yield f"{item.place}: a new {kind.name} needs {' and '.join(missing)}"
        for item in self.lab.all("nodes"):
            other = self.live.by("nodes", item.fields.get("name"), "name")
            uuid = item.fields.get("uuid")
            if other is not None and uuid and other["uuid"].lower() != uuid.lower():
                yield (
                    f"{item.place}: there is a node {item.fields['name']!r} with the UUID "
                    f"{other['uuid']}, and not {uuid}"
                )

    def prune(self, tasks: NodeTasks) -> None:
        """Add removals of resources of a node that are missing in the lists of the file."""
        node = self.live.items.get(tasks.item)
        if node is None:
            return
        removed: dict[str, list[Task]] = {}
        for key in KINDS["nodes"].nested:
            for found in self.live.of_node(key, node["uuid"]):
                if _has_list(tasks.item, key) and id(found) not in self._named:
                    reason = restrictions.of_removal(key, found, tasks.item, node, self.live)
                    if key == "portgroups":
                        reason = reason or self._still_used(found)
                    task = _removal(KINDS[key], found, tasks.item.id, reason)
                    (tasks.refused if reason else removed.setdefault(key, [])).append(task)
        # Port groups have to be empty, and what is new may need the place of what is gone.
        groups = removed.pop("portgroups", [])
        tasks.parts = [*(one for part in removed.values() for one in part), *tasks.parts, *groups]

    @cached_property
    def _named(self) -> dict[int, LabItem]:
        return {id(found): item for item, found in self.live.items.items()}

    def _still_used(self, group: Found) -> str | None:
        """Return why a port group can't be removed: ports that stay in it."""
        for port in self.live.of_node("ports", group["node_uuid"]):
            item = self._named.get(id(port))
            if port.get("portgroup_uuid") == group["uuid"] and item is not None:
                wanted = self.live.wanted(item)
                if wanted.get(("portgroup_uuid",), group["uuid"]) == group["uuid"]:
                    return f"port {port['address']} belongs to it"
        return None

    def node(self, item: LabItem) -> NodeTasks:
        """Return the tasks for a node of the lab."""
        found = self.live.items.get(item)
        wanted = self.live.wanted(item)
        changes = self._changes(wanted, found)
        state = transitions.bound_for(found) if found else transitions.ENROLL
        case = restrictions.Case(found or {}, wanted.keys(), changes, state, [])
        refused: list[restrictions.Refusal] = []
        target = wanted.get(("provision_state",))
        if target is not None:
            case.transitions = transitions.route(state, target) or []
            reason = (
                restrictions.of_transitions(case)
                if case.transitions or state == target
                else restrictions.no_route(state, target)
            )
            if reason:
                case.transitions = []
                refused.append(
                    ([("provision_state",)], f"the state {target} can't be reached: {reason}")
                )
        refused += restrictions.of_changes(case)
        tasks = NodeTasks(item)
        for paths, reason in refused:
            parts = {path: changes.pop(path) for path in paths if path in changes}
            if parts:
                tasks.refused.append(self._task(item, found, parts, reason))
        if changes or found is None:
            tasks.own = self._task(item, found, changes)
        for one in sorted(item.below(), key=lambda one: one.kind.manager != "portgroup"):
            for task in self.tasks(one, found):
                (tasks.refused if task.step.action == "refused" else tasks.parts).append(task)
        return tasks

    def tasks(self, item: LabItem, node: Found | None = None) -> Iterator[Task]:
        """Yield the tasks for a resource that is not a node: the change, and what is refused."""
        found = self.live.items.get(item)
        changes = self._changes(self.live.wanted(item), found)
        reason, paths = restrictions.of_resource(item, found, changes, node, self.live)
        if reason:
            refused = {path: changes.pop(path) for path in paths}
            yield self._task(item, found, refused, reason)
        if changes or (found is None and not reason):
            yield self._task(item, found, changes)

    def _changes(self, wanted: dict[Path, Any], found: Found | None) -> Changes:
        if found is None:
            return {
                path: compare.Change(None, value)
                for path, value in wanted.items()
                if value is not None and path != ("node_uuid",)
            }
        if not self.refresh:
            self.secrets_not_compared += compare.secrets_not_compared(wanted, found)
        return compare.differences(wanted, found, refresh_secrets=self.refresh)

    def _task(
        self, item: LabItem, found: Found | None, changes: Changes, reason: str | None = None
    ) -> Task:
        node = item if item.kind.key == "nodes" else item.node
        action: StepAction = "refused" if reason else "change" if found else "create"
        fields = compare.shown(changes, sensitive=bool(item.fields.get("sensitive")))
        loses = not reason and any(map(compare.empties_secret, changes.values()))
        interrupts = ACTIONS["unset secrets"].interrupts if loses else None
        uuid = found["uuid"] if found else None
        owner = node.id if node else None
        step = PlannedStep(item.kind.name, item.id, owner, action, fields, reason, interrupts, uuid)
        return Task(step, item.kind, item, found, changes)


def _removed_nodes(selected: Iterable[Node], live: Live) -> Iterator[Task]:
    """Yield the removals of selected nodes that no file names, children first.

    :param selected: the nodes, with the :data:`_PRUNED_FIELDS`.
    :param live: the resources on the server, with the nodes of the files.
    """
    named = {found["uuid"] for found in live.items.values()}
    found = [Fields(node) for node in selected if node.uuid not in named]
    for node in sorted(found, key=lambda node: not node.get("parent_node")):
        yield _removal(
            KINDS["nodes"], node, node.get("name") or node["uuid"], restrictions.of_deletion(node)
        )


def _removal(kind: LabKind, found: Found, node: str, reason: str | None) -> Task:
    action: StepAction = "refused" if reason else "remove"
    interrupts = None if reason else ACTIONS["delete"].interrupts
    uuid = found["uuid"]
    step = PlannedStep(kind.name, kind.id_of(found), node, action, {}, reason, interrupts, uuid)
    return Task(step, kind, None, found)


def _has_list(item: LabItem, key: str) -> bool:
    groups = item.nested.get("portgroups", [])
    return key in item.nested or (key == "ports" and any(key in one.nested for one in groups))
