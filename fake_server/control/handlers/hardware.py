"""The handlers of nodes, their machines, and conductors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from fake_server.common.rest import decode, encode
from fake_server.control import overview
from fake_server.control.operations import Operations, error
from fake_server.control.resources import TakenError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Request, Response
    from fake_server.control.service import Control

OPERATIONS = Operations()


@OPERATIONS.add("GET", "/_fake/nodes/{ident}", answers="Node")
def show_node(control: Control, _request: Request, ident: str) -> Response:
    """Return all that the server holds about a node, its secrets masked."""
    try:
        node = control.resources["nodes"][ident].fields()
    except KeyError:
        return error(404, control.resources["nodes"].missing(ident))
    now = control.clock.seconds()
    found = control.inspect(lambda tx: overview.of_node(tx, node["uuid"], now))
    return encode(200, {"node": node, **found})


@OPERATIONS.add("PATCH", "/_fake/nodes/{ident}", takes="NodeChange", answers="Node")
def change_node(control: Control, request: Request, ident: str) -> Response:
    """Put a node into any state."""
    changes = decode(request)
    if ident in control.resources["nodes"]:
        try:
            control.resources["nodes"][ident].set(**changes)
        except TakenError as exc:
            return error(409, str(exc))
    return show_node(control, request, ident)


@OPERATIONS.add("GET", "/_fake/conductors", answers="Conductors")
def list_conductors(control: Control, _request: Request) -> Response:
    """List the conductors."""
    return encode(200, {"conductors": control.conductors.all()})


@OPERATIONS.add("GET", "/_fake/conductors/{ident}", answers="Conductor")
def show_conductor(control: Control, _request: Request, ident: str) -> Response:
    """Show a conductor."""
    return _conductor(control, ident, {})


@OPERATIONS.add("PATCH", "/_fake/conductors/{ident}", takes="ConductorChange", answers="Conductor")
def change_conductor(control: Control, request: Request, ident: str) -> Response:
    """Take a conductor down, or start it again."""
    return _conductor(control, ident, decode(request))


def _conductor(control: Control, ident: str, changes: Mapping[str, Any]) -> Response:
    hostname = unquote(ident)
    try:
        return encode(200, control.conductors.change(hostname, changes))
    except KeyError:
        names = ", ".join(item["hostname"] for item in control.conductors.all())
        return error(404, f"Unknown conductor {hostname!r}. Known conductors: {names}.")


@OPERATIONS.add("GET", "/_fake/machines/{ident}", answers="Machine")
def show_machine(control: Control, _request: Request, ident: str) -> Response:
    """Show the machine of a node."""
    return _machine(control, ident, {})


@OPERATIONS.add("PATCH", "/_fake/machines/{ident}", takes="MachineChange", answers="Machine")
def change_machine(control: Control, request: Request, ident: str) -> Response:
    """Change the machine of a node."""
    return _machine(control, ident, decode(request))


def _machine(control: Control, node: str, changes: Mapping[str, Any]) -> Response:
    try:
        return encode(200, control.machines.change(node, changes))
    except KeyError:
        return error(404, control.resources["nodes"].missing(node))
