"""Runbooks: steps for cleaning or servicing that nodes with certain traits may go through.

Records have the columns of their table and ``traits``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.models import paging, rows, step_lists
from fake_server.baremetal.tables import runbook_traits, runbooks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def get_by_uuid(session: Session, uuid: str) -> Record:
    """Return a runbook; raise NotFound if there is none with this UUID."""
    return _found(session, uuid, uuid=uuid)


def get_by_name(session: Session, name: str) -> Record:
    """Return a runbook by its name; raise NotFound if there is none."""
    return _found(session, name, name=name)


def fetch(
    session: Session, page: paging.Page, *, visible_to: str | None = None, public: bool = False
) -> list[Record]:
    """Return a page of the runbooks.

    :param visible_to: the project whose runbooks and public ones are wanted; all without it.
    :param public: only public ones.
    """
    statement = sa.select(runbooks)
    if visible_to is not None:
        statement = statement.where(
            sa.or_(runbooks.c.owner == visible_to, runbooks.c.public.is_(True))
        )
    elif public:
        statement = statement.where(runbooks.c.public.is_(True))
    return _with_traits(session, paging.fetch(session, runbooks, statement, page))


def create(session: Session, values: Mapping[str, Any]) -> Record:
    """Create a runbook.

    :param values: columns; ``name`` and ``steps`` have to be there.
    :raises AlreadyExists: when it isn't unique.
    """
    row = {
        **values,
        "public": bool(values.get("public")),
        "disable_ramdisk": bool(values.get("disable_ramdisk")),
        "steps": step_lists.stored(values["steps"], "order"),
    }
    uuid = rows.insert(session, runbooks, row, "A runbook")
    return get_by_uuid(session, uuid)


def update(session: Session, runbook: Record, changes: Mapping[str, Any]) -> Record:
    """Change a runbook and return it as it is then; raise AlreadyExists if its name is taken."""
    values = step_lists.changed(runbook, changes, "order")
    return rows.update(session, runbooks, runbook, values, "A runbook")


def delete(session: Session, runbook: Record) -> None:
    """Remove a runbook and its traits."""
    session.tx.delete(runbooks, runbooks.c.id == runbook["id"])


def replace_traits(session: Session, runbook: Record, traits: Iterable[str]) -> None:
    """Set the runbook's traits."""
    remove_all_traits(session, runbook)
    for trait in sorted(set(traits)):
        session.tx.insert(runbook_traits, {"runbook_id": runbook["id"], "trait": trait})


def add_trait(session: Session, runbook: Record, trait: str) -> None:
    """Add a trait; one that the runbook has already is fine."""
    if trait not in runbook["traits"]:
        session.tx.insert(runbook_traits, {"runbook_id": runbook["id"], "trait": trait})


def remove_trait(session: Session, runbook: Record, trait: str) -> None:
    """Remove a trait; one that the runbook doesn't have is fine."""
    table = runbook_traits
    session.tx.delete(table, table.c.runbook_id == runbook["id"], table.c.trait == trait)


def remove_all_traits(session: Session, runbook: Record) -> None:
    """Remove all traits."""
    session.tx.delete(runbook_traits, runbook_traits.c.runbook_id == runbook["id"])


def _found(session: Session, ident: str, **match: Any) -> Record:
    runbook = session.tx.get(runbooks, **match)
    if runbook is None:
        raise errors.NotFound(f"Runbook {ident} could not be found.")
    return _with_traits(session, [runbook])[0]


def _with_traits(session: Session, rows: Sequence[Record]) -> list[Record]:
    traits: dict[int, list[str]] = {row["id"]: [] for row in rows}
    table = runbook_traits
    query = sa.select(table).where(table.c.runbook_id.in_(list(traits))).order_by(table.c.trait)
    for row in session.tx.all(query):
        traits[row["runbook_id"]].append(row["trait"])
    return [{**row, "traits": traits[row["id"]]} for row in rows]
