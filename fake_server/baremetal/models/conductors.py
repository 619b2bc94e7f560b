"""Conductors: the services that work on nodes.

They are simulated: however many the settings name, and however many processes share a database,
this server does the work of all of them. What it keeps of one is since when it is down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.hash_ring import ring_of
from fake_server.baremetal.tables import conductors_down
from fake_server.clock import to_moment
from fake_server.db.queries import Query

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fake_server.baremetal.models.paging import Page
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record, Transaction
    from fake_server.settings import Settings

#: Columns that conductors can be sorted by.
_SORTABLE = ("id", "hostname", "online", "conductor_group", "created_at", "updated_at", "version")
_DOWN = Query(sa.select(conductors_down))


def get(session: Session, hostname: str) -> Record:
    """Return a conductor; raise NotFound for any other host."""
    for record in _all(session):
        if record["hostname"] == hostname:
            return record
    raise errors.NotFound(f"Conductor {hostname} could not be found.")


def fetch(session: Session, page: Page) -> list[Record]:
    """Return a page of the conductors; raise InvalidParameterValue for an unknown sort key."""
    key = page.sort_key or "id"
    if key not in _SORTABLE:
        raise errors.InvalidParameterValue(
            f'The sort_key value "{key}" is an invalid field for sorting'
        )
    descending = page.sort_dir == "desc"
    records = _all(session)
    records.sort(key=lambda record: (record[key], record["id"]), reverse=descending)
    if page.marker:
        names = [record["hostname"] for record in records]
        records = records[names.index(page.marker["hostname"]) + 1 :]
    return records[: page.limit]


def down(tx: Transaction) -> dict[str, float]:
    """Return the conductors that are down, and since when, in seconds since the epoch."""
    return {row["hostname"]: row["since"] for row in tx.ask(_DOWN)}


def set_down(session: Session, hostname: str) -> None:
    """Store that a conductor is down from now on."""
    session.tx.insert(conductors_down, {"hostname": hostname, "since": session.clock.seconds()})
    session.conductors_alive = None


def set_up(session: Session, hostname: str) -> None:
    """Store that a conductor isn't down any more."""
    session.tx.remove(conductors_down, hostname=hostname)
    session.conductors_alive = None


def alive(session: Session) -> frozenset[str]:
    """Return the names of the conductors that aren't down."""
    if session.conductors_alive is None:
        missing = down(session.tx)
        session.conductors_alive = frozenset(
            host.hostname for host in session.settings.conductors if host.hostname not in missing
        )
    return session.conductors_alive


def candidates(settings: Settings, node: Mapping[str, Any]) -> list[str]:
    """Return the conductors that are for the driver and the group of a node, alive or not."""
    return [
        host.hostname
        for host in settings.conductors
        if host.group == node["conductor_group"] and node["driver"] in host.hardware_types
    ]


def host_of(session: Session, node: Mapping[str, Any]) -> str | None:
    """Return the conductor that a node is mapped to, if there is one for its driver and group."""
    living = alive(session)
    hosts = tuple(name for name in candidates(session.settings, node) if name in living)
    if len(hosts) > 1:
        return ring_of(hosts).host_of(node["uuid"])
    return hosts[0] if hosts else None


def require(session: Session, node: Mapping[str, Any], status: int = 404) -> str:
    """Return the conductor that a node is mapped to.

    :param status: that of the error if there is none for its driver and group.
    :raises TemporaryFailure: if no conductor is alive at all.
    :raises NotFound: if none of them is for the node.
    """
    require_any(session)
    host = host_of(session, node)
    if host is None:
        raise no_valid_host(node).with_code(status)
    return host


def no_valid_host(node: Mapping[str, Any]) -> errors.NotFound:
    """Return the error for a node that no conductor is for."""
    return errors.NotFound(
        "No valid host was found. Reason: No conductor service registered which supports driver "
        f'{node["driver"]} for conductor group "{node["conductor_group"]}". Ensure the driver is '
        "valid and enabled."
    )


def require_any(session: Session) -> None:
    """Raise TemporaryFailure if no conductor is alive."""
    if not alive(session):
        raise errors.TemporaryFailure


def hosts_by_driver(session: Session) -> dict[str, list[str]]:
    """Return the conductors that are alive by their hardware types, in alphabetical order."""
    living = alive(session)
    found: dict[str, list[str]] = {}
    for host in session.settings.conductors:
        if host.hostname in living:
            for name in host.hardware_types:
                found.setdefault(name, []).append(host.hostname)
    return dict(sorted(found.items()))


def _all(session: Session) -> list[Record]:
    missing, now = down(session.tx), session.clock.now()
    return [
        {
            "id": number,
            "hostname": host.hostname,
            "conductor_group": host.group,
            "drivers": sorted(host.hardware_types),
            "alive": host.hostname not in missing,
            "online": True,
            "version": "",
            "created_at": now,
            "updated_at": to_moment(missing[host.hostname]) if host.hostname in missing else now,
        }
        for number, host in enumerate(session.settings.conductors)
    ]
