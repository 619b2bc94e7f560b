"""The session of Nova's work: its database, the other services, and the time.

Other services use the same store, so they are asked between transactions, never within one. A
request that asks none has one transaction for all that it reads, decides and writes; in others each
function of a model has a short one of its own, and decides what it writes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
    :param others: the other services.
    :param tx: the transaction of a request that asks none of them.
    """

    store: Store
    others: Cloud
    clock: Clock
    settings: Settings
    tx: Transaction | None = None

    def within(self, tx: Transaction) -> Session:
        """Return the session of a request that has a transaction for itself."""
        return replace(self, tx=tx)

    @property
    def cloud(self) -> Cloud:
        """The other services."""
        if self.tx is not None:
            raise AssertionError("Another service can't be asked within a transaction.")
        return self.others

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
        if not isinstance(opened, Transaction):
            if opened.tx is None:
                # What was asked of other services can't be asked again: this alone is repeated.
                return opened.store.run(
                    lambda tx: function(tx, *args, **kwargs),
                    write=write,
                    serializable=True,
                    turns=_TURNS,
                )
            opened = opened.tx
        return function(opened, *args, **kwargs)

    return run
