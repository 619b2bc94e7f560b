"""Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
from types import SimpleNamespace

import pytest

from baremetalclient.osc.interrupts import Interrupts


@pytest.fixture
def handler(request):
    """Set how SIGINT is handled, for one test."""
    previous = signal.signal(signal.SIGINT, request.param)
    yield request.param
    signal.signal(signal.SIGINT, previous)


@pytest.mark.parametrize(
    ("handler", "noted"),
    [(signal.default_int_handler, True), (signal.SIG_IGN, False)],
    indirect=["handler"],
)
def test_it_is_noted_unless_it_is_ignored_as_in_the_background(handler, noted):
    with Interrupts(SimpleNamespace(stderr=io.StringIO())) as interrupted:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupted() is noted
    assert signal.getsignal(signal.SIGINT) is handler
