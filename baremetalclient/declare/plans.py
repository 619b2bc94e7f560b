"""Plans: the steps that make the server match a lab, and how they are applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._bulk import runner
from baremetalclient._bulk.poller import Progress, log_progress
from baremetalclient._http.session import allow_connections
from baremetalclient.declare import planning
from baremetalclient.declare.applying import Application, Options, StepResult, results
from baremetalclient.declare.inventory import Inventory
from baremetalclient.declare.planning import SINGLES, Planner, Step, Task
from baremetalclient.declare.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from baremetalclient.declare.lab import Lab
    from baremetalclient.declare.sources import LabSource
    from baremetalclient.v1.client import Client


def plan(
    client: Client,
    lab: LabSource,
    *,
    prune: str | Sequence[str] | None = None,
    refresh_secrets: bool = False,
    allow_secrets: Sequence[str] = (),
) -> Plan:
    """Compare a lab with the server.

    :param client: the client.
    :param lab: what a file says as a dictionary, the path of a file or a folder, or several paths.
    :param prune: selections of nodes (see ``client.node.select``): those that no file names are
        removed, and of the others what a file doesn't name where it has that list.
    :param refresh_secrets: whether secrets that the server masks are sent again.
    :param allow_secrets: patterns of references to secrets that are allowed besides variables other
        than ``OS_*`` and files in the folder of the lab: ``cmd:pass *``, ``file:/etc/ironic/*``.
    :returns: the plan; nothing is changed before it is applied.
    :raises ValidationError: if the lab is invalid; the message names the places.
    """
    return plan_of(
        client,
        planning.read_lab(lab, allow_secrets),
        prune=prune,
        refresh_secrets=refresh_secrets,
    )


def plan_of(
    client: Client,
    lab: Lab,
    *,
    prune: str | Sequence[str] | None = None,
    refresh_secrets: bool = False,
) -> Plan:
    """Compare a lab that was read with the server; see :func:`plan`."""
    expressions = [prune] if isinstance(prune, str) else prune
    if expressions is not None:
        from baremetalclient.v1.expressions import selection

        selection("node", expressions)
    inventory = Inventory(client, lab)
    planner = Planner(inventory, lab, refresh_secrets=refresh_secrets)
    planning.check(planner.problems())
    return Plan(client, inventory, planner, expressions, refresh_secrets=refresh_secrets)


class Plan:
    """The steps that make the server match a lab.

    :param client: the client.
    :param inventory: the resources on the server.
    :param planner: compares the lab with them.
    :param prune: the selections of nodes that are pruned, None for no pruning.
    :param refresh_secrets: whether masked secrets are sent again.
    """

    def __init__(
        self,
        client: Client,
        inventory: Inventory,
        planner: Planner,
        prune: Sequence[str] | None,
        *,
        refresh_secrets: bool,
    ) -> None:
        self._client = client
        self._inventory = inventory
        self._refresh = refresh_secrets
        self._singles = planner.singles(*SINGLES)
        self._nodes = planner.nodes()
        self._allocations = planner.singles("allocations")
        self._removed: list[Task] = []
        #: The UUIDs of the nodes that are selected to be pruned.
        self.selected: set[str] = set()
        if prune is not None:
            selected = client.node.select(*prune, fields=planning.PRUNED_FIELDS)
            self.selected = {node.uuid for node in selected}
            self._removed = list(planning.removed_nodes(selected, inventory))
            for tasks in self._nodes:
                if inventory.uuid_of(tasks.item) in self.selected:
                    planner.prune(tasks)

    @property
    def steps(self) -> list[Step]:
        """The steps; none if there is nothing to do."""
        return [task.step for task in self._tasks]

    @property
    def _tasks(self) -> list[Task]:
        of_nodes = [task for tasks in self._nodes for task in tasks.all()]
        return [*self._singles, *of_nodes, *self._removed, *self._allocations]

    def apply(
        self,
        *,
        parallel: int = runner.DEFAULT_PARALLEL,
        wait: bool = True,
        timeout: float = 0,
        max_failures: int | None = None,
        stop: Callable[[], bool] | None = None,
        progress: Progress = log_progress,
    ) -> list[StepResult]:
        """Apply the steps; a step that fails or is refused does not stop the others.

        :param parallel: the maximum number of requests at a time.
        :param wait: whether to wait for the last transition of each node, too.
        :param timeout: the maximum seconds to wait, 0 for no limit.
        :param max_failures: nothing new is started after this number of failures, None for no
            limit.
        :param stop: nothing new is started once this returns True.
        :param progress: called with the state of each node that is waited for.
        :returns: the steps with their results.
        """
        options = Options(parallel, wait, timeout, max_failures, stop or (lambda: False), progress)
        allow_connections(self._client.http_client.session, parallel)
        application = Application(Writer(self._client, self._inventory), options)
        application.single(_possible(self._singles))
        # Allocations get nodes that are available.
        allocations = _possible(self._allocations)
        application.nodes(
            self._nodes, wait=wait or bool(allocations), refresh_secrets=self._refresh
        )
        application.remove_nodes(_possible(self._removed))
        application.single(allocations)
        return list(results(self._tasks, application.errors))


def _possible(tasks: list[Task]) -> list[Task]:
    return [task for task in tasks if task.step.action != "refused"]
