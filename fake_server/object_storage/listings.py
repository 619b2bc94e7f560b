"""Lists of containers and of objects: narrowed, cut into pages, as text or JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, with_status
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.db.store import Record
    from fake_server.object_storage.context import Context

#: How many a list shows at most.
LIMIT = 10000


def answer(
    ctx: Context,
    rows: list[Record],
    shown: Callable[[Record], dict[str, Any]],
    headers: list[tuple[str, str]],
) -> Response:
    """Answer a list.

    :param rows: in the order of their names.
    :param shown: returns what JSON shows of one.
    :raises BadRequest: for a limit that is no number.
    :raises ServiceError: with status 412 for one that is too high.
    """
    limit = _limit(ctx)
    prefix, delimiter = ctx.one_of("prefix") or "", ctx.one_of("delimiter") or ""
    marker, end = ctx.one_of("marker") or "", ctx.one_of("end_marker") or ""
    found: dict[str, Record | None] = {}
    for row in reversed(rows) if ctx.flag("reverse") else rows:
        name = row["name"]
        inner, mark, _ = name[len(prefix) :].partition(delimiter) if delimiter else (name, "", "")
        folder = f"{prefix}{inner}{mark}" if mark else ""
        if name.startswith(prefix):
            found.setdefault(folder or name, None if folder else row)
    first, last = (end, marker) if ctx.flag("reverse") else (marker, end)
    names = [name for name in found if name > first and (not last or name < last)][:limit]
    if (ctx.one_of("format") or "") == "json" or _prefers_json(ctx):
        items = [_item(name, found[name], shown) for name in names]
        response = encode(200, items)
        response.headers[0] = ("Content-Type", "application/json; charset=utf-8")
    else:
        text = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogatepass")
        response = Response(
            200 if text else 204, text, [("Content-Type", "text/plain; charset=utf-8")]
        )
    response.headers += headers
    return response


def moment(seconds: float) -> str:
    """Return a moment as JSON lists show it."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S.%f}"


def _item(
    name: str, row: Record | None, shown: Callable[[Record], dict[str, Any]]
) -> dict[str, Any]:
    return {"subdir": name} if row is None else shown(row)


def _limit(ctx: Context) -> int:
    written = ctx.one_of("limit")
    if not written:
        return LIMIT
    limit = parse_integer(written, strict=True)
    if limit is None:
        raise BadRequest("Value for limit must be an integer")
    if limit > LIMIT:
        raise with_status(412, f"Maximum limit is {LIMIT}")
    return limit


def _prefers_json(ctx: Context) -> bool:
    return "application/json" in (ctx.request.header("HTTP_ACCEPT") or "")
