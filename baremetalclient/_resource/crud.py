"""Managers with the calls that most types of resources have: list, get, create, update, delete.

`baremetalclient.v1.calls` writes them out for each type, with its own arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource.arguments import options_from
from baremetalclient._resource.manager import Manager, Operations
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class ListManager(Manager[ResourceT]):
    """The calls for resources that can be listed.

    All lists take these arguments:

    * ``limit``: the maximum number of resources; 0 for all, None for one page of the server.
    * ``marker``: the identifier (the UUID, if resources have one) after which the list begins.
    * ``sort_key`` and ``sort_dir``: the field to sort by, and ``asc`` or ``desc``.
    * ``detail``: whether to return all fields.
    * ``fields``: the names of the fields to return; not together with ``detail``.
    """

    def iterate(self, *args: Any, **options: Any) -> Iterator[ResourceT]:
        """Yield all resources that match, holding one page of the server in memory at a time."""
        return self._iterate(*args, **options)

    def list(self, *args: Any, **arguments: Any) -> list[ResourceT]:
        """Return the resources that match."""
        return self._list(*args, **arguments)


class ReadManager(ListManager[ResourceT]):
    """The calls for resources that have an identifier, too."""

    def get(self, *args: Any, **arguments: Any) -> ResourceT:
        """Return a resource."""
        return self._get(*args, **arguments)


class CreateManager(ReadManager[ResourceT]):
    """The calls for resources that can be created, changed and deleted, too."""

    def create(self, **fields: Any) -> ResourceT:
        """Create a resource."""
        return self._create(**fields)

    def update(self, *args: Any, **arguments: Any) -> ResourceT:
        """Change a resource, and return it."""
        return self._change(*args, **arguments)

    def delete(self, *args: Any, **arguments: Any) -> None:
        """Delete a resource."""
        self._delete(*args, **arguments)

    def _change(
        self, identifier: object, patch: Operations | None = None, **changes: Any
    ) -> ResourceT:
        call = options_from(changes)
        return self._update(identifier, self._patch_of(patch, changes), **call)

    def _patch_of(self, patch: Operations | None, changes: Mapping[str, Any]) -> Operations:
        """Return the patch that was given, or the one that makes changes.

        :param patch: the patch.
        :param changes: new values of whole fields by their names, None to remove one.
        :raises InvalidAttribute: if both are given.
        :raises TypeError: if nothing is given.
        """
        if not changes:
            if patch is None:
                raise TypeError(f"Give a patch, or fields of {self.resource_type.one} by name.")
            return patch
        self._check_fields("a changed", changes, self.resource_type.updatable_names)
        if patch is not None:
            raise exc.InvalidAttribute("A patch and fields cannot be used together.")
        return [
            {"op": "remove", "path": f"/{name}"}
            if value is None
            else {"op": "add", "path": f"/{name}", "value": value}
            for name, value in changes.items()
        ]
