"""What models work with: the transaction of one request, the clock and the settings."""

from __future__ import annotations

from dataclasses import dataclass

from ..clock import Clock
from ..settings import Settings
from ..store import Store, Transaction
from .dialects import Dialect


@dataclass(slots=True)
class Session:
    """The world of one request.

    :param store: where transactions come from.
    :param tx: the request's transaction.
    """

    store: Store
    tx: Transaction
    clock: Clock
    settings: Settings
    dialect: Dialect
