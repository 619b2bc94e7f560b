"""The handlers of the controls, below ``/_fake``."""

from __future__ import annotations

from fake_server.control.handlers import clock, faults, hardware, page, requests, state
from fake_server.control.operations import Operations

OPERATIONS = Operations(
    [
        *page.OPERATIONS,
        *clock.OPERATIONS,
        *faults.OPERATIONS,
        *hardware.OPERATIONS,
        *requests.OPERATIONS,
        *state.OPERATIONS,
    ]
)
