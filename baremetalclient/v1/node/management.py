"""Management of nodes: validation, boot devices, indicators, virtual media and vendor methods.

API reference, sections "Node Management", "Node Vendor Passthru" and "Attach Virtual Media to a
Node".
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource import arguments, passthru
from baremetalclient._resource.fields import field
from baremetalclient._resource.resource import Resource, ResourceT
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.node import features

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import (
        CurrentBootDevice,
        CurrentIndicatorState,
        Indicator,
        InterfaceValidation,
        SupportedBootDevices,
        VirtualMedium,
    )
    from baremetalclient.v1.types import (
        BootDevice,
        HTTPMethod,
        ImageDownloadSource,
        IndicatorState,
        VirtualMediaDevice,
    )

_result = partial(field, "Whether the interface has all that it needs.", type="object")


class Validation(Resource):
    """The results of the validation of a node, by interface."""

    __slots__ = ()
    resource_type = ResourceType(name="validation", path="validate")

    bios: InterfaceValidation = _result(since=v1(40))
    boot: InterfaceValidation = _result()
    console: InterfaceValidation = _result()
    deploy: InterfaceValidation = _result()
    firmware: InterfaceValidation = _result(since=v1(86))
    inspect: InterfaceValidation = _result()
    management: InterfaceValidation = _result()
    network: InterfaceValidation = _result()
    power: InterfaceValidation = _result()
    raid: InterfaceValidation = _result()
    rescue: InterfaceValidation = _result(since=v1(38))
    storage: InterfaceValidation = _result()


class NodeManagement(passthru.VendorPassthru[ResourceT]):
    """Calls for the management of nodes."""

    def validate(self, node_uuid: str | Node, **call: Unpack[CallOptions]) -> Validation:
        """Check whether the interfaces of a node have all the information that they need.

        :param node_uuid: the UUID or name of the node.
        :returns: an attribute for each interface: an object with ``result`` and ``reason``.
        """
        response = self._call("GET", node_uuid, "validate", **call)
        return Validation(self, response.objects(reason=str))

    def set_boot_device(
        self,
        node_uuid: str | Node,
        boot_device: BootDevice,
        persistent: bool | str = False,
        **call: Unpack[CallOptions],
    ) -> None:
        """Set the device that a node boots from.

        :param node_uuid: the UUID or name of the node.
        :param boot_device: the device, such as ``pxe`` or ``disk``.
        :param persistent: whether it is for all boots instead of only the next one.
        """
        body = {
            "boot_device": arguments.text(boot_device, "boot_device"),
            "persistent": arguments.boolean(persistent, "persistent"),
        }
        self._call("PUT", node_uuid, "management", "boot_device", body=body, **call)

    def get_boot_device(
        self, node_uuid: str | Node, **call: Unpack[CallOptions]
    ) -> CurrentBootDevice:
        """Return the device that a node boots from: ``boot_device`` and ``persistent``.

        :param node_uuid: the UUID or name of the node.
        """
        response = self._call("GET", node_uuid, "management", "boot_device", **call)
        return cast("CurrentBootDevice", response.object())

    def get_supported_boot_devices(
        self, node_uuid: str | Node, **call: Unpack[CallOptions]
    ) -> SupportedBootDevices:
        """Return the devices that a node can boot from, under ``supported_boot_devices``.

        :param node_uuid: the UUID or name of the node.
        """
        response = self._call("GET", node_uuid, "management", "boot_device", "supported", **call)
        return cast("SupportedBootDevices", response.object())

    def inject_nmi(self, node_uuid: str | Node, **call: Unpack[CallOptions]) -> None:
        """Send a non-maskable interrupt to a node; since version 1.29.

        :param node_uuid: the UUID or name of the node.
        """
        needed = [features.NMI]
        self._call("PUT", node_uuid, "management", "inject_nmi", body={}, features=needed, **call)

    def vendor_passthru(
        self,
        node_id: str | Node,
        method: str,
        args: dict[str, Any] | None = None,
        http_method: HTTPMethod | None = None,
        **call: Unpack[CallOptions],
    ) -> Any:
        """Call a vendor method of a node.

        :param node_id: the UUID or name of the node.
        :param method: the name of the method.
        :param args: its arguments.
        :param http_method: the HTTP method, ``POST`` by default.
        :returns: an object as a resource, any other JSON as it is, None for an empty response.
        :raises InvalidAttribute: if vendor methods do not support the HTTP method.
        """
        return self._vendor_passthru(node_id, method, args, http_method, **call)

    def get_vendor_passthru_methods(
        self, node_ident: str | Node, **call: Unpack[CallOptions]
    ) -> dict[str, Any]:
        """Return the vendor methods of a node by name.

        :param node_ident: the UUID or name of the node.
        """
        return self._vendor_passthru_methods(node_ident, **call)

    def list_indicators(
        self, node_ident: str | Node, **call: Unpack[CallOptions]
    ) -> list[Indicator]:
        """Return the indicators of a node.

        :param node_ident: the UUID or name of the node.
        :returns: an object for each indicator: ``name`` such as ``led-0@chassis``, ``component``,
            ``readonly``, ``states`` (those that it can have) and ``links``.
        :raises BadRequest: if the management interface of the node has no indicators.
        """
        path = ("management", "indicators")
        response = self._call("GET", node_ident, *path, features=[features.INDICATORS], **call)
        return response.items("indicators", dict)

    def get_indicator_state(
        self, node_ident: str | Node, indicator: str, **call: Unpack[CallOptions]
    ) -> CurrentIndicatorState:
        """Return the state of an indicator, under ``state``.

        :param node_ident: the UUID or name of the node.
        :param indicator: the name of the indicator with its component.
        """
        path = ("management", "indicators", urls.segment(indicator, "indicator"))
        response = self._call("GET", node_ident, *path, features=[features.INDICATORS], **call)
        return cast("CurrentIndicatorState", response.object())

    def set_indicator_state(
        self,
        node_ident: str | Node,
        indicator: str,
        state: IndicatorState,
        **call: Unpack[CallOptions],
    ) -> None:
        """Switch an indicator.

        :param node_ident: the UUID or name of the node.
        :param indicator: the name of the indicator with its component.
        :param state: ``on``, ``off`` or ``blinking``.
        """
        body = {"state": arguments.text(state, "state").lower()}
        path = ("management", "indicators", urls.segment(indicator, "indicator"))
        self._call("PUT", node_ident, *path, body=body, features=[features.INDICATORS], **call)

    def vmedia_list(
        self, node_ident: str | Node, **call: Unpack[CallOptions]
    ) -> list[VirtualMedium]:
        """Return the devices for virtual media that a node has; since version 1.93.

        :param node_ident: the UUID or name of the node.
        :returns: an object for each device: ``media_types``, ``inserted`` and ``image``, the URL.
        :raises BadRequest: if the management interface of the node cannot list them.
        """
        response = self._call("GET", node_ident, "vmedia", features=[features.VMEDIA_LIST], **call)
        return response.items(None, dict)

    def vmedia_attach(
        self,
        node_ident: str | Node,
        device_type: VirtualMediaDevice,
        image_url: str,
        image_download_source: ImageDownloadSource | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Attach an image to a node; since version 1.89.

        The server answers before it is done. If it fails, ``last_error`` of the node says why.

        :param node_ident: the UUID or name of the node.
        :param device_type: the type of the device: ``disk``, ``cdrom`` or ``floppy``.
        :param image_url: the URL of the image.
        :param image_download_source: how the machine gets the image: ``local`` (from the
            conductor, the default of the server), ``http`` (from the URL) or ``swift``.
        """
        body = {
            "device_type": arguments.text(device_type, "device_type"),
            "image_url": arguments.text(image_url, "image_url"),
        }
        if image_download_source is not None:
            body["image_download_source"] = image_download_source
        self._call("POST", node_ident, "vmedia", body=body, features=[features.VMEDIA], **call)

    def vmedia_detach(
        self,
        node_ident: str | Node,
        device_types: Sequence[VirtualMediaDevice] | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Detach images from a node; since version 1.89.

        :param node_ident: the UUID or name of the node.
        :param device_types: the types of the devices to detach them from, None for all devices.
        :raises ValidationError: if there are no types among them.
        """
        parameters: dict[str, urls.QueryValue] = {}
        if device_types is not None:
            if not device_types:
                raise exc.ValidationError(
                    "device_types is empty. Name types of devices, or give None for all devices."
                )
            parameters["device_types"] = urls.comma_separated(device_types, "type of a device")
        self._call(
            "DELETE",
            node_ident,
            "vmedia",
            parameters=parameters,
            features=[features.VMEDIA],
            **call,
        )
