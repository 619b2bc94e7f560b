"""The present state of many resources, fetched with as few requests as possible."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from baremetalclient import exc
from baremetalclient._resource.resource import Item, Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from baremetalclient._bulk.kinds import Kind
    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.manager import Manager

ResourceT = TypeVar("ResourceT", bound=Resource)

Polled: TypeAlias = "Mapping[str, Item | None]"
"""Resources by what they were called, None for those that are gone."""

_CHILDREN = "include_children"
_COLONS = 5
"""The colons in a MAC address."""
_FEW = 4
"""The number of resources from which on a list is cheaper than a request for each."""


class Fetcher:
    """Fetches the present state of resources.

    :param names: the fields by which resources are called.
    :param fetch_all: returns all of them; called with the seconds that it may take, None for no
        limit.
    :param fetch: returns one by name, or raises `NotFound`; called with the seconds,
        too. Without it, there is only the list.
    :param complete: whether a resource that is no longer in the list is certainly gone.
    :ivar all: the function that returns all of them.
    """

    def __init__(
        self,
        kind: Kind,
        names: Collection[str],
        fetch_all: Callable[[float | None], Iterable[Item]],
        fetch: Callable[[str, float | None], Item] | None,
        *,
        complete: bool = True,
    ) -> None:
        self.kind = kind
        self._names = names
        self.all = fetch_all
        self._fetch = fetch
        self._complete = complete
        self._listed: set[str] = set()

    def __call__(self, idents: Collection[str], limit: float | None = None) -> Polled:
        """Return the resources by the given names, None for those that are gone.

        :param idents: their names; fewer than four are fetched one by one.
        :param limit: the seconds that each request may take, None for no limit.
        """
        if len(idents) < _FEW and self._fetch is not None:
            return {ident: self._one(ident, limit) for ident in idents}
        found: dict[str, Item | None] = dict.fromkeys(idents)
        # UUIDs and addresses can be written in capitals.
        lowered = {ident.lower(): ident for ident in idents}
        for item in self.all(limit):
            for name in self._names:
                value = item.get(name)
                if not isinstance(value, str):
                    continue
                ident = value if name == "name" else lowered.get(value.lower(), value)
                if ident not in found:
                    continue
                if found[ident] not in (None, item):
                    raise exc.NoUniqueMatch(
                        f"More than one {self.kind.name} exists with the name {ident!r}."
                    )
                found[ident] = item
        # A list may leave out what the user may see all the same, such as other projects' servers.
        for ident in [ident for ident, item in found.items() if item is None]:
            if not self._complete or ident not in self._listed:
                found[ident] = self._one(ident, limit)
        self._listed.update(ident for ident, item in found.items() if item is not None)
        return found

    def _one(self, ident: str, limit: float | None) -> Item | None:
        try:
            return None if self._fetch is None else self._fetch(ident, limit)
        except exc.NotFound:
            return None


def fetcher_of(
    manager: Manager[Any],
    kind: Kind,
    fields: Collection[str] | None = None,
    *,
    needed: Collection[str] = (),
    names: Collection[str] = ("uuid", "name"),
    filters: Mapping[str, Any] | None = None,
    call: CallOptions | None = None,
) -> Fetcher:
    """Return what fetches resources of the Bare Metal service.

    :param fields: the fields to fetch, None for all.
    :param needed: fields to fetch besides, as far as the version in use has them.
    :param names: the fields by which they are called.
    :param filters: arguments of ``list()`` that all of them match at all times.
    """
    resource_type = manager.resource_type

    def wanted() -> list[str] | None:
        if fields is None:
            return None
        version = manager.http.version((call or {}).get("os_ironic_api_version"))
        known = {one.name for one in resource_type.fields if one.since <= version}
        return list(dict.fromkeys((*(one for one in needed if one in known), *fields)))

    def options(limit: float | None) -> dict[str, Any]:
        return {"deadline": limit, **(call or {})}

    def fetch_all(limit: float | None) -> Iterable[Item]:
        detail = bool(resource_type.detail) and fields is None
        given = {"fields": wanted(), **options(limit)}
        return map(vars, list_all(manager, filters or {}, detail=detail, **given))

    def fetch(ident: str, limit: float | None) -> Item:
        by_address = "address" in names and ident.count(":") == _COLONS
        get = partial(manager._get_by, "address") if by_address else manager._get
        found: Item = vars(get(ident, wanted(), **options(limit)))
        return found

    return Fetcher(kind, names, fetch_all, fetch, complete=not filters)


def list_all(
    manager: Manager[ResourceT], filters: Mapping[str, Any], **options: Any
) -> list[ResourceT]:
    """Return all resources that match filters, those that are children of others included.

    :param options: further arguments of the list.
    """
    requested = options.get("os_ironic_api_version")
    for one in manager.resource_type.filters:
        if one.name != _CHILDREN or "parent_node" in filters:
            continue
        # As long as the versions of the server are unknown, it is taken to have children.
        if manager.http.version(requested) < one.since:
            break
        try:
            return manager._list(limit=0, **{_CHILDREN: True}, **filters, **options)
        except exc.UnsupportedVersion:
            if manager.http.version(requested) >= one.since:
                raise
    return manager._list(limit=0, **filters, **options)
