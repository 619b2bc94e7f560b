"""What models work with: the transaction of one request, the clock and the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..clock import Clock
    from ..settings import Settings
    from ..store import Store, Transaction
    from .dialects import Dialect


@dataclass(slots=True)
class Session:
    """The world of one request.

    :param store: where transactions come from.
    :param tx: the request's transaction.
    :param locked: nodes, by ``id``, that the request has locked.
    """

    store: Store
    tx: Transaction
    clock: Clock
    settings: Settings
    dialect: Dialect
    locked: set[int] = field(default_factory=set)
