"""Lists: limit, marker, order, the chosen fields and the link to the next page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions
from fake_server.baremetal.errors import ApiError, InvalidParameterValue, NotFound
from fake_server.baremetal.models.paging import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

MAX_LIMIT = 1000


def page(limit: int | None, sort_key: str, sort_dir: str, unsortable: Iterable[str]) -> Page:
    """Return the page that a request asks for, still without its marker.

    :param unsortable: fields that can't be sorted by.
    :raises ApiError: for an invalid limit, direction or key.
    """
    if limit is not None and limit <= 0:
        raise ApiError("Limit must be positive")
    if sort_dir not in ("asc", "desc"):
        raise ApiError(f"Invalid sort direction: {sort_dir}. Acceptable values are 'asc' or 'desc'")
    check_sortable(sort_key, unsortable)
    return Page(min(limit or MAX_LIMIT, MAX_LIMIT), None, sort_key, sort_dir)


def check_sortable(sort_key: str, unsortable: Iterable[str]) -> None:
    """Raise InvalidParameterValue if a list can't be sorted by a field."""
    if sort_key in unsortable:
        raise InvalidParameterValue(
            f"The sort_key value {sort_key} is an invalid field for sorting"
        )


def collection(
    ctx: Context,
    key: str,
    rows: Sequence[Record],
    shown: list[dict[str, Any]],
    limit: int,
    resource: str,
    fields: Sequence[str] | None,
    *,
    key_field: str = "uuid",
    **following: Any,
) -> dict[str, Any]:
    """Return the answer of a list.

    :param key: name of the list in the answer.
    :param shown: what is shown of the rows.
    :param limit: number of rows asked for; a page that is full has a link to the next one.
    :param resource: address of the list, for that link.
    :param fields: fields that were asked for.
    :param key_field: what marks a row.
    :param following: the rest of that link's query.
    """
    answer: dict[str, Any] = {key: shown}
    if rows and len(rows) == limit:
        if fields:
            following["fields"] = ",".join(fields)
        query = "".join(f"{name}={value}&" for name, value in following.items())
        marker = rows[-1][key_field]
        answer["next"] = f"{ctx.base_url}/v1/{resource}?{query}limit={limit}&marker={marker}"
    return answer


def answer(
    ctx: Context,
    key: str,
    rows: Sequence[Record],
    show: Callable[[Context, Record], dict[str, Any]],
    page: Page,
    fields: Sequence[str] | None,
    detail: bool | None,
    *,
    resource: str | None = None,
    key_field: str = "uuid",
    **first: Any,
) -> dict[str, Any]:
    """Return the answer of a list that can be asked for some fields, or for all.

    :param show: returns the whole representation of a row.
    :param detail: whether all were asked for; the link to the next page says so, too.
    :param resource: address of the list, where that isn't the key.
    :param first: what that link's query begins with; see :func:`collection` for the rest.
    :raises InvalidParameterValue: for fields that the rows don't have.
    """
    shown = [chosen(show(ctx, row), fields) for row in rows]
    following = {**first, "sort_key": page.sort_key, "sort_dir": page.sort_dir}
    if detail is not None:
        following["detail"] = detail
    where = resource or key
    return collection(
        ctx, key, rows, shown, page.limit, where, fields, key_field=key_field, **following
    )


def check_parent(ctx: Context, resource: str) -> None:
    """Raise NotFound for a detailed list anywhere but directly below its resource."""
    if ctx.request.path.split("/")[-2] != resource:
        raise NotFound()


def choose_fields(
    ctx: Context, fields: list[str] | None, detail: bool | None, default: Sequence[str]
) -> list[str] | None:
    """Return the fields to show; ``None`` for all.

    :param default: those of a list that asked for nothing.
    :raises InvalidParameterValue: for ``detail`` before 1.43 or together with ``fields``.
    """
    if detail is not None and ctx.minor < microversions.DETAIL_QUERY:
        raise InvalidParameterValue(f"Invalid query parameter ?detail={detail} received.")
    if fields is not None and detail:
        raise InvalidParameterValue("Can not specify ?detail=True and fields in the same request.")
    if fields is None and not detail:
        return list(default)
    return fields


def only(item: dict[str, Any], fields: Iterable[str] | None) -> dict[str, Any]:
    """Return what is shown when only some fields were asked for: those and ``links``.

    :param fields: ``None`` for all.
    """
    if fields is None:
        return item
    return {name: item[name] for name in item if name in fields or name == "links"}


def check_known(fields: Iterable[str], item: dict[str, Any]) -> None:
    """Raise InvalidParameterValue for fields that a resource doesn't have, naming them."""
    unknown = set(fields) - set(item)
    if unknown:
        raise InvalidParameterValue(f'Field(s) "{", ".join(unknown)}" are not valid')


def chosen(item: dict[str, Any], fields: Iterable[str] | None) -> dict[str, Any]:
    """Return what :func:`only` does; raise InvalidParameterValue for fields that aren't there."""
    check_known(fields or (), item)
    return only(item, fields)
