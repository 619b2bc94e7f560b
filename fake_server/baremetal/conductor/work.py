"""Run the work that tasks plan: at once, or when it is due."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from fake_server.baremetal import errors, periodic
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
    waiting,
)
from fake_server.baremetal.models import conductors
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.task import outgoing_calls, power
from fake_server.baremetal.task.outgoing_calls import CallNeeded, Outcomes
from fake_server.baremetal.task.task import Plan, Task
from fake_server.clock import Clock
from fake_server.db.store import Interrupted, RetryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

LOG = logging.getLogger(__name__)


class Work(NamedTuple):
    """A kind of work on a node.

    :param function: gets a task, and by name the arguments of the plan.
    :param transition: the transition whose delay comes before the work, if there is one.
    :param afterwards: whether it waits until the request that planned it has been answered.
    :param asks: whether it first asks the controller of the machine.
    :param reserves: whether the node is reserved until then; if not, anyone may do something else
        with it.
    """

    function: Callable[..., None]
    transition: str | None = None
    afterwards: bool = False
    asks: bool = False
    reserves: bool = True


#: Work by the name that nodes show when it fails. Most transitions have a beginning, which takes
#: no time, and an end, before which their time passes.
WORK: Mapping[str, Work] = MappingProxyType(
    {
        "node_power_action": Work(power.act, "power", asks=True),
        "node_change_boot_mode": Work(management.change_boot_mode, "boot mode", asks=True),
        "node_change_secure_boot": Work(management.change_secure_boot, "secure boot", asks=True),
        "_set_console_mode": Work(console.switch, "console"),
        "do_attach_virtual_media": Work(management.attach_media, "virtual media", asks=True),
        "do_detach_virtual_media": Work(management.detach_media, "virtual media", asks=True),
        "do_node_verify": Work(verbs.do_node_verify, "verifying", asks=True),
        "inspect_hardware": Work(verbs.inspect_hardware, asks=True),
        "finish_inspection": Work(verbs.finish, "inspecting"),
        "continue_inspection": Work(inspection.continue_inspection, "inspecting"),
        "_do_adoption": Work(verbs.do_adoption, "adopting"),
        "_do_node_rescue": Work(rescue.do_node_rescue, asks=True),
        "finish_rescue": Work(verbs.finish, "rescuing"),
        "_do_node_rescue_abort": Work(rescue.do_node_rescue_abort),
        "finish_rescue_abort": Work(rescue.finish_rescue_abort, "aborting"),
        "_do_node_unrescue": Work(rescue.do_node_unrescue, asks=True),
        "finish_unrescue": Work(verbs.finish, "unrescuing"),
        "do_node_deploy": Work(deploying.do_node_deploy, asks=True),
        "do_next_deploy_step": Work(deploying.FLOW.run_step, "deploying"),
        "do_node_deploy_abort": Work(deploying.FLOW.abort),
        "finish_deploy_abort": Work(deploying.FLOW.finish_abort, "aborting"),
        "_do_node_tear_down": Work(deploying.tear_down, asks=True),
        "finish_tear_down": Work(deploying.finish_tear_down, "deleting"),
        "do_node_clean": Work(cleaning.do_node_clean, asks=True),
        "finish_skipped_clean": Work(cleaning.finish_skipped, "cleaning"),
        "do_next_clean_step": Work(cleaning.FLOW.run_step, "cleaning"),
        "do_node_clean_abort": Work(cleaning.FLOW.abort),
        "finish_clean_abort": Work(cleaning.FLOW.finish_abort, "aborting"),
        "do_node_service": Work(servicing.do_node_service),
        "do_next_service_step": Work(servicing.FLOW.run_step, "servicing"),
        "continue_node_service": Work(servicing.FLOW.resume),
        "do_node_service_abort": Work(servicing.FLOW.abort),
        "finish_service_abort": Work(servicing.FLOW.finish_abort, "aborting"),
        waiting.HEARTBEAT: Work(waiting.send_heartbeat, "heartbeat", reserves=False),
        waiting.CONTROLLER: Work(waiting.check_controller, "hardware", reserves=False),
        periodic.TIMEOUT_WORK: Work(waiting.give_up, "callback timeout", reserves=False),
        console.WORK: Work(console.expire, "console timeout"),
        heartbeats.WORK: Work(heartbeats.resume, "heartbeat", afterwards=True),
    }
)


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


def apply_due(session: Session, node: Record) -> None:
    """Do the work that is due at a node as of the time when it was due.

    A node that is read after an hour has the states and times of that hour.
    """
    now, moment, event = session.clock.seconds(), node["due_at"], node["due_event"]
    session.clock = Clock("manual", start=moment)
    free = {"due_at": None, "due_event": None, "reservation": None}
    task = Task(session, node_models.update(session, node, free))
    task.host = node["reservation"] or task.host
    task.late = now - moment
    task.outcomes = Outcomes(event)
    try:
        with _contained(task, event["work"]):
            _do(task, Plan(event["work"], event["arguments"]))
            _carry_on(task)
    except CallNeeded as needed:
        act = partial(outgoing_calls.make, session.store, node["id"], event, needed.call)
        raise Interrupted(act) from None


def _carry_on(task: Task) -> None:
    """Run the planned work, or postpone it until it is due."""
    while plan := task.plan or waiting.awaited(task):
        task.plan = None
        work = WORK[plan.work]
        delay = _delay(task, work) * plan.share if plan.pause is None else plan.pause
        if delay > 0 or work.afterwards:
            _postpone(task, plan, delay, reserve=work.reserves)
            return
        task.outcomes = Outcomes({})
        try:
            _do(task, plan)
        except CallNeeded:
            task.refresh()
            _postpone(task, plan, 0, reserve=True)
            return
    if not task.shared:
        console.watch(task)


def _postpone(task: Task, plan: Plan, delay: float, *, reserve: bool) -> None:
    """Store work for the first request after it is due.

    :param delay: seconds until then.
    :param reserve: whether the node is reserved until then.
    """
    if reserve:
        task.node["reservation"] = task.host
    task.node["due_at"] = task.session.clock.seconds() + delay
    task.node["due_event"] = {"work": plan.work, "arguments": plan.arguments}
    task.save()


def _delay(task: Task, work: Work) -> float:
    """Return how many seconds pass before work: its transition, and trying in vain."""
    session = task.session
    lost = 0.0
    if work.asks:
        lost = task.driver.power.seconds_lost(task, acts=work.function is power.act)
    if work.transition is None:
        return lost
    return session.fault_injection.delay(task.node, work.transition) + lost


def _do(task: Task, plan: Plan) -> None:
    """Run a piece of work; if it fails, the node fails and not the request."""
    with _contained(task, plan.work):
        try:
            # Work that is done again finds its arguments as they were.
            WORK[plan.work].function(task, **deepcopy(plan.arguments))
        except errors.ApiError as exc:
            if task.node["last_error"] is None:
                task.node["last_error"] = f"Async execution of {plan.work} failed with error: {exc}"
                task.save()
            if task.plan is None and plan.work in (waiting.CONTROLLER, waiting.HEARTBEAT):
                # At once, it would fail again.
                waiting.look_again(task, plan.work)


@contextmanager
def _contained(task: Task, work: str) -> Iterator[None]:
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
