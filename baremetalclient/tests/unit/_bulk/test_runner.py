"""Calls for many items: order, bounds, failures and pauses."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from baremetalclient import exc
from baremetalclient._bulk.runner import run
from baremetalclient._http import retry
from baremetalclient.client import use_clock


def test_each_item_is_called_once_and_its_outcome_yielded():
    outcomes = list(run(range(50), lambda item: item * 2, parallel=4))
    assert sorted((one.item, one.value) for one in outcomes) == [(n, n * 2) for n in range(50)]
    assert all(0 <= one.seconds < 60 for one in outcomes)


def test_items_start_in_order_and_no_more_than_allowed_run():
    lock, started, running, most = threading.Lock(), [], set(), []
    barrier = threading.Barrier(3)

    def act(item):
        with lock:
            started.append(item)
            running.add(item)
            most.append(len(running))
        # Passes only if three calls run at the same time.
        barrier.wait(10)
        with lock:
            running.discard(item)

    list(run(range(30), act, parallel=3))
    assert max(most) == 3
    assert all(abs(item - position) < 3 for position, item in enumerate(started))


def test_nothing_new_starts_after_a_stop_and_what_runs_finishes():
    called = []
    outcomes = list(run(range(10), called.append, parallel=1, stop=lambda: len(called) >= 4))
    assert called == [0, 1, 2, 3]
    assert sum(one.started for one in outcomes) == 4


def test_what_became_of_a_call_that_goes_on_after_a_stop_is_not_known():
    over, stopped = threading.Event(), threading.Event()

    def act(item):
        stopped.set()
        return over.wait(30)

    begun = time.monotonic()
    hung, left = run([1, 2], act, parallel=1, stop=stopped.is_set)
    assert time.monotonic() - begun < 20
    over.set()
    assert str(hung.error) == "interrupted before the server responded: it may be done, or not"
    assert not left.started


def test_a_program_that_ends_waits_for_what_it_has_begun():
    code = (
        "import os, time\n"
        "from baremetalclient._bulk.runner import Runner\n"
        "def act(item):\n"
        "    time.sleep(0.2)\n"
        "    os.write(1, b'%d ' % item)\n"
        "Runner(range(4), act, parallel=2).start()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == ["0", "1", "2", "3"]
    assert done.stderr == ""


def test_an_exception_of_another_kind_is_the_outcome_of_its_item():
    def act(item):
        return 1 // item

    failed, done = sorted(run([0, 1], act), key=lambda one: one.item)
    assert str(failed.error) == "ZeroDivisionError: integer division or modulo by zero"
    assert isinstance(failed.error.__cause__, ZeroDivisionError)
    assert done.value == 1


def test_who_leaves_calls_that_only_read_does_not_wait_for_them():
    over = threading.Event()

    def act(item):
        if item:
            over.wait(60)

    def first():
        for outcome in run(range(2), act, parallel=2, reads=True):
            if outcome.item == 0:
                raise KeyboardInterrupt

    try:
        with pytest.raises(KeyboardInterrupt):
            first()
        waiting = [one for one in threading.enumerate() if one is not threading.current_thread()]
        assert any(one.daemon for one in waiting)
    finally:
        over.set()


def test_what_ends_the_program_is_raised_in_the_caller():
    def act(item):
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        list(run(range(3), act))


def test_there_are_fewer_threads_where_no_more_can_be_started(monkeypatch):
    start = threading.Thread.start
    started = []

    def limited(thread):
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)
    most = 2
    assert sorted(one.value for one in run(range(9), abs, parallel=5)) == list(range(9))
    started.clear()
    most = 0
    with pytest.raises(exc.ClientException, match="No thread can be started: can't start new"):
        list(run(range(9), abs, parallel=5))


def test_a_caller_that_stops_reading_waits_for_what_runs():
    started, finished = [], []

    def act(item):
        started.append(item)
        finished.append(item)

    outcomes = run(range(100_000), act, parallel=2)
    next(outcomes)
    outcomes.close()
    assert len(started) == len(finished) < 100_000


@pytest.mark.parametrize(("parallel", "most"), [(0, None), (1, 0), (True, None), ("3", None)])
def test_wrong_numbers_are_refused(parallel, most):
    with pytest.raises(exc.ValidationError, match="has to be an integer above 0"):
        list(run([1], str, parallel=parallel, max_failures=most))


def test_a_pause_of_one_call_delays_the_others():
    slept = []
    now = [0.0]

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    with use_clock(sleep, lambda: now[0]):
        shared = retry.SharedPause()
        shared.extend(2)
        assert slept == [2]
        shared._until = now[0] + 1
        shared.wait()
    assert slept == [2, 1]


def test_a_retry_in_a_thread_holds_all_of_its_work():
    paused, ends = threading.Event(), []

    def sleep(seconds):
        paused.set()
        time.sleep(seconds)

    def act(item):
        if item == 0:
            ends.append(time.monotonic() + 0.05)
            retry.sleep(0.05)
        else:
            paused.wait(10)
        return time.monotonic()

    with use_clock(sleep, time.monotonic):
        outcomes = {one.item: one.value for one in run(range(20), act, parallel=2)}
    # Item 1 may have begun before the pause; all others begin after it.
    assert all(outcomes[item] >= ends[0] for item in range(2, 20))
