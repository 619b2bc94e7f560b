"""The session of Nova's work: its database, the other services, and the time.

Other services use the same store, so they are asked between transactions, never within one: each
function of a model has a short transaction of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from fake_server.db.store import Transaction

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.compute.cloud import Cloud
    from fake_server.db.store import Store
    from fake_server.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
#: How often a transaction is tried that meets conflicts.
_TURNS = 200


@dataclass(frozen=True, slots=True)
class Session:
    """The database, the other services, the time and the options.

    :param store: database with the schema of :mod:`.tables`.
    """

    store: Store
    cloud: Cloud
    clock: Clock
    settings: Settings

    @property
    def host(self) -> str:
        """The name of the compute service."""
        return f"{self.settings.host}-ironic"


#: A model's function as it is written, and as it is called.
InTransaction = Callable[Concatenate[Transaction, P], T]
WithSession = Callable[Concatenate[Session | Transaction, P], T]


def reader(function: InTransaction[P, T]) -> WithSession[P, T]:
    """Give a model's function that reads a transaction, as oslo.db's enginefacade does.

    :returns: what takes a session, and joins the transaction where it gets one instead.
    """
    return _in_transaction(function, write=False)


def writer(function: InTransaction[P, T]) -> WithSession[P, T]:
    """Give a model's function that writes a transaction; see :func:`reader`."""
    return _in_transaction(function, write=True)


def _in_transaction(function: InTransaction[P, T], *, write: bool) -> WithSession[P, T]:
    @wraps(function)
    def run(opened: Session | Transaction, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if isinstance(opened, Transaction):
            return function(opened, *args, **kwargs)
        # What was asked of other services can't be asked again, so only this is repeated.
        return opened.store.run(lambda tx: function(tx, *args, **kwargs), write=write, turns=_TURNS)

    return run
