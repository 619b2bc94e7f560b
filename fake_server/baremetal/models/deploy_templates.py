"""Deploy templates: steps that a deployment takes if its instance asks for a trait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.models import paging, rows, step_lists
from fake_server.baremetal.tables import deploy_templates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def get_by_uuid(session: Session, uuid: str) -> Record:
    """Return a template; raise NotFound if there is none with this UUID."""
    return _found(session, uuid, uuid=uuid)


def get_by_name(session: Session, name: str) -> Record:
    """Return a template by its name, which is a trait; raise NotFound if there is none."""
    return _found(session, name, name=name)


def fetch(session: Session, page: paging.Page) -> list[Record]:
    """Return a page of the templates."""
    return paging.fetch(session, deploy_templates, sa.select(deploy_templates), page)


def create(session: Session, values: Mapping[str, Any]) -> Record:
    """Create a template; its steps are returned as they are given.

    :param values: columns; ``name`` and ``steps`` at least. A description isn't kept.
    :raises AlreadyExists: when it isn't unique.
    """
    row = {name: values[name] for name in values if name != "description"}
    row["steps"] = step_lists.stored(values["steps"], "priority")
    uuid = rows.insert(session, deploy_templates, row, "A deploy template")
    return {**get_by_uuid(session, uuid), "steps": values["steps"]}


def update(session: Session, template: Record, changes: Mapping[str, Any]) -> Record:
    """Change a template and return it as it is then; raise AlreadyExists if its name is taken."""
    values = step_lists.changed(template, changes, "priority")
    return rows.update(session, deploy_templates, template, values, "A deploy template")


def delete(session: Session, template: Record) -> None:
    """Remove a template."""
    session.tx.delete(deploy_templates, deploy_templates.c.id == template["id"])


def _found(session: Session, ident: str, **match: Any) -> Record:
    template = session.tx.get(deploy_templates, **match)
    if template is None:
        raise errors.NotFound(f"Deploy template {ident} could not be found.")
    return template
