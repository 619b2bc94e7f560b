"""The handlers of the faults, and of what a test may have got wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.parsing import parse_integer
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.control.operations import Operations, body, error

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control

OPERATIONS = Operations()
#: The greatest number of a fault.
_LARGEST = 10**9 - 1


@OPERATIONS.add("GET", "/_fake/faults", answers="Faults")
def list_faults(control: Control, _request: Request) -> Response:
    """List the faults, with the number of times that each applied."""
    return encode(200, {"faults": [fault.as_json() for fault in control.faults.rules()]})


@OPERATIONS.add("POST", "/_fake/faults", takes="NewFault", status=201, answers="AddedFault")
def add_fault(control: Control, request: Request) -> Response:
    """Add a fault, with warnings if it can match nothing now; if strict, refuse it then."""
    values = body(request, "NewFault")
    fault, warnings = control.faults.add_with_reasons(
        values.get("match", {}),
        values.get("do", {}),
        values.get("times"),
        values.get("seconds"),
        strict=values.get("strict", False),
    )
    return encode(201, {**fault.as_json(), "warnings": warnings})


@OPERATIONS.add("DELETE", "/_fake/faults")
def clear_faults(control: Control, _request: Request) -> Response:
    """Remove all faults."""
    control.faults.remove()
    return Response(204)


@OPERATIONS.add("DELETE", "/_fake/faults/{ident}")
def remove_fault(control: Control, _request: Request, ident: str) -> Response:
    """Remove a fault."""
    number = parse_integer(ident, maximum=_LARGEST, strict=True)
    if number is None or not control.faults.remove(number):
        return error(404, f"Unknown fault {ident!r}.")
    return Response(204)


@OPERATIONS.add("GET", "/_fake/choices", answers="Choices")
def show_choices(control: Control, _request: Request) -> Response:
    """Show what a fault can be for now: nodes, steps of their flows, and paths of Ironic."""
    return encode(200, control.choices())


@OPERATIONS.add("GET", "/_fake/unmet", answers="Unmet")
def show_unmet(control: Control, _request: Request) -> Response:
    """Show the faults that met nothing, and the requests whose path no service has."""
    return encode(200, control.unmet())
