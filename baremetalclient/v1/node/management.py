"""Management of nodes: validation, boot devices, interrupts and vendor methods.

API reference, sections "Node Management" and "Node Vendor Passthru".
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from baremetalclient._resource import arguments, passthru
from baremetalclient._resource.resource import Resource, ResourceT
from baremetalclient._resource.schema import ResourceType, field
from baremetalclient.microversion import v1
from baremetalclient.v1.node import features

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import (
        CurrentBootDevice,
        InterfaceValidation,
        SupportedBootDevices,
    )
    from baremetalclient.v1.types import BootDevice, HTTPMethod


_result = partial(field, "Whether the interface has all that it needs.", type="object")


class Validation(Resource):
    """The results of the validation of a node, by interface."""

    __slots__ = ()
    resource_type = ResourceType(
        name="validation", plural="validations", path="validate", list_key="validations", listed=()
    )

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
