"""Volume resources in dialect ``spec``, as in the specification *Volume connection information*.

The released API has no filters and no paths ``detail``, accepts any text and requires a boot
index of every target; these controllers are the document's where that differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fake_server.baremetal import arguments
from fake_server.baremetal.api.handlers import volume_items
from fake_server.baremetal.api.list_query import ListArgument
from fake_server.baremetal.models import volume

if TYPE_CHECKING:
    from fake_server.common.schemas import Schema

_CONNECTOR_TYPES = ("iqn", "ip", "mac", "wwnn", "wwpn", "net-id")
_FILTER = ListArgument({"type": ["string", "integer"]}, arguments.string)


def _text(length: int) -> Schema:
    return {"type": "string", "maxLength": length}


class SpecConnectorsController(volume_items.VolumeConnectorsController):
    """The volume connectors of all nodes or of one."""

    custom_actions: ClassVar = {"detail": ("GET",)}
    takes_names = True
    filters: ClassVar = {"type": _FILTER, "connector_id": _FILTER}
    converter = volume_items.converter(
        volume.CONNECTORS.fields,
        volume.CONNECTORS.fields.schema(
            connector_id=_text(255), type={"type": "string", "enum": list(_CONNECTOR_TYPES)}
        ),
    )


class SpecTargetsController(volume_items.VolumeTargetsController):
    """The volume targets of all nodes or of one."""

    custom_actions: ClassVar = {"detail": ("GET",)}
    takes_names = True
    filters: ClassVar = {
        "volume_type": _FILTER,
        "volume_id": _FILTER,
        "boot_index": _FILTER._replace(converter=arguments.integer),
    }
    converter = volume_items.converter(
        volume.TARGETS.fields,
        volume.TARGETS.fields.schema(
            boot_index={"type": ["integer", "null"]}, volume_id=_text(36), volume_type=_text(64)
        )
        | {"required": ["node_uuid", "volume_id", "volume_type"]},
    )
