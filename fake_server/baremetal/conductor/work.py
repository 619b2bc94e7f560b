"""Doing what was planned: at once, or when its time has come."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...clock import Clock
from ...store import Interrupted, RetryError
from .. import errors
from ..models import nodes as node_models
from . import (
    cleaning,
    console,
    deploying,
    failures,
    heartbeats,
    inspection,
    management,
    outside,
    pace,
    power,
    servicing,
    simulation,
    verbs,
    virtual_media,
    waiting,
)
from .outside import CallNeeded, Outcomes
from .task import Plan, Task, acquire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ...store import Record
    from ..session import Session

LOG = logging.getLogger(__name__)

#: Work by the name that nodes show when it fails.
WORK: Mapping[str, Callable[..., None]] = MappingProxyType(
    {
        "node_power_action": power.act,
        "node_change_boot_mode": management.change_boot_mode,
        "node_change_secure_boot": management.change_secure_boot,
        "_set_console_mode": console.switch,
        "do_attach_virtual_media": virtual_media.attach,
        "do_detach_virtual_media": virtual_media.detach,
        "do_node_verify": verbs.do_node_verify,
        "inspect_hardware": verbs.inspect_hardware,
        "continue_inspection": inspection.continue_inspection,
        "_do_adoption": verbs.do_adoption,
        "_do_node_rescue": verbs.do_node_rescue,
        "_do_node_unrescue": verbs.do_node_unrescue,
        "_do_node_rescue_abort": verbs.do_node_rescue_abort,
        "do_node_deploy": deploying.do_node_deploy,
        "do_node_deploy_abort": deploying.do_node_deploy_abort,
        "_do_node_tear_down": deploying.tear_down,
        "do_node_clean": cleaning.do_node_clean,
        "do_node_clean_abort": cleaning.do_node_clean_abort,
        "do_node_service": servicing.do_node_service,
        "do_node_service_abort": servicing.do_node_service_abort,
        simulation.WORK: simulation.beat,
        waiting.WORK: waiting.give_up,
        "continue_node_service": servicing.continue_node_service,
        console.WORK: console.expire,
        heartbeats.WORK: heartbeats.resume,
    }
)

#: Work that is done when the request that planned it has been answered.
AFTERWARDS = frozenset({heartbeats.WORK})


@contextmanager
def working(session: Session, node: Record, *, shared: bool = False) -> Iterator[Task]:
    """Lock a node, unless it may be shared, and do afterwards what the block plans.

    :raises NodeLocked: if someone else works on the node.
    """
    with acquire(session, node, shared=shared) as task:
        yield task
    _carry_on(task)


@node_models.on_due
def apply_due(session: Session, node: Record) -> Record:
    """Do the work of a node whose time has come, as of that time; return the node as it is then.

    Whoever looks first after an hour finds what an hour brings, with the times of each event.
    """
    now, moment, event = session.clock, node["due_at"], node["due_event"]
    session.clock = Clock("manual", start=moment)
    try:
        free = {"due_at": None, "due_event": None, "reservation": None}
        task = Task(session, node_models.update(session, node, free))
        task.outcomes = Outcomes(event)
        with _contained(task, event["work"]):
            before = simulation.progress(task)
            _do(task, Plan(event["work"], event["arguments"]))
            _carry_on(task)
            if simulation.progress(task) == before and task.node["due_at"] is not None:
                # What comes again and again, to no effect, needn't be caught up with.
                task.node["due_at"] += now.seconds() - moment
                task.save()
        return node_models.get_by_id(session, node["id"])
    except CallNeeded as needed:
        act = partial(outside.make, session.store, node["id"], event, needed.call)
        raise Interrupted(act) from None
    finally:
        session.clock = now


def _carry_on(task: Task) -> None:
    """Do what is planned, or keep the node reserved until it is due.

    A node that waits for a simulated agent isn't reserved: anyone may do something else with it.
    """
    while plan := task.plan or simulation.plan(task):
        awaited, task.plan = task.plan is None, None
        delay = pace.delay(task, plan.work)
        if delay > 0 or plan.work in AFTERWARDS:
            _postpone(task, plan, delay, reserve=not awaited)
            return
        before = simulation.progress(task)
        task.outcomes = Outcomes({})
        try:
            _do(task, plan)
        except CallNeeded:
            task.refresh()
            _postpone(task, plan, 0, reserve=True)
            return
        if awaited and task.plan is None and simulation.progress(task) == before:
            break
    if not task.shared:
        console.watch(task)


def _postpone(task: Task, plan: Plan, delay: float, *, reserve: bool) -> None:
    """Store work for whoever looks once it is due.

    :param delay: seconds until then.
    :param reserve: whether the node is reserved until then.
    """
    if reserve:
        task.node["reservation"] = task.session.settings.host
    task.node["due_at"] = task.session.clock.seconds() + delay
    task.node["due_event"] = {"work": plan.work, "arguments": plan.arguments}
    task.save()
    task.session.has_more |= delay == 0


def _do(task: Task, plan: Plan) -> None:
    """Do a piece of work; its failure is the node's, not the request's."""
    with _contained(task, plan.work):
        try:
            # Work that is done again finds its arguments as they were.
            WORK[plan.work](task, **deepcopy(plan.arguments))
        except errors.ApiError as exc:
            if task.node["last_error"] is None:
                task.node["last_error"] = f"Async execution of {plan.work} failed with error: {exc}"
                task.save()


@contextmanager
def _contained(task: Task, work: str) -> Iterator[None]:
    """Let a crash undo what the block did, and fail the node alone.

    Not only our own faults end here: so do those of network interfaces that others wrote.

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
                failures.crashed(task, text)
        except RetryError:
            raise
        except Exception:
            LOG.exception("Cleaning up after %s crashed on node %s", work, uuid)
            task.refresh()
            failures.crashed(task, text, clean_up=False)
