"""Lists: limit, marker, order, the chosen fields and the link to the next page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..store import Record
from . import microversions
from .context import Context
from .errors import ApiError, InvalidParameterValue
from .models.paging import Page

MAX_LIMIT = 1000


def page(limit: int | None, sort_key: str, sort_dir: str, unsortable: Iterable[str]) -> Page:
    """Return the page that a request asks for, still without its marker.

    :param unsortable: fields that can't be sorted by.
    :raises ApiError: for a limit, direction or key that can't be.
    """
    if limit is not None and limit <= 0:
        raise ApiError("Limit must be positive")
    if sort_dir not in ("asc", "desc"):
        raise ApiError(f"Invalid sort direction: {sort_dir}. Acceptable values are 'asc' or 'desc'")
    if sort_key in unsortable:
        raise unsortable_key(sort_key)
    return Page(min(limit or MAX_LIMIT, MAX_LIMIT), None, sort_key, sort_dir)


def unsortable_key(sort_key: str) -> InvalidParameterValue:
    """Return the error for a field that can't be sorted by."""
    return InvalidParameterValue(f"The sort_key value {sort_key} is an invalid field for sorting")


def collection(
    ctx: Context,
    key: str,
    rows: Sequence[Record],
    show: Callable[[Record], dict[str, Any]],
    limit: int,
    resource: str,
    **arguments: Any,
) -> dict[str, Any]:
    """Return the answer of a list.

    :param key: name of the list in the answer.
    :param show: makes what is shown of a row.
    :param limit: number of rows asked for; a page that is full has a link to the next one.
    :param resource: address of the list, for that link.
    :param arguments: query of that link, before ``limit`` and ``marker``.
    """
    answer: dict[str, Any] = {key: [show(row) for row in rows]}
    if rows and len(rows) == limit:
        query = "".join(f"{name}={value}&" for name, value in arguments.items())
        answer["next"] = (
            f"{ctx.base_url}/v1/{resource}?{query}limit={limit}&marker={rows[-1]['uuid']}"
        )
    return answer


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
    """Refuse fields that a resource doesn't have.

    :raises InvalidParameterValue: naming them.
    """
    unknown = set(fields) - set(item)
    if unknown:
        raise InvalidParameterValue(f'Field(s) "{", ".join(unknown)}" are not valid')


def timestamp(moment: Any) -> str | None:
    """Return a moment as the API shows it, or ``None``."""
    return None if moment is None else f"{moment.isoformat()}+00:00"
