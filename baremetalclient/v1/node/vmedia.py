"""Virtual media of nodes: images that a machine sees as disks, CDs or floppies.

API reference, section "Attach Virtual Media to a Node"; since version 1.89.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource import arguments, manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node.features import VMEDIA, VMEDIA_LIST

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import VirtualMedium
    from baremetalclient.v1.types import ImageDownloadSource, VirtualMediaDevice


class NodeVirtualMedia(manager.Manager[ResourceT]):
    """Calls for the virtual media of nodes."""

    def vmedia_list(
        self, node_ident: str | Node, **call: Unpack[CallOptions]
    ) -> list[VirtualMedium]:
        """Return the devices for virtual media that a node has; since version 1.93.

        :param node_ident: the UUID or name of the node.
        :returns: an object for each device: ``media_types``, ``inserted`` and ``image``, the URL.
        :raises BadRequest: if the management interface of the node cannot list them.
        """
        response = self._call("GET", node_ident, "vmedia", features=[VMEDIA_LIST], **call)
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
        self._call("POST", node_ident, "vmedia", body=body, features=[VMEDIA], **call)

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
        self._call("DELETE", node_ident, "vmedia", parameters=parameters, features=[VMEDIA], **call)
