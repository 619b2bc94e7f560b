"""Calls for ports; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import CreateManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.resource import Resource
    from baremetalclient.v1.arguments import PortChanges, PortFields, PortFilters
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import Patch
    from baremetalclient.v1.types import SortDirection


class PortCalls(CreateManager[ResourceT]):
    """Calls for ports."""

    def iterate(self, **options: Unpack[PortFilters]) -> Iterator[ResourceT]:
        """Yield all ports that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        port_id: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return a port.

        :param port_id: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(port_id, fields, **call)

    def create(self, **fields: Unpack[PortFields]) -> ResourceT:  # type: ignore[override]
        """Create a port.

        :param fields: its fields, and the options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def update(
        self, port_id: str | ResourceT, patch: Patch | None = None, **changes: Unpack[PortChanges]
    ) -> ResourceT:
        """Change a port, and return it.

        :param port_id: its identifier, or the resource.
        :param patch: a JSON patch.
        :param changes: instead of a patch: new values of whole fields, None to remove one; and the
            options of every call.
        :raises InvalidAttribute: if it does not have one of the fields.
        """
        return self._change(port_id, patch, **changes)

    def delete(self, port_id: str | ResourceT, **call: Unpack[CallOptions]) -> None:
        """Delete a port.

        :param port_id: its identifier, or the resource.
        :raises NotFound: if it does not exist.
        """
        self._delete(port_id, **call)

    def list(
        self,
        address: str | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        node: str | Node | None = None,
        portgroup: str | Resource | None = None,
        *,
        shards: Sequence[str] | None = None,
        description_contains: str | None = None,
        conductor_groups: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the ports that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param address: list only the port with this address.
        :param node: list only ports of this node (name or UUID).
        :param portgroup: list only ports of this port group (name or UUID).
        :param shards: list only ports of nodes in one of these shards.
        :param description_contains: list only ports whose description contains this text.
        :param conductor_groups: list only ports of nodes in one of these conductor groups.
        """
        return self._list(
            address=address,
            limit=limit,
            marker=marker,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            node=node,
            portgroup=portgroup,
            shards=shards,
            description_contains=description_contains,
            conductor_groups=conductor_groups,
            **call,
        )
