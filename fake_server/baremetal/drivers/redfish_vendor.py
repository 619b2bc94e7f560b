"""The vendor interface of machines with a Redfish controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.controller import redfish
from fake_server.baremetal.drivers.driver_info import is_uri
from fake_server.baremetal.drivers.vendor import Method, VendorInterface

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.drivers.controller import Controller
    from fake_server.baremetal.task.protocol import Task

_SUBSCRIPTIONS = "/redfish/v1/EventService/Subscriptions"
#: What devices for virtual media are called.
_MEDIA = ("cd", "dvd", "usb", "floppy", "CD", "DVD", "USBStick", "Floppy")


class RedfishVendor(
    VendorInterface,
    names={
        "redfish": "redfish.vendor.RedfishVendorPassthru",
        "idrac-redfish": "drac.vendor_passthru.DracRedfishVendorPassthru",
    },
):
    """Virtual media, and subscriptions to events of the controller."""

    methods: ClassVar = {
        "create_subscription": Method(
            "Creates a subscription on a node. Required argument: a dictionary of "
            "{'Destination': 'destination_url'}",
            runs_later=False,
        ),
        "delete_subscription": Method(
            "Delete a subscription on a node. Required argument: a dictionary of {'id': "
            "'subscription_bmc_id'}",
            "DELETE",
            runs_later=False,
        ),
        "eject_vmedia": Method(
            "Eject a virtual media device. If no device is provided then all attached devices "
            "will be ejected. Optional arguments: 'boot_device' - the boot device to eject, "
            "either 'cd', 'dvd', 'usb', or 'floppy'"
        ),
        "get_all_subscriptions": Method(
            "Returns all subscriptions on the node.", "GET", runs_later=False
        ),
        "get_subscription": Method(
            "Get a subscription on the node. Required argument: a dictionary of {'id': "
            "'subscription_bmc_id'}",
            "GET",
            runs_later=False,
        ),
    }

    def check_call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> None:
        """Check the arguments of a method; raise InvalidParameterValue for a wrong one."""
        device = arguments.get("boot_device")
        if name == "eject_vmedia" and device:
            # Ironic wants each of the devices to take such media.
            raise errors.InvalidParameterValue(f"Boot device {device} is not a valid value ")
        if name == "delete_subscription" and not arguments.get("id"):
            raise errors.InvalidParameterValue("id can't be None")
        if name != "create_subscription":
            return
        context, protocol = arguments.get("Context", ""), arguments.get("Protocol", "Redfish")
        headers, destination = arguments.get("HttpHeaders"), arguments.get("Destination")
        if not isinstance(context, str):
            raise errors.InvalidParameterValue(f"Context {context} is not a valid string")
        if not isinstance(protocol, str):
            raise errors.InvalidParameterValue(f"Protocol {protocol} is not a string")
        if headers is not None and not isinstance(headers, list):
            raise errors.InvalidParameterValue(f"HttpHeaders {headers} is not a list of headers")
        if not is_uri(destination):
            raise errors.InvalidParameterValue(f"Destination {destination} is not a valid URI")

    def call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a method and return its result; raise RedfishError if it fails."""
        controller = redfish(task, "media" if name == "eject_vmedia" else "subscriptions")
        known = controller.machine["subscriptions"]
        if name == "eject_vmedia":
            media = controller.machine["media"]
            controller.change(media=dict.fromkeys(media))
            return None
        if name == "get_all_subscriptions":
            members = [{"@odata.id": f"{_SUBSCRIPTIONS}/{ident}"} for ident in known]
            return {
                "@odata.id": _SUBSCRIPTIONS,
                "@odata.type": "#EventDestinationCollection.EventDestinationCollection",
                "Name": "Event Subscriptions Collection",
                "Members": members,
                "Members@odata.count": len(members),
            }
        if name == "create_subscription":
            return self._subscribe(controller, arguments)
        ident = str(arguments.get("id"))
        if ident not in known:
            raise _not_found(task, name, ident)
        if name == "get_subscription":
            return known[ident]
        controller.change(subscriptions={key: known[key] for key in known if key != ident})
        return None

    def _subscribe(self, controller: Controller, arguments: Mapping[str, Any]) -> dict[str, Any]:
        known = controller.machine["subscriptions"]
        created = {
            "Id": str(max(map(int, known), default=0) + 1),
            "Context": arguments.get("Context", ""),
            "Protocol": arguments.get("Protocol", "Redfish"),
            "Destination": arguments["Destination"],
            "EventTypes": arguments.get("EventTypes", ["Alert"]),
        }
        controller.change(subscriptions={**known, created["Id"]: created})
        return created


def _not_found(task: Task, method: str, ident: str) -> errors.RedfishError:
    error = errors.RedfishError(
        error=f"Redfish {method} failed for subscription {ident} on node {task.node['uuid']}. "
        f"Error: Resource {_SUBSCRIPTIONS}/{ident} not found"
    )
    return error.with_code(404) if method == "delete_subscription" else error
