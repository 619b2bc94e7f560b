"""``/_fake/clock``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.clock import MODES
from fake_server.common.rest import decode, encode
from fake_server.control.routing import ROUTES, known, number

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.control.service import Control

_FIELDS = ("mode", "factor", "now")


@ROUTES.add("GET", "/_fake/clock")
def show_clock(control: Control, _request: Request) -> Response:
    """Show the time and the mode of the clock."""
    clock = control.clock
    return encode(
        200, {"mode": clock.mode, "factor": clock.factor, "now": clock.seconds(), "modes": MODES}
    )


@ROUTES.add("PUT", "/_fake/clock")
def set_clock(control: Control, request: Request) -> Response:
    """Change the mode, the factor or the time of the clock."""
    values = known(decode(request), _FIELDS)
    factor = number("factor", values.get("factor", 1.0))
    now = None if values.get("now") is None else number("now", values["now"])
    control.clock.switch(values.get("mode", control.clock.mode), factor=factor, start=now)
    return show_clock(control, request)


@ROUTES.add("POST", "/_fake/clock/advance")
def advance(control: Control, request: Request) -> Response:
    """Move the clock forward."""
    seconds = number("seconds", known(decode(request), ("seconds",)).get("seconds"))
    control.clock.advance(seconds)
    return show_clock(control, request)
