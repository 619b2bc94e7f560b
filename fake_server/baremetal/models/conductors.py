"""Conductors: the services that work on nodes.

There is one, this server; however many processes share a database, they act as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.errors import InvalidParameterValue, NotFound

if TYPE_CHECKING:
    from fake_server.baremetal.models.paging import Page
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

#: Columns that conductors can be sorted by.
_SORTABLE = ("id", "hostname", "online", "conductor_group", "created_at", "updated_at", "version")


def get(session: Session, hostname: str) -> Record:
    """Return a conductor; raise NotFound for any other host."""
    if hostname != session.settings.host:
        raise NotFound(f"Conductor {hostname} could not be found.")
    now = session.clock.now()
    return {
        "hostname": hostname,
        "conductor_group": "",
        "drivers": sorted(session.settings.hardware_types),
        "alive": True,
        "created_at": now,
        "updated_at": now,
    }


def fetch(session: Session, page: Page) -> list[Record]:
    """Return a page of the conductors; raise InvalidParameterValue for an unknown sort key."""
    if page.sort_key and page.sort_key not in _SORTABLE:
        raise InvalidParameterValue(
            f'The sort_key value "{page.sort_key}" is an invalid field for sorting'
        )
    return [] if page.marker else [get(session, session.settings.host)]
