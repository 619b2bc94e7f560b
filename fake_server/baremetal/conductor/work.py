"""Run the work that tasks plan: at once, or when it is due; begin what goes on beside it."""

from __future__ import annotations

from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from fake_server.baremetal import errors, periodic, states
from fake_server.baremetal.agents.simulated import runs_on
from fake_server.baremetal.conductor import (
    cleaning,
    console,
    deploying,
    failures,
    heartbeats,
    inspection,
    management,
    rescue,
    servicing,
    verbs,
)
from fake_server.baremetal.conductor.task import Plan, Task
from fake_server.baremetal.models import conductors
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.step_flows import is_polled
from fake_server.baremetal.task import power
from fake_server.common import logs, outgoing_calls
from fake_server.common.outgoing_calls import CallNeeded, Outcomes
from fake_server.db.store import Interrupted, RetryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

LOG = logs.logger(__name__)


class Work(NamedTuple):
    """A kind of work on a node, which is reserved until it is done.

    :param function: gets a task, and by name the arguments of the plan.
    :param transition: the transition whose delay comes before the work, if there is one.
    :param afterwards: whether it waits until the request that planned it has been answered.
    :param asks: whether it first asks the controller of the machine.
    :param within: the work whose end it is, which nodes show when it fails.
    """

    function: Callable[..., None]
    transition: str | None = None
    afterwards: bool = False
    asks: bool = False
    within: str | None = None


#: Work by the name that nodes show when it fails. Most transitions have a beginning, which takes
#: no time, and an end, before which their time passes.
WORK: Mapping[str, Work] = {
    "node_power_action": Work(power.act, "power", asks=True),
    "node_change_boot_mode": Work(management.change_boot_mode, "boot mode", asks=True),
    "node_change_secure_boot": Work(management.change_secure_boot, "secure boot", asks=True),
    "_set_console_mode": Work(console.switch, "console"),
    "do_attach_virtual_media": Work(management.attach_media, "virtual media", asks=True),
    "do_detach_virtual_media": Work(management.detach_media, "virtual media", asks=True),
    "do_node_verify": Work(verbs.do_node_verify, "verifying", asks=True),
    "inspect_hardware": Work(verbs.inspect_hardware, asks=True),
    "finish_inspection": Work(verbs.finish, "inspecting", within="inspect_hardware"),
    "continue_inspection": Work(inspection.continue_inspection, "inspecting"),
    "_do_adoption": Work(verbs.do_adoption, "adopting"),
    "_do_node_rescue": Work(rescue.do_node_rescue, asks=True),
    "finish_rescue": Work(verbs.finish, "rescuing", within="_do_node_rescue"),
    "_do_node_rescue_abort": Work(rescue.do_node_rescue_abort),
    "finish_rescue_abort": Work(
        rescue.finish_rescue_abort, "aborting", within="_do_node_rescue_abort"
    ),
    "_do_node_unrescue": Work(rescue.do_node_unrescue, asks=True),
    "finish_unrescue": Work(verbs.finish, "unrescuing", within="_do_node_unrescue"),
    "do_node_deploy": Work(deploying.do_node_deploy, asks=True),
    "do_next_deploy_step": Work(deploying.FLOW.run_step, "deploying"),
    "do_node_deploy_abort": Work(deploying.FLOW.abort),
    "finish_deploy_abort": Work(
        deploying.FLOW.finish_abort, "aborting", within="do_node_deploy_abort"
    ),
    "_do_node_tear_down": Work(deploying.tear_down, asks=True),
    "finish_tear_down": Work(deploying.finish_tear_down, "deleting", within="_do_node_tear_down"),
    "do_node_clean": Work(cleaning.do_node_clean, asks=True),
    "finish_skipped_clean": Work(cleaning.finish_skipped, "cleaning", within="do_node_clean"),
    "do_next_clean_step": Work(cleaning.FLOW.run_step, "cleaning"),
    "do_node_clean_abort": Work(cleaning.FLOW.abort),
    "finish_clean_abort": Work(
        cleaning.FLOW.finish_abort, "aborting", within="do_node_clean_abort"
    ),
    "do_node_service": Work(servicing.do_node_service),
    "do_next_service_step": Work(servicing.FLOW.run_step, "servicing"),
    "continue_node_service": Work(servicing.FLOW.resume),
    "do_node_service_abort": Work(servicing.FLOW.abort),
    "finish_service_abort": Work(
        servicing.FLOW.finish_abort, "aborting", within="do_node_service_abort"
    ),
    heartbeats.WORK: Work(heartbeats.resume, "heartbeat", afterwards=True),
}
#: The states in which transitions can end, where weights of outcomes decide.
OUTCOMES: Mapping[str, frozenset[str]] = {
    "adopting": frozenset({states.ACTIVE, states.ADOPTFAIL}),
    "cleaning": frozenset({states.AVAILABLE, states.MANAGEABLE, states.CLEANFAIL}),
    "deleting": frozenset({states.AVAILABLE, states.ERROR}),
    "deploying": frozenset({states.ACTIVE, states.DEPLOYFAIL}),
    "inspecting": frozenset({states.MANAGEABLE, states.INSPECTFAIL}),
    "rescuing": frozenset({states.RESCUE, states.RESCUEFAIL}),
    "servicing": frozenset({states.ACTIVE, states.SERVICEFAIL}),
    "unrescuing": frozenset({states.ACTIVE, states.UNRESCUEFAIL}),
}
#: What goes on beside it at a node that waits: the transition whose delay comes before, and whether
#: the node needs it.
_BESIDE: Mapping[str, tuple[str, Callable[[Task], bool]]] = {
    periodic.CONTROLLER_CHECK: ("hardware", lambda task: is_polled(task.node)),
    periodic.AGENT_HEARTBEAT: (
        "heartbeat",
        lambda task: runs_on(task) and not is_polled(task.node),
    ),
}


@contextmanager
def node_task(
    session: Session,
    node: Record,
    *,
    shared: bool = False,
    load_driver: bool = True,
    keep: bool = True,
    no_host_status: int | None = 404,
) -> Iterator[Task]:
    """Open a task on a node, as Ironic's ``TaskManager`` does, and run what it plans.

    :param shared: don't lock the node.
    :param load_driver: whether the node's hardware interfaces are needed.
    :param keep: whether what was saved stays even if the request fails at the work, as in Ironic.
    :param no_host_status: that of the error if no conductor is there for the node; ``None`` for
        work that another conductor may do.
    :raises NodeLocked: if someone else works on the node.
    :raises NotFound, TemporaryFailure: if no conductor is there for it.
    """
    if no_host_status is not None:
        conductors.require(session, node, no_host_status)
    task = Task(session, node, shared=shared)
    if not shared:
        task.lock()
    try:
        if load_driver:
            task.driver  # noqa: B018 - a node with interfaces that aren't enabled is refused
        yield task
    except errors.ApiError:
        session.keeps_changes |= keep
        raise
    _carry_on(task)


def resume(session: Session, node: Record, row: Record) -> None:
    """Do the work that a task has planned, and for which the node was reserved."""
    task = Task(session, NODES.update(session, node, {"reservation": None}))
    task.host = node["reservation"] or task.host
    task.outcomes = Outcomes(row["outcomes"])
    try:
        with contained(task, row["kind"]):
            _do(task, Plan(row["kind"], row["arguments"]))
            _carry_on(task)
    except CallNeeded as needed:
        act = partial(outgoing_calls.make, session.store, row, needed.call)
        raise Interrupted(act) from None


def look(act: Callable[[Task], None], session: Session, node: Record, row: Record) -> None:
    """Have a look at a node that isn't reserved; at one that is, look again later.

    :param act: may plan work for the task, or the next look.
    """
    task, kind = Task(session, node), row["kind"]
    if node["reservation"] is not None:
        look_later(task, row, periodic.INTERVAL)
        return
    with contained(task, kind):
        try:
            act(task)
        except errors.ApiError as exc:
            _note(task, kind, exc)
            if task.plan is None:
                # At once, it would fail again.
                task.look_again(kind)
        _carry_on(task)


def look_later(task: Task, row: Record, interval: float) -> None:
    """Have a periodic look follow that has found the node reserved.

    It comes at its time, however late this one is, if the reservation ends.
    """
    planned, late = task.pending(*WORK), task.session.clock.late()
    wait = max(interval, planned[0]["due_at"] - row["due_at"]) if planned else interval + late
    task.make_due(row["kind"], wait, row["arguments"])


def _carry_on(task: Task) -> None:
    """Run the planned work, or postpone it until it is due; begin what goes on beside it."""
    while plan := task.plan:
        task.plan = None
        work = WORK[plan.work]
        delay = _delay(task, work) * plan.share
        if delay > 0 or work.afterwards:
            _postpone(task, plan, delay)
            return
        task.outcomes = Outcomes([])
        try:
            _do(task, plan)
        except CallNeeded:
            task.refresh()
            _postpone(task, plan, 0)
            return
    for kind, (transition, is_needed) in _BESIDE.items():
        if is_needed(task) and not task.pending(kind):
            task.make_due(kind, _draw(task, transition))


def _postpone(task: Task, plan: Plan, delay: float) -> None:
    """Store work for the first request after it is due, and reserve the node until then.

    :param delay: seconds until then.
    """
    task.node["reservation"] = task.host
    task.save()
    task.make_due(plan.work, delay, plan.arguments)


def _delay(task: Task, work: Work) -> float:
    """Return how many seconds pass before work: its transition, and trying in vain."""
    lost = 0.0
    if work.asks:
        lost = task.driver.power.seconds_lost(task, acts=work.function is power.act)
    if work.transition is None:
        return lost
    return _draw(task, work.transition) + lost


def _draw(task: Task, transition: str) -> float:
    session = task.session
    return session.fault_injection.delay(session.tx, task.node, transition)


def _is_to_fail(task: Task, plan: Plan) -> bool:
    """Return whether the outcome that is drawn for the node is a failure; if so, it has failed."""
    transition = WORK[plan.work].transition
    # Of a flow of steps, the outcome is drawn at the first one.
    if transition is None or transition not in OUTCOMES or plan.arguments.get("position", 0) != 0:
        return False
    session, ends = task.session, OUTCOMES[transition]
    drawn = session.fault_injection.outcome(session.tx, task.node, transition, ends)
    if drawn not in (*states.FAILED, states.ERROR):
        return False
    failures.spawn_error_handler(task, f"This time, {transition} was to end in state {drawn}.")
    return True


def _do(task: Task, plan: Plan) -> None:
    """Run a piece of work; if it fails, the node fails and not the request."""
    if _is_to_fail(task, plan):
        return
    work = WORK[plan.work]
    name = work.within or plan.work
    with contained(task, name):
        try:
            # Work that is done again finds its arguments as they were.
            work.function(task, **deepcopy(plan.arguments))
        except errors.ApiError as exc:
            _note(task, name, exc)


def _note(task: Task, work: str, exc: errors.ApiError) -> None:
    """Make an error the node's ``last_error``, unless the work has said more."""
    if task.node["last_error"] is None:
        task.node["last_error"] = f"Async execution of {work} failed with error: {exc}"
        task.save()


@contextmanager
def contained(task: Task, work: str) -> Iterator[None]:
    """Roll back what the block did if it crashes, and fail only the node.

    Network interfaces of third parties may crash, too.

    :param work: its name.
    """
    tx, uuid = task.session.tx, task.node["uuid"]
    try:
        with tx.savepoint():
            yield
    except RetryError:
        raise
    except Exception as exc:
        LOG.exception("%s crashed on node %s", work, uuid)
        task.plan = None
        task.refresh()
        text = f"Async execution of {work} failed with error: {exc!r}"
        try:
            with tx.savepoint():
                failures.spawn_error_handler(task, text)
        except RetryError:
            raise
        except Exception:
            LOG.exception("Cleaning up after %s crashed on node %s", work, uuid)
            task.refresh()
            failures.spawn_error_handler(task, text, clean_up=False)
