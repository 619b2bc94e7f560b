"""Calls for drivers; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import ListManager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import DriverFilters
    from baremetalclient.v1.types import DriverType


class DriverCalls(ListManager[ResourceT]):
    """Calls for drivers."""

    def iterate(self, **options: Unpack[DriverFilters]) -> Iterator[ResourceT]:
        """Yield all drivers that match, holding one page of the server at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        return self._iterate(**options)

    def list(
        self,
        driver_type: DriverType | None = None,
        detail: bool | None = None,
        *,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the drivers that match.

        See :class:`.ListManager` for the arguments of all lists.

        :param driver_type: only those of this type, classic or dynamic.
        :param detail: whether to return all fields.
        """
        return self._list(driver_type=driver_type, detail=detail, fields=fields, **call)
