"""One action for many nodes: requests in parallel, then polls with one list for all."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http.session import allow_connections
from baremetalclient._resource.intervals import LONGEST, SLICE, Interval
from baremetalclient._resource.parallel import DEFAULT_PARALLEL, Runner
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.results import Result
from baremetalclient._resource.waiters import UNREACHABLE, poll_deadline
from baremetalclient.v1.node.polling import NodePoller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from baremetalclient._resource.parallel import Outcome
    from baremetalclient.v1.node import Node, NodeManager
    from baremetalclient.v1.node.goals import Goal

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Target:
    """A node to act on.

    :param ident: what requests call it.
    :param name: its name, or what it was called.
    :param uuid: its UUID, None if it is not known.
    """

    ident: str
    name: str | None = None
    uuid: str | None = None

    @classmethod
    def of(cls, node: Node) -> Target:
        """Return the target for a node that was fetched."""
        return cls(node.uuid, getattr(node, "name", None), node.uuid)

    @property
    def label(self) -> str:
        """Its name in messages."""
        return self.name or self.ident


class Listener:
    """Told what happens, in the thread of the caller; does nothing by itself."""

    def accepted(self, target: Target, value: Any) -> None:
        """Handle that a call was successful.

        :param target: the node.
        :param value: what the call returned.
        """

    def refused(self, target: Target, error: exc.ClientException) -> None:
        """Handle that a call failed."""

    def seen(self, target: Target, node: Node | None, seconds: float) -> None:
        """Handle the state of a node in a poll.

        :param target: the node.
        :param node: the node with the fields of the goal, None if it is gone.
        :param seconds: the seconds since the beginning.
        """

    def failed(self, result: Result) -> None:
        """Handle that a node will not reach the goal."""

    def polled(self) -> None:
        """Handle that a poll is complete."""


@dataclass
class _Waiting:
    target: Target
    since: float
    node: Node | None = None


class Action:
    """An action for many nodes, and the wait for what it leads to.

    :param manager: the manager of nodes.
    :param targets: the nodes, in the order in which they are started.
    :param act: called with each; in several threads at a time.
    :param goal: what to wait for, None not to wait.
    :param parallel: the maximum number of requests at a time.
    :param max_failures: nothing new starts after this number of failures, None for no limit.
    :param timeout: the maximum seconds for everything, 0 for no limit.
    :param stop: nothing new starts, and nothing is waited for, once this returns True.
    :param filters: arguments of ``client.node.list`` that the nodes match at all times.
    :param listener: told what happens.
    :param state_field: the field for the state of the results.
    """

    def __init__(
        self,
        manager: NodeManager,
        targets: Iterable[Target],
        act: Callable[[Target], Any],
        *,
        goal: Goal | None = None,
        parallel: int = DEFAULT_PARALLEL,
        max_failures: int | None = None,
        timeout: float = 0,
        stop: Callable[[], bool] | None = None,
        filters: Mapping[str, Any] | None = None,
        listener: Listener | None = None,
        state_field: str = "provision_state",
    ) -> None:
        self._goal = goal
        self._timeout = timeout
        self._stop = stop or (lambda: False)
        self._listener = listener or Listener()
        self._state_field = state_field
        self._poller = NodePoller(manager, (*(goal.fields if goal else ()), state_field), filters)
        ordered = list(targets)
        self._order = {target.ident: place for place, target in enumerate(ordered)}
        self._runner: Runner[Target, Any] = Runner(
            ordered, act, parallel=parallel, max_failures=max_failures, stop=self._stop
        )
        allow_connections(manager.http.session, parallel)
        self._start = time.monotonic()
        self._waiting: dict[str, _Waiting] = {}
        self._next_poll = 0.0
        self._interval = Interval()
        self._unreachable = False

    def results(self) -> Iterator[tuple[Target, Result]]:
        """Act, and yield each node with its result as it comes; those not started come last."""
        with self._runner as runner:
            acting = True
            while runner.busy or self._waiting:
                if self._stop():
                    self._waiting, left = {}, self._waiting
                    yield from map(self._interrupted, left.values())
                if acting and not runner.busy:
                    acting = False
                    self._next_poll = 0.0
                if acting:
                    outcome = runner.get(SLICE if not self._waiting else self._until_poll())
                    if outcome is not None:
                        yield from self._acted(outcome)
                else:
                    time.sleep(self._until_poll())
                late = self._is_late()
                if late:
                    runner.halt()
                if self._waiting and (late or time.monotonic() >= self._next_poll):
                    yield from self._poll()
                    if late:
                        self._waiting, left = {}, self._waiting
                        yield from map(self._timed_out, left.values())
            for target in runner.not_started:
                error = self._why_skipped()
                yield target, Result(target.label, target.uuid, "skipped", error=error)

    def _acted(self, outcome: Outcome[Target, Any]) -> Iterator[tuple[Target, Result]]:
        target = outcome.item
        if outcome.error is not None:
            self._listener.refused(target, outcome.error)
            error = str(outcome.error)
            yield target, Result(target.label, target.uuid, "failed", None, outcome.seconds, error)
            return
        self._listener.accepted(target, outcome.value)
        if self._goal is None:
            yield target, Result(target.label, target.uuid, "done", None, outcome.seconds)
            return
        now = time.monotonic()
        if not self._waiting:
            # Polls would slow down the requests that are still to be sent.
            self._next_poll = now + LONGEST
        self._waiting[target.ident] = _Waiting(target, now - outcome.seconds)

    def _poll(self) -> Iterator[tuple[Target, Result]]:
        """Fetch the nodes that are waited for, and yield the results of those that are through."""
        passed = time.monotonic() - self._start
        try:
            with self._runner.slot():
                found = self._poller.poll(
                    list(self._waiting), deadline=poll_deadline(self._timeout, passed)
                )
            self._unreachable = False
        except UNREACHABLE as error:
            if not self._unreachable:
                LOG.warning("%s Still waiting; retrying until the wait times out.", error)
            self._unreachable = True
            found = {}
        except exc.ClientException as error:
            self._waiting, left = {}, self._waiting
            for one in left.values():
                failed = self._result(one, "failed", str(error))
                self._listener.failed(failed[1])
                yield failed
        else:
            for ident in sorted(found, key=self._order.__getitem__):
                one, node = self._waiting[ident], found[ident]
                one.node = node
                self._listener.seen(one.target, node, time.monotonic() - self._start)
                yield from self._judged(ident, one)
            self._listener.polled()
        self._next_poll = time.monotonic() + self._interval.seconds
        self._interval.grow()

    def _judged(self, ident: str, one: _Waiting) -> Iterator[tuple[Target, Result]]:
        assert self._goal is not None  # noqa: S101 - nothing is waited for without one
        verdict = self._goal.verdict(one.node)
        if verdict is None:
            return
        del self._waiting[ident]
        if verdict.done:
            yield self._result(one, "done")
        else:
            self._runner.count_failure()
            failed = self._result(one, "failed", verdict.reason)
            self._listener.failed(failed[1])
            yield failed

    def _result(
        self, one: _Waiting, result: Any, error: str | None = None
    ) -> tuple[Target, Result]:
        target, found = one.target, {} if one.node is None else vars(one.node)
        return target, Result(
            found.get("name") or target.label,
            found.get("uuid") or target.uuid,
            result,
            found.get(self._state_field),
            time.monotonic() - one.since,
            error,
        )

    def _timed_out(self, one: _Waiting) -> tuple[Target, Result]:
        assert self._goal is not None  # noqa: S101 - nothing is waited for without one
        last_error = getattr(one.node, "last_error", None)
        error = f"not {self._goal.description} after {self._timeout} seconds"
        if last_error:
            error += f", last error: {last_error}"
        return self._result(one, "timeout", error)

    def _interrupted(self, one: _Waiting) -> tuple[Target, Result]:
        assert self._goal is not None  # noqa: S101 - nothing is waited for without one
        error = f"interrupted before it was {self._goal.description}"
        return self._result(one, "timeout", error)

    def _why_skipped(self) -> str:
        if self._stop():
            return "not started: interrupted"
        if self._is_late():
            return f"not started within {self._timeout} seconds"
        return "not started, because others failed"

    def _is_late(self) -> bool:
        return bool(self._timeout) and time.monotonic() - self._start >= self._timeout

    def _until_poll(self) -> float:
        now = time.monotonic()
        seconds = min(self._next_poll - now, SLICE)
        if self._timeout:
            seconds = min(seconds, self._start + self._timeout - now)
        return max(seconds, 0.0)


def resolved(manager: NodeManager, targets: Sequence[Target]) -> list[Target]:
    """Return targets with the name and UUID of each node that there is, each node once.

    :param manager: the manager of nodes.
    :param targets: the targets; only those without a UUID are looked up.
    """
    unknown = [target.ident for target in targets if target.uuid is None]
    found = NodePoller(manager, ()).poll(unknown) if unknown else {}
    return list(
        dict.fromkeys(
            target if (node := found.get(target.ident)) is None else Target.of(node)
            for target in targets
        )
    )


def targets_of(nodes: str | Node | Iterable[str | Node]) -> list[Target]:
    """Return the targets for nodes, each once.

    :param nodes: UUIDs or names, or nodes, or one of them.
    :raises InvalidType: if they are anything else.
    """
    given = [nodes] if isinstance(nodes, str | Resource) else nodes
    if not isinstance(given, Iterable):
        raise exc.InvalidType(f"Expected nodes, and not {nodes!r}.")
    targets = []
    for node in given:
        if isinstance(node, Resource):
            targets.append(Target.of(node))
        elif isinstance(node, str) and node.strip():
            targets.append(Target(node, node))
        else:
            raise exc.InvalidType(f"Expected the name or UUID of a node, and not {node!r}.")
    by_ident: dict[str, Target] = {}
    for target in targets:
        by_ident.setdefault(target.ident, target)
    return list(by_ident.values())
