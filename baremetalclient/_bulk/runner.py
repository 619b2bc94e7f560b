"""Calls for many items, a bounded number at a time."""

from __future__ import annotations

import atexit
import threading
from collections import deque
from contextvars import copy_context
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeVar

from baremetalclient import _clock, exc
from baremetalclient._http.retry import SharedPause, shared_pause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

DEFAULT_PARALLEL = 10
"""The default for the maximum number of requests at a time."""

_LOOK_AFTER = 0.2
"""Seconds after which a blocked thread looks whether it should stop."""
_GRACE = 0.7
"""Seconds that calls under way have to finish after a stop, so that all ends within a second."""

_UNKNOWN = "interrupted before the server responded: it may be done, or not"

ItemT = TypeVar("ItemT")
ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class Outcome(Generic[ItemT, ValueT]):
    """The outcome of the call for one item.

    :param value: what the call returned.
    :param error: the exception, if it failed; one of another kind is its cause.
    :param seconds: how long it took.
    :param started: whether it was called at all.
    """

    item: ItemT
    value: ValueT | None = None
    error: exc.ClientException | None = None
    seconds: float = 0.0
    started: bool = True


class Runner(Generic[ItemT, ValueT]):
    """Calls a function for each item in threads; a context manager, which waits for these.

    Items are started in order, from :meth:`start` on. If a request is retried after a pause, no
    other is started during the pause. Where no more threads can be started, there are fewer. Calls
    that are under way when it is stopped have a moment to finish; what became of others is unknown.

    :param parallel: the maximum number of calls at a time, 1 or more.
    :param max_failures: nothing new is started after this number of failures, None for no limit.
    :param stop: nothing new is started once this returns True.
    :param reads: whether the calls change nothing, so that whoever leaves the context by an
        exception, such as that of Ctrl-C, need not wait for those that run.
    :raises ValidationError: if one of the numbers is below 1.
    """

    def __init__(
        self,
        items: Iterable[ItemT],
        act: Callable[[ItemT], ValueT],
        *,
        parallel: int = DEFAULT_PARALLEL,
        max_failures: int | None = None,
        stop: Callable[[], bool] | None = None,
        reads: bool = False,
    ) -> None:
        for name, number in (("parallel", parallel), ("max_failures", max_failures)):
            if number is not None and (type(number) is not int or number < 1):
                raise exc.ValidationError(f"{name} has to be an integer above 0, not {number!r}.")
        self._waiting = deque(items)
        self._act = act
        self._max_failures = max_failures
        self._stop = stop
        self._reads = reads
        self._failures = 0
        self._halted = False
        self._lock = threading.Lock()
        #: The places for calls; the caller takes one for a request of its own.
        self.slots = threading.Semaphore(parallel)
        self._finished: SimpleQueue[Outcome[ItemT, ValueT] | BaseException] = SimpleQueue()
        self._pause = SharedPause()
        self._number = min(parallel, len(self._waiting))
        self._threads: list[threading.Thread] = []
        self._running: dict[int, ItemT] = {}
        self._end: float | None = None
        self._abandoned = False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        self.halt()
        if self._reads and kind is not None:
            self._abandoned = True
        elif kind is not None and issubclass(kind, KeyboardInterrupt | SystemExit):
            self._join(_GRACE)
            self._abandoned = True
        self._join()
        atexit.unregister(self._join)

    def _join(self, seconds: float = float("inf")) -> None:
        """Wait for the threads, unless they are abandoned."""
        end = _clock.monotonic() + seconds
        for thread in self._threads:
            while thread.is_alive() and not self._abandoned and _clock.monotonic() < end:
                thread.join(_LOOK_AFTER)

    def start(self) -> None:
        """Start the threads, once. A program that ends before waits for what they have to change.

        :raises ClientException: if no thread can be started.
        """
        number, self._number = self._number, 0
        if not self._reads:
            atexit.register(self._join)
        for _ in range(number):
            thread = threading.Thread(target=copy_context().run, args=(self._work,), daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                if not self._threads:
                    raise exc.ClientException(f"No thread can be started: {error}.") from error
                break
            self._threads.append(thread)

    def halt(self) -> None:
        """Start nothing more."""
        self._halted = True

    def count_failure(self) -> None:
        """Count a failure that shows only after the call."""
        with self._lock:
            self._failures += 1

    @property
    def stopped(self) -> bool:
        """Whether nothing more is started, apart from there being nothing left."""
        return (
            self._halted
            or (self._stop is not None and self._stop())
            or (self._max_failures is not None and self._failures >= self._max_failures)
        )

    @property
    def not_started(self) -> list[ItemT]:
        """The items that no call was made for so far, in order."""
        return list(self._waiting)

    @property
    def busy(self) -> bool:
        """Whether there may be outcomes still to come."""
        with self._lock:
            more = bool(self._waiting) and not self.stopped
            return more or bool(self._running) or not self._finished.empty()

    def get(self, timeout: float) -> Outcome[ItemT, ValueT] | None:
        """Return the next outcome, or None if there is none within a time.

        :raises BaseException: what the function raised to end the program.
        """
        if self._stop is not None and self._stop():
            self._abandon_late()
        try:
            found = self._finished.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(found, BaseException):
            raise found
        return found

    def _abandon_late(self) -> None:
        """Take the outcomes of calls that don't finish soon after a stop for unknown."""
        if self._end is None:
            self._end = _clock.monotonic() + (0 if self._reads else _GRACE)
        if _clock.monotonic() < self._end:
            return
        with self._lock:
            for item in self._running.values():
                self._abandoned = True
                self._finished.put(Outcome(item, error=exc.ClientException(_UNKNOWN)))
            self._running.clear()

    def _work(self) -> None:
        shared_pause.set(self._pause)
        own = threading.get_ident()
        while True:
            self._pause.wait()
            with self.slots:
                with self._lock:
                    if self.stopped or not self._waiting:
                        return
                    item = self._waiting.popleft()
                    self._running[own] = item
                outcome = self._outcome(item)
                with self._lock:
                    if own in self._running:
                        del self._running[own]
                        self._finished.put(outcome)

    def _outcome(self, item: ItemT) -> Outcome[ItemT, ValueT] | BaseException:
        start = _clock.monotonic()
        try:
            value = self._act(item)
        except exc.ClientException as error:
            failure = error
        except Exception as error:  # such as that there is no memory, or no file descriptor
            failure = exc.ClientException(f"{type(error).__name__}: {error}")
            failure.__cause__ = error
        except BaseException as error:  # raised again in the thread of the caller
            self.halt()
            return error
        else:
            return Outcome(item, value, seconds=_clock.monotonic() - start)
        self.count_failure()
        return Outcome(item, error=failure, seconds=_clock.monotonic() - start)


def run(
    items: Iterable[ItemT],
    act: Callable[[ItemT], ValueT],
    *,
    parallel: int = DEFAULT_PARALLEL,
    max_failures: int | None = None,
    stop: Callable[[], bool] | None = None,
    reads: bool = False,
) -> Iterator[Outcome[ItemT, ValueT]]:
    """Call a function for each item, and yield the outcomes as they come.

    The arguments are those of :class:`Runner`. What was never started comes last.
    """
    with Runner(
        items, act, parallel=parallel, max_failures=max_failures, stop=stop, reads=reads
    ) as runner:
        while runner.busy:
            outcome = runner.get(_LOOK_AFTER)
            if outcome is not None:
                yield outcome
        for item in runner.not_started:
            yield Outcome(item, started=False)
