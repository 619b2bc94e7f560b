"""Deploy templates: deploy steps that are selected by a trait.

API reference, section "Deploy Templates"; since version 1.55.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import NO_CHANGES, Field, ResourceType, SettableField
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import DeployTemplateFields, IterateOptions
    from baremetalclient.v1.objects import Link, Patch, Step
    from baremetalclient.v1.types import SortDirection


RESOURCE_TYPE = ResourceType(
    name="deploy template",
    plural="deploy templates",
    path="deploy_templates",
    list_key="deploy_templates",
    since=v1(55),
    missing=NO_CHANGES,
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("name", "Name"),
        SettableField("steps", "Steps", "list", sortable=False),
        SettableField("extra", "Extra", "object", sortable=False),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "name"),
)


class DeployTemplate(Resource):
    """A deploy template."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    name: str
    steps: list[Step]
    extra: dict[str, Any]
    created_at: str
    updated_at: str | None
    links: list[Link]


class DeployTemplateManager(manager.Manager[DeployTemplate]):
    """Calls for deploy templates."""

    resource_class = DeployTemplate

    def list(
        self,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[DeployTemplate]:
        """Return deploy templates; see :class:`.Manager` for the arguments of all lists."""
        return self._list({}, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[IterateOptions]) -> Iterator[DeployTemplate]:
        """Yield all deploy templates, holding one page of the server in memory at a time.

        :param options: the arguments of all lists but ``limit``, and the options of every call.
        """
        return self._iterate(**options)

    def get(
        self,
        template_id: str | DeployTemplate,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> DeployTemplate:
        """Return a deploy template.

        :param template_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(template_id, fields, **call)

    def create(self, **attributes: Unpack[DeployTemplateFields]) -> DeployTemplate:
        """Create a deploy template.

        :param attributes: ``name``, which is a trait, and ``steps``, optionally ``extra`` and
            ``uuid``; and the options of every call.
        :raises InvalidAttribute: if a deploy template does not have one of the fields.
        :raises Conflict: if the UUID or the name is taken.
        """
        return self._create(**attributes)

    def update(
        self, template_id: str | DeployTemplate, patch: Patch, **call: Unpack[CallOptions]
    ) -> DeployTemplate:
        """Change a deploy template.

        :param template_id: its UUID or name.
        :param patch: a JSON patch.
        :returns: the changed deploy template.
        """
        return self._update(template_id, patch, **call)

    def delete(self, template_id: str | DeployTemplate, **call: Unpack[CallOptions]) -> None:
        """Delete a deploy template.

        :param template_id: its UUID or name.
        """
        self._delete(template_id, **call)
