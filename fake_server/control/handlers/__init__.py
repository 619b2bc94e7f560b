"""What the controls do, by address; a module registers its handlers when it is imported."""

from ..routing import ROUTES
from . import clock, delays, faults, page, requests, seed, snapshots

__all__ = ["ROUTES", "clock", "delays", "faults", "page", "requests", "seed", "snapshots"]
