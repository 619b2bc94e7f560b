"""The controllers below ``/v1/nodes/<node>``, besides those shared with other resources."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fake_server.baremetal import microversions
from fake_server.baremetal.api.handlers.allocations import NodeAllocationController
from fake_server.baremetal.api.handlers.node_bios import NodeBiosController
from fake_server.baremetal.api.handlers.node_firmware import NodeFirmwareController
from fake_server.baremetal.api.handlers.node_history import NodeHistoryController
from fake_server.baremetal.api.handlers.node_inventory import NodeInventoryController
from fake_server.baremetal.api.handlers.node_maintenance import NodeMaintenanceController
from fake_server.baremetal.api.handlers.node_management import NodeManagementController
from fake_server.baremetal.api.handlers.node_states import NodeStatesController
from fake_server.baremetal.api.handlers.node_traits import NodeTraitsController
from fake_server.baremetal.api.handlers.node_vendor_passthru import NodeVendorPassthruController
from fake_server.baremetal.api.handlers.node_vifs import NodeVifsController
from fake_server.baremetal.api.handlers.node_vmedia import NodeVmediaController

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.api.routing import Controller

#: Controllers that get the node from the path as an argument.
CHILDREN: Mapping[str, Controller] = MappingProxyType(
    {
        "states": NodeStatesController(),
        "vendor_passthru": NodeVendorPassthruController(),
        "management": NodeManagementController(),
        "maintenance": NodeMaintenanceController(),
    }
)
#: Controllers that are made for one node, with the version before which they aren't known.
OF_ONE_NODE: Mapping[str, tuple[Callable[[str], Controller], int]] = MappingProxyType(
    {
        "allocation": (NodeAllocationController, microversions.ALLOCATIONS),
        "vifs": (NodeVifsController, microversions.VIFS),
        "traits": (NodeTraitsController, microversions.TRAITS),
        "history": (NodeHistoryController, microversions.HISTORY),
        "bios": (NodeBiosController, microversions.BIOS),
        "firmware": (NodeFirmwareController, microversions.FIRMWARE),
        "inventory": (NodeInventoryController, microversions.INVENTORY),
        "vmedia": (NodeVmediaController, microversions.VMEDIA),
    }
)
