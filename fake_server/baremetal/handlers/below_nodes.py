"""What lies below a node, besides what is shared with other resources."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from .. import microversions
from .allocations import NodeAllocationController
from .node_bios import NodeBiosController
from .node_firmware import NodeFirmwareController
from .node_history import NodeHistoryController
from .node_inventory import NodeInventoryController
from .node_maintenance import NodeMaintenanceController
from .node_management import NodeManagementController
from .node_states import NodeStatesController
from .node_traits import NodeTraitsController
from .node_vendor_passthru import NodeVendorPassthruController
from .node_vifs import NodeVifsController
from .node_vmedia import NodeVmediaController

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..routing import Controller

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
