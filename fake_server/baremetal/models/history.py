"""The history of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.models import paging
from fake_server.baremetal.tables import node_history

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def get(session: Session, uuid: str) -> Record:
    """Return an entry, of any node; raise NotFound if there is none."""
    entry = session.tx.get(node_history, uuid=uuid)
    if entry is None:
        raise errors.NotFound(f"Node history record {uuid} could not be found.")
    return entry


def fetch(session: Session, node: Record, page: paging.Page) -> list[Record]:
    """Return a page of the entries of a node."""
    query = sa.select(node_history).where(node_history.c.node_id == node["id"])
    return paging.fetch(session, node_history, query, page)
