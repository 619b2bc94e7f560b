"""Deploy templates: deploy steps that a trait asks for.

API reference, section "Deploy Templates"; since version 1.55.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import manager
from baremetalclient._resource.schema import Field, Resource
from baremetalclient.microversion import Version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions


RESOURCE = Resource(
    name="deploy template",
    plural="deploy templates",
    path="deploy_templates",
    list_key="deploy_templates",
    since=Version(1, 55),
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        Field("name", "Name", creatable=True, updatable=True),
        Field("steps", "Steps", "list", sortable=False, creatable=True, updatable=True),
        Field("extra", "Extra", "object", sortable=False, creatable=True, updatable=True),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "name"),
)


class DeployTemplate(manager.View):
    """A deploy template."""

    __slots__ = ()
    resource = RESOURCE


class DeployTemplateManager(manager.Manager[DeployTemplate]):
    """Calls about deploy templates."""

    resource = RESOURCE
    view = DeployTemplate

    def list(
        self,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[DeployTemplate]:
        """Return deploy templates.

        :param limit: how many at most; 0 for all, None for one page of the server.
        :param marker: the UUID after which to begin.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param call: the options of every call.
        :raises InvalidAttribute: if both details and certain fields are asked for.
        """
        return self._list(
            {},
            limit,
            marker,
            sort_key,
            sort_dir,
            detail=detail,
            fields=fields,
            **call,
        )

    def get(
        self, template_id: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> DeployTemplate:
        """Return a deploy template.

        :param template_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :param call: the options of every call.
        :raises NotFound: if there is none.
        """
        return self._get(template_id, fields, **call)

    def create(self, **attributes: Any) -> DeployTemplate:
        """Create a deploy template.

        :param attributes: ``name``, which is a trait, and ``steps``, maybe ``extra`` and ``uuid``;
            besides, the options of every call.
        :raises InvalidAttribute: if a deploy template has no such field.
        :raises Conflict: if the UUID or the name is taken.
        """
        return self._create(attributes)

    def update(
        self, template_id: str, patch: manager.Patch, **call: Unpack[CallOptions]
    ) -> DeployTemplate:
        """Change a deploy template.

        :param template_id: its UUID or name.
        :param patch: a JSON patch.
        :param call: the options of every call.
        :returns: the deploy template as it is afterwards.
        """
        return self._update(template_id, patch, **call)

    def delete(self, template_id: str, **call: Unpack[CallOptions]) -> None:
        """Delete a deploy template.

        :param template_id: its UUID or name.
        :param call: the options of every call.
        """
        self._delete(template_id, **call)
