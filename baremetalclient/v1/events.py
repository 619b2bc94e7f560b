"""Events: notifications of other services to Ironic.

API reference, section "Events"; since version 1.54.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource import manager
from baremetalclient._resource.fields import field
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions


class Event(Resource):
    """An event."""

    __slots__ = ()
    resource_type = ResourceType(
        name="event",
        path="events",
        since=v1(54),
        detail=None,
        identifier="events",
        listed=("events",),
    )

    events: list[dict[str, Any]] = field("What has happened.", creatable=True)


class EventManager(manager.Manager[Event]):
    """Calls for events."""

    resource_class = Event

    def create(self, events: list[dict[str, Any]], **call: Unpack[CallOptions]) -> None:
        """Send events to Ironic.

        :param events: objects with ``event``, such as ``network.bind_port``, and its details.
        """
        if not isinstance(events, list) or not events:
            raise exc.ValidationError("events has to be a list of at least one object.")
        self.http.request(
            "POST",
            urls.path(self.resource_type.path),
            body={"events": events},
            features=[self.resource_type.feature],
            **call,
        )
