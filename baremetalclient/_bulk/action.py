"""One action for many resources: requests in parallel, then polls with one list for all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from baremetalclient import _clock, exc
from baremetalclient._bulk.listener import Listener, Target
from baremetalclient._bulk.poller import LONGEST, SLICE, Poller
from baremetalclient._bulk.result import Result
from baremetalclient._bulk.runner import DEFAULT_PARALLEL, Runner
from baremetalclient._http.session import allow_connections
from baremetalclient._resource.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from baremetalclient._bulk.fetcher import Fetcher, Polled
    from baremetalclient._bulk.goal import Goal
    from baremetalclient._bulk.runner import Outcome
    from baremetalclient._resource.manager import Manager
    from baremetalclient._resource.resource import Item


_GONE = "there is no such node any more"


@dataclass
class _Waiting:
    target: Target
    since: float
    item: Item | None = None
    polls: int = 0


class Action:
    """An action for many resources, and the wait for what it leads to; it starts at once.

    Iterating yields a result for each resource as soon as it is known, those not started last.

    :param manager: the manager of the resources.
    :param targets: the resources, in the order in which they are started.
    :param act: called with each; in several threads at a time.
    :param fetcher: fetches the states that are waited for.
    :param goal: what to wait for, None not to wait.
    :param parallel: the maximum number of requests at a time.
    :param max_failures: nothing new starts after this number of failures, None for no limit.
    :param timeout: the maximum seconds for everything, 0 for no limit.
    :param stop: nothing new starts, and nothing is waited for, once this returns True.
    :param listener: told what happens.
    :param state_field: the field for the state of the results.
    :raises ValidationError: if a number is wrong; nothing is sent.
    """

    def __init__(
        self,
        manager: Manager[Any],
        targets: Iterable[Target],
        act: Callable[[Target], Any],
        *,
        fetcher: Fetcher,
        goal: Goal | None = None,
        parallel: int = DEFAULT_PARALLEL,
        max_failures: int | None = None,
        timeout: float = 0,
        stop: Callable[[], bool] | None = None,
        listener: Listener | None = None,
        state_field: str = "",
    ) -> None:
        self._goal = goal
        self._fetcher = fetcher
        self._timeout = timeout
        self._listener = listener or Listener()
        self._state_field = state_field
        self._targets = list(targets)
        self._runner: Runner[Target, Any] = Runner(
            self._targets, act, parallel=parallel, max_failures=max_failures, stop=stop
        )
        self._waiting: dict[str, _Waiting] = {}
        # The requests that the polls follow have shown that the server responds.
        self._poller = Poller(self._fetch, timeout=timeout, stop=stop, responded=True)
        self._known: dict[Target, Result] = {}
        self._steps = self._run()
        allow_connections(manager.http.session, parallel)
        self._runner.start()

    def __iter__(self) -> Iterator[Result]:
        return (result for _, result in self.results())

    def results(self) -> Iterator[tuple[Target, Result]]:
        """Yield each resource with its result as soon as it is known."""
        told = 0
        more = True
        while more:
            more = next(self._steps, None) is not None
            yield from list(self._known.items())[told:]
            told = len(self._known)

    def wait(self) -> list[Result]:
        """Wait until all results are known, and return them in the order of the resources."""
        for _ in self._steps:
            pass
        return [self._known[target] for target in self._targets]

    def raise_for_failures(self) -> None:
        """Wait until all results are known, and raise one exception for all failures.

        :raises SomeFailed: with the results that are not ``done``.
        """
        failed = [one for one in self.wait() if not one]
        if failed:
            raise exc.SomeFailed(failed)

    def stop(self) -> None:
        """Start nothing more; requests under way go on."""
        self._runner.halt()

    def _run(self) -> Iterator[bool]:
        """Take one outcome after the other, and poll in between; yield after each step."""
        poller = self._poller
        with self._runner as runner:
            acting = True
            while runner.busy or self._waiting:
                if poller.stopped:
                    self._give_up("interrupted before it was {}")
                if acting and not runner.busy:
                    acting = False
                    poller.put_off(0)
                if not runner.busy:
                    poller.pause()
                elif outcome := runner.get(poller.wait if self._waiting else SLICE):
                    self._acted(outcome)
                late = poller.late
                if late:
                    runner.halt()
                if self._waiting and (late or poller.is_due):
                    self._poll()
                    if late:
                        self._give_up(f"not {{}} after {self._timeout} seconds")
                yield True
            why = self._why_skipped()
            for target in runner.not_started:
                self._known[target] = Result(target.label, target.uuid, "skipped", error=why)

    def _acted(self, outcome: Outcome[Target, Any]) -> None:
        target, error = outcome.item, outcome.error
        waiting = _Waiting(target, _clock.monotonic() - outcome.seconds)
        if error is not None:
            self._listener.refused(target, error)
            self._finish(waiting, "failed", error)
            return
        self._listener.accepted(target, outcome.value)
        if self._goal is None:
            self._finish(waiting, "done")
            return
        if not self._waiting:
            # Polls would slow down the requests that are still to be sent.
            self._poller.put_off(LONGEST)
        self._waiting[target.ident] = waiting

    def _fetch(self, limit: float | None) -> Polled:
        with self._runner.slots:
            return self._fetcher(tuple(self._waiting), limit)

    def _poll(self) -> None:
        """Fetch what is waited for, and finish what is through."""
        try:
            found = self._poller.poll()
        except exc.ClientException as error:
            for one in self._left():
                self._listener.failed(self._finish(one, "failed", error))
            return
        if found is None:
            return
        for ident in [target.ident for target in self._targets if target.ident in found]:
            one = self._waiting[ident]
            one.item = found[ident]
            self._listener.seen(one.target, one.item, self._state_field, self._poller.seconds)
            self._judge(one)
        self._listener.polled()

    def _judge(self, one: _Waiting) -> None:
        assert self._goal is not None  # noqa: S101 - nothing is waited for without one
        one.polls += 1
        verdict = self._goal.verdict(one.item, one.polls)
        if verdict.outcome == "waiting":
            return
        del self._waiting[one.target.ident]
        if verdict.outcome == "reached":
            self._finish(one, "done")
            return
        self._runner.count_failure()
        state = (one.item or {}).get(self._state_field)
        missed = f"it did not become {self._goal.description}"
        reason = _GONE if one.item is None else verdict.reason or missed
        error = exc.StateTransitionFailed(reason, state=state, reason=reason)
        self._listener.failed(self._finish(one, "failed", error))

    def _give_up(self, why: str) -> None:
        """Wait no longer.

        :param why: the reason, with ``{}`` for the goal.
        """
        for one in self._left():
            assert self._goal is not None  # noqa: S101 - nothing is waited for without one
            reason = why.format(self._goal.description)
            last_error = (one.item or {}).get("last_error")
            if last_error:
                reason += f", last error: {last_error}"
            self._finish(one, "timeout", exc.StateTransitionTimeout(reason))

    def _left(self) -> list[_Waiting]:
        """Return what is waited for, and wait no longer for it."""
        left = list(self._waiting.values())
        self._waiting = {}
        return left

    def _finish(
        self,
        one: _Waiting,
        outcome: Literal["done", "failed", "timeout"],
        error: exc.ClientException | None = None,
    ) -> Result:
        target, found = one.target, one.item or {}
        result = Result(
            found.get("name") or target.label,
            found.get("uuid") or target.uuid,
            outcome,
            found.get(self._state_field),
            _clock.monotonic() - one.since,
            None if error is None else str(error),
            error,
        )
        self._known[target] = result
        return result

    def _why_skipped(self) -> str:
        if self._poller.stopped:
            return "not started: interrupted"
        if self._poller.late:
            return f"not started within {self._timeout} seconds"
        return "not started, because others failed"


def resolved(fetcher: Fetcher, targets: Sequence[Target]) -> list[Target]:
    """Return targets with the name and UUID of each resource that there is, each once.

    :param fetcher: fetches the resources.
    :param targets: the targets; only those without a UUID are looked up.
    """
    unknown = [target.ident for target in targets if target.uuid is None]
    found = fetcher(unknown) if unknown else {}
    return list(
        dict.fromkeys(
            target
            if (item := found.get(target.ident)) is None
            else Target(item["uuid"], item.get("name"), item["uuid"])
            for target in targets
        )
    )


def targets_of(several: str | Resource | Iterable[str | Resource], kind: str) -> list[Target]:
    """Return the targets for resources, each once.

    :param several: UUIDs or names, or resources, or one of them.
    :param kind: what they are, such as ``node``.
    :raises InvalidType: if they are anything else.
    """
    given = [several] if isinstance(several, str | Resource) else several
    if not isinstance(given, Iterable):
        raise exc.InvalidType(f"Expected {kind}s, and not {several!r}.")
    by_ident: dict[str, Target] = {}
    for one in given:
        if isinstance(one, Resource):
            target = Target.of(one)
        elif isinstance(one, str) and one.strip():
            target = Target(one, one)
        else:
            raise exc.InvalidType(f"Expected the name or UUID of a {kind}, and not {one!r}.")
        by_ident.setdefault(target.ident, target)
    return list(by_ident.values())
