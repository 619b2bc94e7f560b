"""What the controls do, by address; a module registers its handlers when it is imported."""

from fake_server.control.handlers import clock, delays, faults, page, requests, seed, snapshots
from fake_server.control.routing import ROUTES

__all__ = ["ROUTES", "clock", "delays", "faults", "page", "requests", "seed", "snapshots"]
