"""Calls for conductors; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import ReadManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import IterateOptions
    from baremetalclient.v1.types import SortDirection


class ConductorCalls(ReadManager[ResourceT]):
    """Calls for conductors."""

    def iterate(self, **options: Unpack[IterateOptions]) -> Iterator[ResourceT]:
        """Yield all conductors that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def get(
        self,
        hostname: str | ResourceT,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return a conductor.

        :param hostname: its identifier, or the resource.
        :param fields: the names of the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(hostname, fields, **call)

    def list(
        self,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        fields: Sequence[str] | None = None,
        detail: bool = False,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the conductors that match.

        See :class:`.ListManager` for the arguments of all lists.
        """
        return self._list(
            marker=marker,
            limit=limit,
            sort_key=sort_key,
            sort_dir=sort_dir,
            fields=fields,
            detail=detail,
            **call,
        )
