"""Lists, fetched page by page.

The ``next`` link of Ironic lacks most filters, so only its marker is used and each page is
requested with all filters. Filters that a server refuses are applied by the client, so that the
result is the same.
"""

from __future__ import annotations

import warnings
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.error_responses import refused_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from baremetalclient._http.baremetal import HTTPClient
    from baremetalclient._http.response import Response
    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.fields import Filter
    from baremetalclient._resource.resource import Item
    from baremetalclient._resource.schema import ResourceType
    from baremetalclient.microversion import Feature

Keep: TypeAlias = "Callable[[list[Item]], list[Item]]"


class Listing(NamedTuple):
    """A list to fetch.

    :param path: the path from ``/v1`` on.
    :param parameters: the query, without limit and marker.
    :param marker: the identifier after which the list begins, None for the start.
    :param filters: the filters and their values, which are in the query too.
    :param features: the features that the version of the API has to have.
    """

    http: HTTPClient
    resource_type: ResourceType
    path: str
    parameters: dict[str, urls.QueryValue]
    marker: str | None
    filters: Sequence[tuple[Filter, Any]]
    features: Sequence[Feature]
    call: CallOptions

    def collect(self, limit: int | None) -> list[Item]:
        """Return the items; the deadline is for all pages together.

        :param limit: the maximum number of items; 0 for all, None for one page of the server.
        """
        call = self.call | {"deadline": self.http.start_deadline(self.call.get("deadline"))}
        listing = self._replace(call=call)
        if limit is None:
            return listing._one_page()
        return list(islice(listing.iterate(limit), limit or None))

    def iterate(self, limit: int = 0) -> Iterator[Item]:
        """Yield all items; only one page is held in memory at a time.

        The deadline is for each page, since the caller decides when the next one is fetched.

        :param limit: the maximum number of items to ask for, 0 for all.
        """
        for page in self._pages(limit or None):
            yield from page.items

    def _one_page(self) -> list[Item]:
        pages = self._pages(None)
        first = next(pages)
        if first.next_marker is None:
            return first.items
        size, items = first.size, list(first.items)
        if not first.filtered:
            self._warn(size)
            return items
        for page in pages:
            items += page.items
            if len(items) > size:
                self._warn(size)
                break
        return items[:size]

    def _warn(self, size: int) -> None:
        kind = self.resource_type
        first = kind.name if size == 1 else f"{size} {kind.plural}"
        warnings.warn(
            f"The list has only the first {first}, one page of the server; there "
            "are more. Use a limit of 0 for all of them, or a limit above 0 for that "
            "many.",
            exc.MoreResultsWarning,
            stacklevel=7,
        )

    def _pages(self, limit: int | None) -> Iterator[Page]:
        """Yield the pages, with the limit in the query unless the client has to filter."""
        parameters = dict(self.parameters)
        keep: Keep = _keep_all
        refused: list[tuple[Filter, Any]] = []
        marker, seen = self.marker, {self.marker}
        remaining = limit
        while True:
            query = {**parameters, "limit": remaining, "marker": marker}
            try:
                page = self._page(query, keep)
            except exc.BadRequest as error:
                refused += self._refused(error, parameters)
                parameters, keep = self._without(refused)
                remaining = None
                continue
            yield page
            if page.next_marker is None:
                return
            if page.next_marker in seen:
                raise exc.InvalidResponse(
                    f"Endless list of {self.resource_type.plural}: the server sent the page after "
                    f"{page.next_marker!r} twice."
                )
            marker = page.next_marker
            seen.add(marker)
            if remaining is not None:
                remaining -= page.size
                if remaining <= 0:
                    return

    def _page(self, parameters: dict[str, urls.QueryValue], keep: Keep) -> Page:
        response = self.http.request(
            "GET", self.path + urls.query(parameters), features=self.features, **self.call
        )
        body = response.object()
        items = self._list_of(response, body, parameters)
        marker = self._marker_of(response, body.get("next"))
        if marker is not None and not items:
            raise response.invalid("a page of a list: it is empty and has a link to a next page")
        return Page(keep(items), marker, len(items), keep is not _keep_all)

    def _list_of(
        self, response: Response, body: Item, parameters: Mapping[str, urls.QueryValue]
    ) -> list[Item]:
        kind = self.resource_type
        for key in (kind.list_key, *kind.other_list_keys):
            items = body.get(key)
            if isinstance(items, list) and all(type(item) is dict for item in items):
                break
        else:
            raise response.invalid(f"a list of {kind.plural}, which {kind.list_key!r} should hold")
        asked = parameters.get("fields")
        names = asked if isinstance(asked, list) else None
        for item in items:
            if flaw := kind.flaw_in(item, names):
                raise response.invalid(f"a list of {kind.plural}: one {flaw}")
        return items

    def _marker_of(self, response: Response, link: object) -> str | None:
        if link in (None, ""):
            return None
        if not isinstance(link, str):
            raise response.invalid("a page of a list: its link to the next page is not text")
        if not urls.same_host(link, self.http.endpoint):
            raise exc.InvalidResponse(
                f"The link to the next page of {self.resource_type.plural}, "
                f"{urls.without_credentials(link)!r}, leads to another server than the endpoint "
                f"{urls.without_credentials(self.http.endpoint)}, so it was not followed."
            )
        marker = urls.query_value(link, "marker")
        if not marker:
            raise response.invalid("a page of a list: its link to the next page has no marker")
        return marker

    def _refused(
        self, error: exc.BadRequest, sent: dict[str, urls.QueryValue]
    ) -> list[tuple[Filter, Any]]:
        """Return the filters that the server refused, if the client can apply all of them."""
        names = refused_arguments(error)
        refused = [
            item
            for item in self.filters
            if item[0].argument in names & set(sent) and item[0].field is not None
        ]
        if not refused or names - {item[0].argument for item in refused}:
            raise error
        return refused

    def _without(
        self, filters: list[tuple[Filter, Any]]
    ) -> tuple[dict[str, urls.QueryValue], Keep]:
        """Return a query without some filters, and a function that applies them to its response."""
        removed = {item[0].argument for item in filters}
        parameters = {name: value for name, value in self.parameters.items() if name not in removed}
        needed = {item[0].field for item in filters if item[0].field is not None}
        fields = parameters.get("fields")
        extra: set[str] = set()
        if isinstance(fields, list):
            extra = needed - set(fields)
        elif not needed <= set(self.resource_type.listed) and not self._detailed:
            fields = list(self.resource_type.listed)
            extra = needed - set(fields)
        if extra:
            parameters["fields"] = [*fields, *sorted(extra)]  # type: ignore[misc]

        def keep(items: list[Item]) -> list[Item]:
            kept = [
                item
                for item in items
                if all(one.accepts(item.get(one.field or ""), value) for one, value in filters)
            ]
            for item in kept:
                for name in extra:
                    item.pop(name, None)
            return kept

        return parameters, keep

    @property
    def _detailed(self) -> bool:
        return "detail" in self.parameters or self.path.endswith("/detail")


class Page(NamedTuple):
    """A page of a list.

    :param items: the items that match all filters.
    :param next_marker: the marker of the next page, None for the last page.
    :param size: the number of items that the server sent.
    :param filtered: whether the client has filtered them.
    """

    items: list[Item]
    next_marker: str | None
    size: int
    filtered: bool


def checked_limit(limit: object) -> int | None:
    """Return a limit, checked.

    :raises ValidationError: unless it is None, 0 or a positive integer.
    """
    if isinstance(limit, str) and limit.isascii() and limit.isdigit():
        limit = int(limit)
    if limit is None or (type(limit) is int and limit >= 0):
        return limit
    raise exc.ValidationError(
        f"Invalid limit {limit!r}. Use an integer above 0, 0 for all, or None for one page of the "
        "server."
    )


def _keep_all(items: list[Item]) -> list[Item]:
    return items
