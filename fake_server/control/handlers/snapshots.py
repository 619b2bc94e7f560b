"""``/_fake/snapshots`` and ``/_fake/reset``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.control.routing import ROUTES, error, known

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control


@ROUTES.add("POST", "/_fake/reset")
def reset(control: Control, _request: Request) -> Response:
    """Restore the first state, and remove all faults, delays and recorded requests."""
    control.reset()
    return Response(204)


@ROUTES.add("GET", "/_fake/snapshots")
def list_snapshots(control: Control, _request: Request) -> Response:
    """List the snapshots."""
    return encode(200, {"snapshots": [{"id": ident} for ident in control.snapshots.idents()]})


@ROUTES.add("POST", "/_fake/snapshots")
def take_snapshot(control: Control, request: Request) -> Response:
    """Take a snapshot of the present state."""
    ident = known(decode(request), ("id",)).get("id")
    return encode(201, {"id": control.snapshots.take(ident)})


@ROUTES.add("POST", "/_fake/snapshots/{ident}/restore")
def restore_snapshot(control: Control, _request: Request, ident: str) -> Response:
    """Restore a snapshot."""
    return _done_with(control, control.snapshots.restore, ident)


@ROUTES.add("DELETE", "/_fake/snapshots/{ident}")
def forget_snapshot(control: Control, _request: Request, ident: str) -> Response:
    """Remove a snapshot."""
    return _done_with(control, control.snapshots.forget, ident)


def _done_with(control: Control, act: Callable[[str], None], ident: str) -> Response:
    try:
        act(ident)
    except KeyError:
        kept = ", ".join(control.snapshots.idents()) or "none"
        return error(404, f"Unknown snapshot {ident!r}. Known snapshots: {kept}.")
    return Response(204)
