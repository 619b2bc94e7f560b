"""Calls for shards; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import ListManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import IterateOptions


class ShardCalls(ListManager[ResourceT]):
    """Calls for shards."""

    def iterate(self, **options: Unpack[IterateOptions]) -> Iterator[ResourceT]:
        """Yield all shards that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def list(self, **call: Unpack[CallOptions]) -> list[ResourceT]:
        """Return the shards that match.

        See :class:`.ListManager` for the arguments of all lists.
        """
        return self._list(**call)
