"""The handlers of seeds and snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.control.operations import Operations, body, error, query

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control

OPERATIONS = Operations()
_LOADING = {"replace": "whether nodes of the same names are removed first: true or false"}


@OPERATIONS.add("GET", "/_fake/seed", answers="Seed")
def export_seed(control: Control, _request: Request) -> Response:
    """Return what the server has, as a seed."""
    return encode(200, control.seeds.export())


@OPERATIONS.add(
    "POST", "/_fake/seed", takes="Seed", query=_LOADING, status=201, answers="SeedNumbers"
)
def load_seed(control: Control, request: Request) -> Response:
    """Load a seed."""
    asked = query(request, _LOADING).get("replace", "false")
    replace = parse_boolean(asked)
    if replace is None:
        raise ValueError(f"replace has to be true or false, not {asked!r}.")
    return encode(201, control.seeds.load(decode(request), replace=replace))


@OPERATIONS.add("POST", "/_fake/reset")
def reset(control: Control, _request: Request) -> Response:
    """Restore the first state, and remove all faults, delays and recorded requests."""
    control.reset()
    return Response(204)


@OPERATIONS.add("GET", "/_fake/snapshots", answers="Snapshots")
def list_snapshots(control: Control, _request: Request) -> Response:
    """List the snapshots."""
    return encode(200, {"snapshots": [{"id": ident} for ident in control.snapshots.idents()]})


@OPERATIONS.add("POST", "/_fake/snapshots", takes="NewSnapshot", status=201, answers="Snapshot")
def take_snapshot(control: Control, request: Request) -> Response:
    """Take a snapshot of the present state."""
    ident = body(request, "NewSnapshot").get("id")
    return encode(201, {"id": control.snapshots.take(ident)})


@OPERATIONS.add("POST", "/_fake/snapshots/{ident}/restore")
def restore_snapshot(control: Control, _request: Request, ident: str) -> Response:
    """Restore a snapshot."""
    return _done_with(control, control.snapshots.restore, ident)


@OPERATIONS.add("DELETE", "/_fake/snapshots/{ident}")
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
