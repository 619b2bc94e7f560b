"""``/v1/events``: what other services report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.arguments import UUID_TEXT, ArgumentChecker
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

_UUID_OR_NULL = {"type": ["string", "null"], "format": "uuid"}
_EVENT = object_schema(
    {
        "event": {
            "type": "string",
            "enum": ["network.bind_port", "network.unbind_port", "network.delete_port"],
        },
        "port_id": UUID_TEXT,
        "mac_address": {"type": "string", "format": "mac-address"},
        "status": {"type": "string"},
        "device_id": _UUID_OR_NULL,
        "binding:host_id": _UUID_OR_NULL,
        "binding:vnic_type": {"type": ["string", "null"]},
    },
    "event",
    "port_id",
    "mac_address",
    "status",
)
_EVENTS = ArgumentChecker(
    object_schema({"events": {"type": "array", "minItems": 1, "items": _EVENT}}, "events")
)


class EventsController(Controller):
    """The endpoint for events."""

    since = microversions.EVENTS
    asks_first = True

    @expose(204, policy="events:post", body="events", body_schema=_EVENTS)
    def post(self, ctx: Context, events: Any) -> None:
        """Take note of events; nothing follows from them."""
