"""Block device mappings of a request for servers, as they are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.compute.errors import InvalidBDM
from fake_server.compute.models.block_devices import LOCAL, READ_WRITE, VOLUME

if TYPE_CHECKING:
    from collections.abc import Mapping

Device = dict[str, Any]


def read(
    wanted: Mapping[str, Any], image_ref: str | None, flavor: Mapping[str, Any]
) -> list[Device]:
    """Return the block devices of a request's ``server``; raise BadRequest if they are invalid."""
    legacy = wanted.get("block_device_mapping")
    newer = wanted.get("block_device_mapping_v2")
    if legacy and newer:
        raise BadRequest(
            "Using different block_device_mapping syntaxes is not allowed in the same request."
        )
    if legacy:
        found = [_from_legacy(item, index) for index, item in enumerate(legacy) if _present(item)]
    else:
        found = [_device(item, image_ref) for item in newer or () if _present(item)]
    # Devices in the newer form are all that there are: the image has to be one of them.
    _check_boot_order(found, first=bool(image_ref) and not newer)
    _check_sizes(found, flavor)
    volumes = [device["volume_id"] for device in found if device["volume_id"]]
    if len(set(volumes)) < len(volumes):
        raise InvalidBDM("A volume can be there only once.")
    return found


def _present(item: Mapping[str, Any]) -> bool:
    return not item.get("no_device")


def _from_legacy(item: Mapping[str, Any], index: int) -> Device:
    volume_id = item.get("volume_id")
    if not volume_id:
        raise InvalidBDM("Missing device UUID.")
    return _stored(
        item,
        source_type=VOLUME,
        destination_type=VOLUME,
        boot_index=0 if index == 0 else None,
        volume_id=volume_id,
        attach_mode=READ_WRITE,
    )


def _device(item: Mapping[str, Any], image_ref: str | None) -> Device:
    source, uuid = item.get("source_type"), item.get("uuid")
    if source is None:
        source = next((kind for kind in ("volume", "image") if item.get(f"{kind}_id")), None)
        uuid = item.get(f"{source}_id")
    if source is None:
        raise InvalidBDM("Missing device UUID.")
    by_default = VOLUME if source in ("volume", "snapshot") else LOCAL
    destination = item.get("destination_type") or by_default
    boot_index = parse_integer(item.get("boot_index"))
    _check_source(item, source, uuid, destination)
    boots_image = image_ref is not None and boot_index == 0
    if source == "image" and destination == LOCAL and not boots_image:
        raise InvalidBDM("Mapping image to local is not supported.")
    mode = item.get("attach_mode")
    if destination == LOCAL and mode is not None:
        raise InvalidBDM("Specifying an attach_mode with destination_type=local is not supported.")
    return _stored(
        item,
        source_type=source,
        destination_type=destination,
        boot_index=boot_index,
        volume_id=uuid if source == "volume" else None,
        image_id=uuid if source == "image" else None,
        attach_mode=None if destination == LOCAL else mode or READ_WRITE,
    )


def _check_source(item: Mapping[str, Any], source: str, uuid: str | None, destination: str) -> None:
    if source == "blank" and uuid:
        raise InvalidBDM("Invalid device UUID.")
    if source != "blank" and not uuid:
        raise InvalidBDM("Missing device UUID.")
    if source == "snapshot":
        raise InvalidBDM(f"failed to get snapshot {uuid}.")
    if source == "volume" and destination == LOCAL:
        raise InvalidBDM("Mapping volume to local is not supported.")
    if item.get("volume_type"):
        if destination == LOCAL:
            raise InvalidBDM(
                "Specifying a volume_type with destination_type=local is not supported."
            )
        if source == "volume":
            raise InvalidBDM("Specifying volume type to existing volume is not supported.")
    if source != "volume" and destination == VOLUME and not item.get("volume_size"):
        if source == "blank":
            raise BadRequest(
                "Blank volumes (source: 'blank', dest: 'volume') need to have non-zero size"
            )
        raise BadRequest(
            "Images with destination_type 'volume' need to have a non-zero size specified"
        )


def _stored(item: Mapping[str, Any], **values: Any) -> Device:
    name = item.get("device_name")
    if name is not None and not name.startswith("/dev/"):
        name = f"/dev/{name}"
    return {
        "image_id": None,
        "volume_size": parse_integer(item.get("volume_size")),
        "volume_type": item.get("volume_type"),
        "guest_format": item.get("guest_format"),
        "device_name": name,
        "delete_on_termination": bool(parse_boolean(item.get("delete_on_termination"))),
        "tag": item.get("tag"),
        **values,
    }


def _check_sizes(found: list[Device], flavor: Mapping[str, Any]) -> None:
    """Raise BadRequest for local disks that are larger than those of the flavor."""
    blank = {"source_type": "blank", "destination_type": LOCAL}
    local = [one for one in found if blank.items() <= one.items()]
    swap = [one["volume_size"] or 0 for one in local if one["guest_format"] == "swap"]
    others = [one["volume_size"] or 0 for one in local if one["guest_format"] != "swap"]
    if sum(others) > flavor["ephemeral"]:
        raise BadRequest(
            "Ephemeral disks requested are larger than the instance type allows. If no size is "
            "given in one block device mapping, flavor ephemeral size will be used."
        )
    if sum(swap) > flavor["swap"]:
        raise BadRequest("Swap drive requested is larger than instance type allows.")


def _check_boot_order(found: list[Device], *, first: bool) -> None:
    """Raise InvalidBDM unless it is clear what to boot from.

    :param first: whether the image comes before the devices.
    """
    order = sorted(
        device["boot_index"]
        for device in found
        if device["boot_index"] is not None and device["boot_index"] >= 0
    )
    if first:
        order = [0, *order]
    if order != list(range(len(order))) or not order:
        raise InvalidBDM(
            "Boot sequence for the instance and image/block device mapping combination is not "
            "valid."
        )
