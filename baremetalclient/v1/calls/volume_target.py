"""Calls for volume targets; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import (
        VolumeTargetChanges,
        VolumeTargetFields,
        VolumeTargetFilters,
    )
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import Patch
    from baremetalclient.v1.types import SortDirection, VolumeType


class VolumeTargetCalls(CreateManager[ResourceT]):
    """Calls for volume targets."""

    def iterate(self, **options: Unpack[VolumeTargetFilters]) -> Iterator[ResourceT]:
        """Yield all volume targets that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        volume_target_id: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return a volume target.

        :param volume_target_id: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(volume_target_id, fields, **call)

    def create(self, **fields: Unpack[VolumeTargetFields]) -> ResourceT:  # type: ignore[override]
        """Create a volume target.

        :param fields: its fields, and the options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def update(
        self,
        volume_target_id: str | ResourceT,
        patch: Patch | None = None,
        **changes: Unpack[VolumeTargetChanges],
    ) -> ResourceT:
        """Change a volume target, and return it.

        :param volume_target_id: its identifier, or the resource.
        :param patch: a JSON patch.
        :param changes: instead of a patch: new values of whole fields, None to remove one; and the
            options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        """
        return self._change(volume_target_id, patch, **changes)

    def delete(self, volume_target_id: str | ResourceT, **call: Unpack[CallOptions]) -> None:
        """Delete a volume target.

        :param volume_target_id: its identifier, or the resource.
        :raises NotFound: if it does not exist.
        """
        self._delete(volume_target_id, **call)

    def list(
        self,
        node: str | Node | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        *,
        volume_type: VolumeType | None = None,
        volume_id: str | None = None,
        boot_index: int | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the volume targets that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param node: list only targets of this node (name or UUID).
        :param volume_type: list only targets of this type.
        :param volume_id: list only targets of this volume.
        :param boot_index: list only targets with this boot index.
        """
        return self._list(
            node=node,
            limit=limit,
            marker=marker,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            volume_type=volume_type,
            volume_id=volume_id,
            boot_index=boot_index,
            **call,
        )
