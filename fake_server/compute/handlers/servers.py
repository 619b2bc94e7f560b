"""``/servers``: create, list, show, change and delete servers."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.compute import creating, lifecycle, networks, progress, views
from fake_server.compute.errors import BadRequest, Conflict
from fake_server.compute.models import devices, servers
from fake_server.compute.schemas import servers as schemas
from fake_server.compute.schemas.parts import is_true

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.compute.context import Call, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
#: What a list can be narrowed by, beside a column of the same name.
_FILTERS: dict[str, Callable[[Record, str], bool]] = {
    "name": lambda row, text: bool(_pattern(text).search(row["name"])),
    "status": lambda row, text: servers.status(row) == text.upper(),
    "vm_state": lambda row, text: row["vm_state"] == text,
    "flavor": lambda row, text: row["flavor"]["id"] == text,
    "image": lambda row, text: row["image_ref"] == text,
    "reservation_id": lambda row, text: row["reservation_id"] == text,
    "uuid": lambda row, text: row["id"] == text,
    "node": lambda row, text: row["node_uuid"] == text,
    "key_name": lambda row, text: row["key_name"] == text,
    "user_id": lambda row, text: row["user_id"] == text,
    "tags": lambda row, text: set(text.split(",")) <= set(row["tags"]),
}
_SORTABLE = {
    "created_at": "number",
    "display_name": "name",
    "updated_at": "updated_at",
    "uuid": "id",
    "vm_state": "vm_state",
    "task_state": "task_state",
    "host": "node_uuid",
}


@ROUTES.add("GET", "/servers")
def list_servers(call: Call) -> Response:
    """List servers by name."""
    rows, links = _listed(call)
    return encode(200, {"servers": [views.server_summary(call, row) for row in rows], **links})


@ROUTES.add("GET", "/servers/detail")
def list_details(call: Call) -> Response:
    """List servers with all there is; their groups only a server by itself shows."""
    rows, links = _listed(call)
    found = _detailed(call, rows)
    for shown in found:
        shown.pop("server_groups", None)
    return encode(200, {"servers": found, **links})


@ROUTES.add("POST", "/servers")
def create(call: Call) -> Response:
    """Create servers."""
    call.require_member("servers:create")
    body = call.json(schemas.create(call.minor))
    wanted = body["server"]
    if "hypervisor_hostname" in wanted or "host" in wanted:
        call.require_admin("servers:create:forced_host")
    hints = body.get("os:scheduler_hints") or body.get("OS-SCH-HNT:scheduler_hints") or {}
    rows = creating.create(call.session, call.client, wanted, hints, call.minor)
    if is_true(wanted.get("return_reservation_id")):
        return encode(202, {"reservation_id": rows[0]["reservation_id"]})
    password = wanted.get("adminPass") or secrets.token_urlsafe(9)
    location = f"{call.base}/v2.1/servers/{rows[0]['id']}"
    shown = views.created_server(call, rows[0], password)
    return encode(202, {"server": shown}, ("Location", location))


@ROUTES.add("GET", "/servers/{ident}")
def show(call: Call, ident: str) -> Response:
    """Show a server."""
    return encode(200, {"server": shown(call, ident)})


@ROUTES.add("PUT", "/servers/{ident}")
def update(call: Call, ident: str) -> Response:
    """Rename or describe a server."""
    call.require_member("servers:update")
    row = found(call, ident)
    wanted = call.json(schemas.update(call.minor))["server"]
    changes = {name: wanted[name] for name in ("name", "description", "hostname") if name in wanted}
    if "pinned_availability_zone" in wanted:
        changes["zone"] = _pinned(call, row, wanted["pinned_availability_zone"])
    call.session.database.write(
        lambda tx: servers.update(tx, call.session.clock, row["id"], **changes)
    )
    return encode(200, {"server": shown(call, ident)})


@ROUTES.add("DELETE", "/servers/{ident}")
def delete(call: Call, ident: str) -> Response:
    """Delete a server."""
    call.require_member("servers:delete")
    lifecycle.delete(call.session, found(call, ident))
    return Response(204)


@ROUTES.add("GET", "/servers/{ident}/ips")
def list_addresses(call: Call, ident: str) -> Response:
    """List the addresses of a server."""
    addresses = shown(call, ident)["addresses"]
    short = {
        name: [{key: item[key] for key in ("version", "addr")} for item in items]
        for name, items in addresses.items()
    }
    return encode(200, {"addresses": short})


@ROUTES.add("GET", "/servers/{ident}/metadata")
def show_metadata(call: Call, ident: str) -> Response:
    """Show the metadata of a server."""
    return encode(200, {"metadata": found(call, ident)["metadata"]})


@ROUTES.add("POST", "/servers/{ident}/metadata")
def add_metadata(call: Call, ident: str) -> Response:
    """Add to the metadata of a server."""
    row = found(call, ident)
    added = call.json(schemas.METADATA)["metadata"]
    return _set_metadata(call, row, {**row["metadata"], **added})


@ROUTES.add("PUT", "/servers/{ident}/metadata")
def replace_metadata(call: Call, ident: str) -> Response:
    """Replace the metadata of a server."""
    return _set_metadata(call, found(call, ident), call.json(schemas.METADATA)["metadata"])


@ROUTES.add("DELETE", "/servers/{ident}/metadata/{key}")
def remove_metadata(call: Call, ident: str, key: str) -> Response:
    """Remove one key of the metadata of a server."""
    row = found(call, ident)
    _set_metadata(
        call, row, {name: row["metadata"][name] for name in row["metadata"] if name != key}
    )
    return Response(204)


def found(call: Call, ident: str) -> Record:
    """Return a server that the client may name.

    :raises ServerNotFound: if there is none.
    """
    return call.session.database.read(lambda tx: servers.find(tx, ident, call.reach))


def shown(call: Call, ident: str) -> dict[str, Any]:
    """Return all of a server, as it is now."""
    (row,) = progress.follow(call.session, [found(call, ident)])
    return _detailed(call, [row])[0]


def _detailed(call: Call, rows: list[Record]) -> list[dict[str, Any]]:
    ids = [row["id"] for row in rows]
    owned = call.session.database.read(lambda tx: devices.volumes_of(tx, ids))
    ports = networks.ports_of(call.session, ids)
    return [views.server(call, row, owned.get(row["id"], []), ports[row["id"]]) for row in rows]


def _pinned(call: Call, row: Record, zone: str | None) -> str | None:
    """Return the zone that a server is to stay in; another one than it is in cannot be had."""
    if zone is None or zone == row["zone"]:
        return zone
    if row["zone"] is not None:
        raise Conflict(
            "Cannot change pinned availability zone directly. Unpin first by setting "
            "pinned_availability_zone to null."
        )
    current = views.zone(row)
    if zone != current:
        raise Conflict(
            f"Server can only be pinned to its current availability zone '{current}', but "
            f"'{zone}' was requested."
        )
    return zone


def _listed(call: Call) -> tuple[list[Record], dict[str, Any]]:
    project = call.listed_project()
    wanted = call.one_of("project_id") or call.one_of("tenant_id")
    if project is None and wanted is not None:
        project = wanted
    if call.flag("deleted"):
        return [], {}
    rows = call.session.database.read(lambda tx: servers.fetch(tx, project))
    rows = progress.follow(call.session, rows)
    for name, fits in _FILTERS.items():
        text = call.one_of(name)
        if text is not None:
            rows = [row for row in rows if fits(row, text)]
    key = call.one_of("sort_key")
    if key is not None:
        if key not in _SORTABLE:
            raise BadRequest(f"Sort key supplied was not valid: {key}")
        column = _SORTABLE[key]
        descending = call.one_of("sort_dir") != "asc"
        rows = sorted(
            rows, key=lambda row: (row[column] is not None, row[column]), reverse=descending
        )
    return call.page(rows, "servers")


def _set_metadata(call: Call, row: Record, metadata: dict[str, str]) -> Response:
    call.require_member("server-metadata:update")
    call.session.database.write(
        lambda tx: servers.update(tx, call.session.clock, row["id"], metadata=metadata)
    )
    return encode(200, {"metadata": metadata})


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as exc:
        raise BadRequest(f"Invalid filter name: {text}: {exc}") from None
