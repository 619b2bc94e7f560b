"""What Ironic knows of nodes: BIOS settings, firmware, the inventory and the history.

API reference, sections "Node Bios", "Node Firmware", "Node Inventory" and "Node History".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node import features

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import BIOSSetting, FirmwareComponent, HistoryEvent, Inventory


class NodeInventory(manager.Manager[ResourceT]):
    """Calls for what Ironic knows of nodes."""

    def list_bios_settings(
        self,
        node_ident: str | Node,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[BIOSSetting]:
        """Return the BIOS settings of a node; since version 1.40.

        :param node_ident: the UUID or name of the node.
        :param detail: whether to return all fields; since version 1.74.
        :param fields: the fields to return; since version 1.74.
        :raises InvalidAttribute: if ``detail`` and ``fields`` are both given.
        """
        if detail and fields:
            raise exc.InvalidAttribute(manager.DETAIL_OR_FIELDS)
        parameters: dict[str, urls.QueryValue] = {"detail": detail or None}
        needed = [features.BIOS]
        if detail or fields is not None:
            needed.append(features.BIOS_DETAIL)
        if fields is not None:
            parameters["fields"] = urls.comma_separated(fields, "name of a field")
        response = self._call(
            "GET", node_ident, "bios", parameters=parameters, features=needed, **call
        )
        return response.items("bios", dict)

    def get_bios_setting(
        self, node_ident: str | Node, name: str, **call: Unpack[CallOptions]
    ) -> BIOSSetting:
        """Return one BIOS setting of a node; since version 1.40.

        :param node_ident: the UUID or name of the node.
        :param name: the name of the setting.
        :raises NotFound: if the setting does not exist.
        """
        setting = urls.segment(name, "BIOS setting")
        response = self._call("GET", node_ident, "bios", setting, features=[features.BIOS], **call)
        found = response.object().get(name)
        if not isinstance(found, dict):
            raise response.invalid(f"an object with the setting {name!r}")
        return cast("BIOSSetting", found)

    def list_firmware_components(
        self, node_ident: str | Node, **call: Unpack[CallOptions]
    ) -> list[FirmwareComponent]:
        """Return the firmware components of a node; since version 1.86.

        :param node_ident: the UUID or name of the node.
        """
        response = self._call("GET", node_ident, "firmware", features=[features.FIRMWARE], **call)
        return response.items("firmware", dict)

    def get_inventory(self, node_ident: str | Node, **call: Unpack[CallOptions]) -> Inventory:
        """Return the inventory of a node, as found by inspection; since version 1.81.

        :param node_ident: the UUID or name of the node.
        :raises NotFound: if the node was not inspected.
        """
        response = self._call("GET", node_ident, "inventory", features=[features.INVENTORY], **call)
        return cast("Inventory", response.object())

    def get_history_list(
        self, node_ident: str | Node, detail: bool = False, **call: Unpack[CallOptions]
    ) -> list[HistoryEvent]:
        """Return the history of a node; since version 1.78.

        :param node_ident: the UUID or name of the node.
        :param detail: whether to return all fields.
        """
        response = self._call(
            "GET",
            node_ident,
            "history",
            parameters={"detail": detail or None},
            features=[features.HISTORY],
            **call,
        )
        return response.items("history", dict)

    def get_history_event(
        self, node_ident: str | Node, event: str, **call: Unpack[CallOptions]
    ) -> HistoryEvent:
        """Return one event of the history of a node; since version 1.78.

        :param node_ident: the UUID or name of the node.
        :param event: the UUID of the event.
        """
        segment = urls.segment(event, "history event")
        needed = [features.HISTORY]
        response = self._call("GET", node_ident, "history", segment, features=needed, **call)
        return cast("HistoryEvent", response.object())
