"""Deploy templates: steps that a deployment takes if its instance asks for a trait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import resource_fields
from fake_server.baremetal.models import step_lists
from fake_server.baremetal.models.model import Model
from fake_server.baremetal.tables import deploy_templates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


class _DeployTemplates(Model):
    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Create a template; its steps are returned as they are given, a description isn't kept."""
        row = {name: values[name] for name in values if name != "description"}
        row["steps"] = step_lists.stored(values["steps"], "priority")
        return {**super().create(session, row), "steps": values["steps"]}

    def update(self, session: Session, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change a template and return it as it is then."""
        return super().update(session, row, step_lists.changed(row, changes, "priority"))


DEPLOY_TEMPLATES = _DeployTemplates(
    deploy_templates, resource_fields.DEPLOY_TEMPLATES, "deploy template"
)
