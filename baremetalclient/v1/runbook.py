"""Runbooks: named lists of steps for cleaning and servicing.

API reference, section "Runbooks"; since version 1.92.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._http import urls
from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import (
    NO_CHANGES,
    NO_PATH,
    Feature,
    Field,
    Filter,
    ResourceType,
    SettableField,
)
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import RunbookFields, RunbookFilters
    from baremetalclient.v1.objects import Link, Patch, Step
    from baremetalclient.v1.types import SortDirection


_TRAITS = Feature("runbook traits", v1(112), NO_PATH)

RESOURCE_TYPE = ResourceType(
    name="runbook",
    plural="runbooks",
    path="runbooks",
    list_key="runbooks",
    since=v1(92),
    missing=NO_CHANGES,
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("name", "Name"),
        SettableField("description", "Description", since=v1(112)),
        Field("traits", "Traits", "list", v1(112), sortable=False),
        SettableField("disable_ramdisk", "Disable Ramdisk", "boolean"),
        SettableField("owner", "Owner"),
        SettableField("public", "Public", "boolean"),
        SettableField("steps", "Steps", "list", sortable=False),
        SettableField("extra", "Extra", "object", sortable=False),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "name"),
    filters=(Filter("project"), Filter("public")),
)


class Runbook(Resource):
    """A runbook."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    name: str
    description: str | None
    traits: list[str]
    disable_ramdisk: bool
    owner: str | None
    public: bool
    steps: list[Step]
    extra: dict[str, Any]
    created_at: str
    updated_at: str | None
    links: list[Link]


class RunbookManager(manager.Manager[Runbook]):
    """Calls for runbooks."""

    resource_class = Runbook

    def list(
        self,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        *,
        project: str | None = None,
        public: bool | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Runbook]:
        """Return runbooks; see :class:`.Manager` for the arguments of all lists.

        :param project: only those of this project.
        :param public: whether to return only public runbooks.
        """
        filters = {"project": project, "public": public or None}
        return self._list(filters, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[RunbookFilters]) -> Iterator[Runbook]:
        """Yield all matching runbooks, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

    def get(
        self,
        runbook_id: str | Runbook,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> Runbook:
        """Return a runbook.

        :param runbook_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(runbook_id, fields, **call)

    def create(self, **attributes: Unpack[RunbookFields]) -> Runbook:
        """Create a runbook.

        :param attributes: ``name`` and ``steps``, and any other fields that can be set; and the
            options of every call.
        :raises InvalidAttribute: if a runbook does not have one of the fields.
        :raises Conflict: if the UUID or the name is taken.
        """
        return self._create(**attributes)

    def update(
        self, runbook_id: str | Runbook, patch: Patch, **call: Unpack[CallOptions]
    ) -> Runbook:
        """Change a runbook.

        :param runbook_id: its UUID or name.
        :param patch: a JSON patch.
        :returns: the changed runbook.
        """
        return self._update(runbook_id, patch, **call)

    def delete(self, runbook_id: str | Runbook, **call: Unpack[CallOptions]) -> None:
        """Delete a runbook.

        :param runbook_id: its UUID or name.
        """
        self._delete(runbook_id, **call)

    def get_traits(
        self, runbook_ident: str | Runbook, **call: Unpack[CallOptions]
    ) -> builtins.list[str]:
        """Return the traits of a runbook; since version 1.112.

        :param runbook_ident: the UUID or name of the runbook.
        """
        response = self._call("GET", runbook_ident, "traits", features=[_TRAITS], **call)
        return response.items("traits", str)

    def add_trait(
        self, runbook_ident: str | Runbook, trait: str, **call: Unpack[CallOptions]
    ) -> None:
        """Add a trait to a runbook; since version 1.112.

        :param runbook_ident: the UUID or name of the runbook.
        :param trait: a standard trait, or one that begins with ``CUSTOM_``.
        """
        segment = urls.segment(trait, "trait")
        self._call("PUT", runbook_ident, "traits", segment, features=[_TRAITS], **call)

    def remove_trait(
        self, runbook_ident: str | Runbook, trait: str, **call: Unpack[CallOptions]
    ) -> None:
        """Remove a trait from a runbook; since version 1.112.

        :param runbook_ident: the UUID or name of the runbook.
        :param trait: the trait.
        :raises NotFound: if the runbook does not have it.
        """
        segment = urls.segment(trait, "trait")
        self._call("DELETE", runbook_ident, "traits", segment, features=[_TRAITS], **call)

    def remove_all_traits(self, runbook_ident: str | Runbook, **call: Unpack[CallOptions]) -> None:
        """Remove all traits from a runbook; since version 1.112.

        :param runbook_ident: the UUID or name of the runbook.
        """
        self._call("DELETE", runbook_ident, "traits", features=[_TRAITS], **call)
