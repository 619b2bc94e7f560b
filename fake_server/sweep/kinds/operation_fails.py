"""``operation-fails``: what the request starts goes wrong later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.control import error_bodies
from fake_server.sweep.calls import PROVISION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation

_POWER = "/v1/nodes/_/states/power"
#: The transitions that fail, by what is asked for.
_TRANSITIONS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("active", "rebuild", "deploy"), ("deploying",)),
    **dict.fromkeys(("deleted", "undeploy"), ("deleting", "cleaning")),
    **dict.fromkeys(("provide", "clean"), ("cleaning",)),
    "adopt": ("adopting",),
    "inspect": ("inspecting",),
    "rescue": ("rescuing",),
    "service": ("servicing",),
    "unrescue": ("unrescuing",),
}
#: What is refused by another service: VIFs by Neutron, volumes by their storage.
_REFUSED: Mapping[tuple[str, str], str] = {
    ("POST", "/v1/nodes/_/vifs"): "Unable to attach VIF: binding the port failed.",
    ("POST", "/volume/attachments"): "The storage failed to export the volume.",
    ("PUT", "/volume/attachments/_"): "The storage failed to export the volume.",
    ("POST", "/compute/servers/_/os-volume_attachments"): "The volume can't be attached.",
}


class OperationFails:
    """The request is accepted, and the operation fails once."""

    name = "operation-fails"
    text = "what the request starts fails once: a transition or a power action, a VIF, a volume"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether the request starts something that can fail."""
        if (asked.call.method, asked.call.route) in _REFUSED:
            return True
        provisions = asked.call.route == PROVISION and asked.target in _TRANSITIONS
        return provisions or (asked.call.method, asked.call.route) == ("PUT", _POWER)

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Make the operation fail."""
        request, call = situation.request, situation.call
        if reason := _REFUSED.get((call.method, call.route)):
            return error_bodies.fault(request.path, 500, reason)
        transitions = ("power",) if call.route == _POWER else _TRANSITIONS[situation.target or ""]
        situation.app.control.fail_next(situation.node, transitions)
        return proceed(request)
