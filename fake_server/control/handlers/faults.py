"""``/_fake/faults``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.control.routing import ROUTES, error, known

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control


@ROUTES.add("GET", "/_fake/faults")
def list_faults(control: Control, _request: Request) -> Response:
    """List the faults, with the number of times that each applied."""
    return encode(200, {"faults": [fault.as_json() for fault in control.faults.rules()]})


@ROUTES.add("POST", "/_fake/faults")
def add_fault(control: Control, request: Request) -> Response:
    """Add a fault."""
    values = known(decode(request), ("match", "do", "times", "seconds"))
    fault = control.faults.add(
        values.get("match", {}),
        values.get("do", {}),
        values.get("times"),
        seconds=values.get("seconds"),
    )
    return encode(201, fault.as_json())


@ROUTES.add("DELETE", "/_fake/faults")
def clear_faults(control: Control, _request: Request) -> Response:
    """Remove all faults."""
    control.faults.remove()
    return Response(204)


@ROUTES.add("DELETE", "/_fake/faults/{ident}")
def remove_fault(control: Control, _request: Request, ident: str) -> Response:
    """Remove a fault."""
    known_form = ident.isascii() and ident.isdigit() and len(ident) < 10
    if not known_form or not control.faults.remove(int(ident)):
        return error(404, f"Unknown fault {ident!r}.")
    return Response(204)
