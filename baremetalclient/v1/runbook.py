"""Runbooks: named lists of steps for cleaning and servicing.

API reference, section "Runbooks"; since version 1.92.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._http import urls
from baremetalclient._resource.fields import Filter, field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import NO_CHANGES, NO_PATH, ResourceType
from baremetalclient.microversion import Feature, v1
from baremetalclient.v1.calls.runbook import RunbookCalls

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.objects import Link, Step


_TRAITS = Feature("runbook traits", v1(112), NO_PATH)


class Runbook(Resource):
    """A runbook."""

    __slots__ = ()
    resource_type = ResourceType(
        name="runbook",
        path="runbooks",
        since=v1(92),
        missing=NO_CHANGES,
        listed=("uuid", "name"),
        list_arguments=("limit", "marker", "sort_key", "sort_dir", "detail", "fields"),
        filters=(
            Filter("project", "List only runbooks of this project."),
            Filter("public", "Whether to return only public ones.", "bool | None", nothing=False),
        ),
    )

    uuid: str = field("UUID of the runbook.", creatable=True)
    name: str = settable("Name of the runbook, which is a trait.", required=True)
    description: str | None = settable("Description of the runbook.", since=v1(112))
    traits: list[str] = field("Traits, of which a node has to have one.", since=v1(112))
    disable_ramdisk: bool = settable("Whether the steps run without booting the ramdisk.")
    owner: str | None = settable("Project that owns the runbook.")
    public: bool = settable("Whether all projects may use the runbook.")
    steps: list[Step] = settable("Steps, in their order.", given="Steps", required=True)
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    created_at: str = field("Time of its creation.")
    updated_at: str | None = field("Time of its last change.")
    links: list[Link] = field("Links to the runbook.", detailed=False)


class RunbookManager(RunbookCalls[Runbook]):
    """Calls for runbooks."""

    resource_class = Runbook

    def get_traits(self, runbook_ident: str | Runbook, **call: Unpack[CallOptions]) -> list[str]:
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
