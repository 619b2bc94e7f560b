"""Calls for volume connectors; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import (
        VolumeConnectorChanges,
        VolumeConnectorFields,
        VolumeConnectorFilters,
    )
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import Patch
    from baremetalclient.v1.types import SortDirection, VolumeConnectorType


class VolumeConnectorCalls(CreateManager[ResourceT]):
    """Calls for volume connectors."""

    def iterate(self, **options: Unpack[VolumeConnectorFilters]) -> Iterator[ResourceT]:
        """Yield all volume connectors that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        volume_connector_id: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return a volume connector.

        :param volume_connector_id: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(volume_connector_id, fields, **call)

    def create(self, **fields: Unpack[VolumeConnectorFields]) -> ResourceT:  # type: ignore[override]
        """Create a volume connector.

        :param fields: its fields, and the options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def update(
        self,
        volume_connector_id: str | ResourceT,
        patch: Patch | None = None,
        **changes: Unpack[VolumeConnectorChanges],
    ) -> ResourceT:
        """Change a volume connector, and return it.

        :param volume_connector_id: its identifier, or the resource.
        :param patch: a JSON patch.
        :param changes: instead of a patch: new values of whole fields, None to remove one; and the
            options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        """
        return self._change(volume_connector_id, patch, **changes)

    def delete(self, volume_connector_id: str | ResourceT, **call: Unpack[CallOptions]) -> None:
        """Delete a volume connector.

        :param volume_connector_id: its identifier, or the resource.
        :raises NotFound: if it does not exist.
        """
        self._delete(volume_connector_id, **call)

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
        type: VolumeConnectorType | None = None,
        connector_id: str | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the volume connectors that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param node: list only connectors of this node (name or UUID).
        :param type: list only connectors of this type.
        :param connector_id: list only the connector with this identifier.
        """
        return self._list(
            node=node,
            limit=limit,
            marker=marker,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            type=type,
            connector_id=connector_id,
            **call,
        )
