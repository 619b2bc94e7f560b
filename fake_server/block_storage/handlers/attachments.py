"""``/v3/attachments``: volumes at servers, since version 3.27."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, views
from fake_server.block_storage.errors import BadRequest
from fake_server.block_storage.models import attachments, volumes
from fake_server.common.rest import BadBodyError, Routes, decode, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import Call, Handler

ROUTES: Routes[Handler] = Routes()
#: Columns by the arguments that lists can be narrowed by.
_FILTERS = {
    "volume_id": "volume_id",
    "instance_id": "instance_uuid",
    "instance_uuid": "instance_uuid",
    "status": "status",
    "attach_status": "status",
}


@ROUTES.add("GET", "/attachments")
def list_attachments(call: Call) -> Response:
    """List attachments in short."""
    return _listed(call, detailed=False)


@ROUTES.add("GET", "/attachments/detail")
def list_details(call: Call) -> Response:
    """List attachments with all there is."""
    return _listed(call, detailed=True)


@ROUTES.add("POST", "/attachments")
def create(call: Call) -> Response:
    """Reserve a volume, and connect it where the connector is known."""
    call.since(microversions.ATTACHMENTS)
    call.require_writer("volume:attachment_create")
    wanted = call.body("attachment")
    ident = call.text(wanted, "volume_uuid", required=True) or ""
    volume = volumes.find(call.tx, call.clock, ident, call.reach)
    row = attachments.create(
        call.tx,
        call.clock,
        volume,
        call.text(wanted, "instance_uuid"),
        _connector(wanted, required=False),
        _mode(call, wanted),
    )
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.add("GET", "/attachments/{ident}")
def show(call: Call, ident: str) -> Response:
    """Show an attachment."""
    call.since(microversions.ATTACHMENTS)
    row = attachments.find(call.tx, ident, call.reach)
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.add("PUT", "/attachments/{ident}")
def update(call: Call, ident: str) -> Response:
    """Connect a volume that was reserved."""
    call.since(microversions.ATTACHMENTS)
    call.require_writer("volume:attachment_update")
    row = attachments.find(call.tx, ident, call.reach)
    wanted = call.body("attachment")
    connector = _connector(wanted, required=True) or {}
    row = attachments.connect(call.tx, call.clock, row, connector, _mode(call, wanted))
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.add("DELETE", "/attachments/{ident}")
def delete(call: Call, ident: str) -> Response:
    """Take a volume away from a server."""
    call.since(microversions.ATTACHMENTS)
    call.require_writer("volume:attachment_delete")
    row = attachments.find(call.tx, ident, call.reach)
    left = attachments.delete(call.tx, call.clock, row)
    return encode(200, {"attachments": [views.attachment(other) for other in left]})


@ROUTES.add("POST", "/attachments/{ident}/action")
def complete(call: Call, ident: str) -> Response:
    """Note that a server uses a volume."""
    call.since(microversions.COMPLETE)
    call.require_writer("volume:attachment_complete")
    row = attachments.find(call.tx, ident, call.reach)
    try:
        body = decode(call.request)
    except BadBodyError as exc:
        raise BadRequest(str(exc)) from None
    if "os-complete" not in body:
        raise BadRequest("There is no such action; there is os-complete.")
    attachments.complete(call.tx, call.clock, row)
    return Response(204)


def _listed(call: Call, *, detailed: bool) -> Response:
    call.since(microversions.ATTACHMENTS)
    query = call.request.query
    match = {
        column: query[name] for name, column in _FILTERS.items() if isinstance(query.get(name), str)
    }
    rows = attachments.fetch(call.tx, call.listed_project(), **match)
    return encode(200, {"attachments": [views.attachment(row, detailed=detailed) for row in rows]})


def _connector(wanted: dict[str, Any], *, required: bool) -> dict[str, Any] | None:
    connector = wanted.get("connector")
    if not connector and not required:
        return None
    if not isinstance(connector, dict) or not connector:
        raise BadRequest("Invalid input for field/attribute connector: it has to be an object.")
    return connector


def _mode(call: Call, wanted: dict[str, Any]) -> str | None:
    """Return the mode beside the connector, where the version knows it."""
    if "mode" not in wanted:
        return None
    if call.minor < microversions.ATTACH_MODE:
        raise BadRequest(
            "Additional properties are not allowed ('mode' was unexpected): before version "
            f"3.{microversions.ATTACH_MODE} the mode is part of the connector."
        )
    return attachments.checked_mode(wanted["mode"])
