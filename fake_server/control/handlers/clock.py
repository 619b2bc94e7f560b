"""The handlers of the clock, and of the delays of transitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.conductor.due.registry import DELAYS
from fake_server.clock import MODES
from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.control.operations import Operations, typed_body

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control

OPERATIONS = Operations()


@OPERATIONS.add("GET", "/_fake/clock", answers="Clock")
def show_clock(control: Control, _request: Request) -> Response:
    """Show the time and the mode of the clock."""
    clock = control.clock
    shown = {"mode": clock.mode, "factor": clock.factor, "now": clock.seconds()}
    return encode(200, {**shown, "modes": MODES})


@OPERATIONS.add("PUT", "/_fake/clock", takes="ClockChange", answers="Clock")
def set_clock(control: Control, request: Request) -> Response:
    """Change the mode, the factor or the time of the clock."""
    values = typed_body(request, "ClockChange")
    mode, factor = values.get("mode", control.clock.mode), values.get("factor", 1.0)
    control.clock.switch(mode, factor=factor, start=values.get("now"))
    return show_clock(control, request)


@OPERATIONS.add("POST", "/_fake/clock/advance", takes="Advance", answers="Clock")
def advance(control: Control, request: Request) -> Response:
    """Advance the clock."""
    control.clock.advance(typed_body(request, "Advance")["seconds"])
    return show_clock(control, request)


@OPERATIONS.add("GET", "/_fake/delays", answers="Delays")
def show_delays(control: Control, _request: Request) -> Response:
    """Show how long transitions take."""
    return encode(200, {**control.delays.show(), "names": DELAYS})


@OPERATIONS.add("PUT", "/_fake/delays", takes="NewDelays", answers="SetDelays")
def set_delays(control: Control, request: Request) -> Response:
    """Set how long transitions take, with warnings of nodes that there aren't now."""
    values = decode(request)
    # So that what was shown can be sent back.
    for name in ("names", "warnings"):
        values.pop(name, None)
    reasons = control.delays.replace(values)
    return encode(200, {**control.delays.show(), "names": DELAYS, "warnings": reasons})


@OPERATIONS.add("DELETE", "/_fake/delays")
def clear_delays(control: Control, _request: Request) -> Response:
    """Let transitions take as long as the server's options say."""
    control.delays.set()
    return Response(204)
