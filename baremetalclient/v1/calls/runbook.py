"""Calls for runbooks; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import RunbookChanges, RunbookFields, RunbookFilters
    from baremetalclient.v1.objects import Patch
    from baremetalclient.v1.types import SortDirection


class RunbookCalls(CreateManager[ResourceT]):
    """Calls for runbooks."""

    def iterate(self, **options: Unpack[RunbookFilters]) -> Iterator[ResourceT]:
        """Yield all runbooks that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        runbook_id: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return a runbook.

        :param runbook_id: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(runbook_id, fields, **call)

    def create(self, **fields: Unpack[RunbookFields]) -> ResourceT:  # type: ignore[override]
        """Create a runbook.

        :param fields: its fields, and the options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def update(
        self,
        runbook_id: str | ResourceT,
        patch: Patch | None = None,
        **changes: Unpack[RunbookChanges],
    ) -> ResourceT:
        """Change a runbook, and return it.

        :param runbook_id: its identifier, or the resource.
        :param patch: a JSON patch.
        :param changes: instead of a patch: new values of whole fields, None to remove one; and the
            options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        """
        return self._change(runbook_id, patch, **changes)

    def delete(self, runbook_id: str | ResourceT, **call: Unpack[CallOptions]) -> None:
        """Delete a runbook.

        :param runbook_id: its identifier, or the resource.
        :raises NotFound: if it does not exist.
        """
        self._delete(runbook_id, **call)

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
    ) -> list[ResourceT]:
        """Return the runbooks that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param project: list only runbooks of this project.
        :param public: whether to return only public ones.
        """
        return self._list(
            limit=limit,
            marker=marker,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            project=project,
            public=public,
            **call,
        )
