"""The handlers of the controls; a module registers its own when it is imported."""

from fake_server.control.handlers import clock, delays, faults, page, requests, seed, snapshots
from fake_server.control.routing import ROUTES

__all__ = ["ROUTES", "clock", "delays", "faults", "page", "requests", "seed", "snapshots"]
