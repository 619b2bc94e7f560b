"""Calls for inspection rules; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import (
        InspectionRuleChanges,
        InspectionRuleFields,
        InspectionRuleFilters,
    )
    from baremetalclient.v1.objects import Patch
    from baremetalclient.v1.types import InspectionPhase, SortDirection


class InspectionRuleCalls(CreateManager[ResourceT]):
    """Calls for inspection rules."""

    def iterate(self, **options: Unpack[InspectionRuleFilters]) -> Iterator[ResourceT]:
        """Yield all inspection rules that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        rule_id: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return an inspection rule.

        :param rule_id: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(rule_id, fields, **call)

    def create(self, **fields: Unpack[InspectionRuleFields]) -> ResourceT:  # type: ignore[override]
        """Create an inspection rule.

        :param fields: its fields, and the options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def update(
        self,
        rule_id: str | ResourceT,
        patch: Patch | None = None,
        **changes: Unpack[InspectionRuleChanges],
    ) -> ResourceT:
        """Change an inspection rule, and return it.

        :param rule_id: its identifier, or the resource.
        :param patch: a JSON patch.
        :param changes: instead of a patch: new values of whole fields, None to remove one; and the
            options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        """
        return self._change(rule_id, patch, **changes)

    def delete(self, rule_id: str | ResourceT, **call: Unpack[CallOptions]) -> None:
        """Delete an inspection rule.

        :param rule_id: its identifier, or the resource.
        :raises NotFound: if it does not exist.
        """
        self._delete(rule_id, **call)

    def list(
        self,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        *,
        phase: InspectionPhase | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the inspection rules that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param phase: list only rules of this phase.
        """
        return self._list(
            limit=limit,
            marker=marker,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            phase=phase,
            **call,
        )
