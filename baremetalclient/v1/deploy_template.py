"""Deploy templates: deploy steps that are selected by a trait.

API reference, section "Deploy Templates"; since version 1.55.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.fields import field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import NO_CHANGES, ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.calls.deploy_template import DeployTemplateCalls

if TYPE_CHECKING:
    from baremetalclient.v1.objects import Link, Step


class DeployTemplate(Resource):
    """A deploy template."""

    __slots__ = ()
    resource_type = ResourceType(
        name="deploy template",
        path="deploy_templates",
        since=v1(55),
        missing=NO_CHANGES,
        identified_by="template_id",
        listed=("uuid", "name"),
        list_arguments=("limit", "marker", "sort_key", "sort_dir", "detail", "fields"),
    )

    uuid: str = field("UUID of the deploy template.", creatable=True)
    name: str = settable("Name of the deploy template, which is a trait.", required=True)
    steps: list[Step] = settable("Deploy steps.", given="Steps", required=True)
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    created_at: str = field("Time of its creation.")
    updated_at: str | None = field("Time of its last change.")
    links: list[Link] = field("Links to the deploy template.", detailed=False)


class DeployTemplateManager(DeployTemplateCalls[DeployTemplate]):
    """Calls for deploy templates."""

    resource_class = DeployTemplate
