"""Time under control."""

from __future__ import annotations

import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_server.clock import FASTEST, LATEST, Clock


def test_a_manual_clock_stands_still_until_it_is_moved():
    clock = Clock("manual", start=1_700_000_000)
    assert clock.seconds() == clock.seconds() == 1_700_000_000
    clock.advance(90)
    assert clock.now() == datetime(2023, 11, 14, 22, 14, 50)


def test_a_scaled_clock_runs_faster(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1_700_000_000.0)
    clock = Clock("scaled", factor=1000)
    start = clock.seconds()
    monkeypatch.setattr(time, "time", lambda: 1_700_000_002.5)
    assert clock.seconds() - start == 2500


@given(st.lists(st.floats(0, 1e6), max_size=5))
def test_every_move_counts(moves):
    clock = Clock("manual", start=0)
    for seconds in moves:
        clock.advance(seconds)
    assert clock.seconds() == pytest.approx(sum(moves))


@pytest.mark.parametrize("seconds", [-1, float("nan")])
def test_time_does_not_run_backwards(seconds):
    with pytest.raises(ValueError, match="only be moved forward"):
        Clock("manual").advance(seconds)


@given(st.floats(0, 1e11), st.sampled_from(["scaled", "manual"]))
def test_any_clock_has_a_date(seconds, mode):
    clock = Clock(mode, factor=FASTEST, start=LATEST - seconds)
    assert clock.now().year <= 9000
    with pytest.raises(ValueError, match="it ends at"):
        clock.advance(seconds + 1)
