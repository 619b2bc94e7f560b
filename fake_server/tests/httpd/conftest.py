"""Fixtures of listeners: each test with every kind of readiness."""

from __future__ import annotations

import pytest

from fake_server.httpd import listener as listeners
from fake_server.httpd import readiness
from fake_server.tests.httpd.listening import serving


@pytest.fixture(params=[readiness.best, readiness.Portable], ids=["best", "portable"])
def kind_of_readiness(request, monkeypatch):
    monkeypatch.setattr(readiness, "best", request.param)
    monkeypatch.setattr(listeners, "_TICK", 0.05)


@pytest.fixture
def port(kind_of_readiness):
    with serving(reading=0.5, idle=2.0, lingering=0.5) as port:
        yield port
