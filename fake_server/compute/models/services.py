"""Nova's services, and what administrators have set of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.compute.session import reader, writer
from fake_server.compute.tables import services

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

COMPUTE = "nova-compute"
BINARIES = ("nova-conductor", "nova-scheduler", COMPUTE)


def uuid(binary: str) -> str:
    """Return the UUID of a service."""
    return str(uuid5(NAMESPACE_URL, f"fake:compute-service:{binary}"))


@reader
def get_all(tx: Transaction) -> list[Record]:
    """Return all services."""
    stored = {row["binary"]: row for row in tx.rows(services, "number")}
    default = {"disabled": False, "disabled_reason": None, "forced_down": False}
    return [stored.get(binary, {"binary": binary, **default}) for binary in BINARIES]


@reader
def compute(tx: Transaction) -> Record:
    """Return the compute service."""
    return get_all(tx)[-1]


@reader
def takes_servers(tx: Transaction) -> bool:
    """Return whether new servers may be built by the compute service."""
    row = compute(tx)
    return not (row["disabled"] or row["forced_down"])


@writer
def update(tx: Transaction, changes: dict[str, Any]) -> Record:
    """Change the compute service, the only one that can be changed, and return it."""
    if not tx.update(services, [services.c.binary == COMPUTE], changes):
        tx.insert(services, {"binary": COMPUTE, **changes})
    return compute(tx)
