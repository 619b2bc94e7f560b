"""Which stores a request is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.image.context import ImageContext

_HEADER = "HTTP_X_IMAGE_META_STORE"


def of_header(ctx: ImageContext) -> Sequence[str]:
    """Return the store that a header names, or the default; raise BadRequest for an unknown one."""
    wanted = _named(ctx)
    for name in wanted:
        if name not in ctx.stores:
            raise BadRequest(f"Store for identifier {name} not found")
    return wanted


def of_body(ctx: ImageContext, body: Mapping[str, Any]) -> Sequence[str]:
    """Return the stores that a body or a header names; none where stores have no names.

    :raises BadRequest: if they are named in two ways.
    :raises Conflict: for an unknown one.
    """
    if not ctx.stores:
        return ()
    has_header = ctx.request.header(_HEADER) is not None
    if body.get("all_stores"):
        if has_header or "stores" in body:
            raise BadRequest(
                "All_stores parameter can't be used with x-image-meta-store header or stores "
                "parameter"
            )
        return ctx.stores
    if has_header and "stores" in body:
        raise BadRequest("Stores parameter and x-image-meta-store header can't be both specified")
    wanted = body["stores"] if "stores" in body else _named(ctx)
    if not isinstance(wanted, list | tuple):
        raise BadRequest("'stores' must be a list")
    for name in wanted:
        if name not in ctx.stores:
            raise Conflict(f"Store for identifier {name} not found")
    return list(dict.fromkeys(wanted))


def _named(ctx: ImageContext) -> Sequence[str]:
    name = ctx.request.header(_HEADER)
    return ctx.stores[:1] if name is None or not ctx.stores else [name]
