"""Storage interfaces: whether a node may boot from its volumes, and attaching them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from fake_server.baremetal import errors
from fake_server.baremetal.drivers import volumes
from fake_server.baremetal.drivers.base import StorageInterface
from fake_server.baremetal.models.node_properties import capability
from fake_server.common.parsing import parse_boolean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record

_ISCSI = ("iqn",)
_FIBRE_CHANNEL = ("wwpn", "wwnn")


class ExternalStorage(StorageInterface, names={"external": "storage.external.ExternalStorage"}):
    """Volumes that someone else attaches."""

    def validate(self, task: Task) -> None:
        """Check that the node can boot from its boot volume, if it has one."""
        if not self.writes_image(task) and "ipxe_boot" not in task.driver.boot.capabilities:
            raise errors.InvalidParameterValue(
                f"Failed to validate external storage interface for node {task.node['uuid']}. "
                "To support network booting to an iSCSI volume, the boot interface must be set to "
                "``ipxe``."
            )

    def writes_image(self, task: Task) -> bool:
        """Return whether an image is named, or no volume to boot from is."""
        if "image_source" in task.node["instance_info"]:
            return True
        return all(volume["boot_index"] != 0 for volume in task.volume_targets)


class CinderStorage(ExternalStorage, names={"cinder": "storage.cinder.CinderStorage"}):
    """Volumes of the Block Storage service."""

    def validate(self, task: Task) -> None:
        """Check connectors, capabilities and volumes against each other."""
        connectors = task.volume_connectors
        iscsi = _count(connectors, *_ISCSI) >= 1
        if iscsi and "ipxe_boot" not in task.driver.boot.capabilities:
            _refuse(
                task,
                "The [pxe]/ipxe_enabled option must be set to True or the boot interface must be "
                "set to ``ipxe`` to support network booting to an iSCSI volume.",
            )
        ports, names = _count(connectors, "wwpn"), _count(connectors, "wwnn")
        if ports != names:
            _refuse(
                task,
                "Cinder requires both wwnn and wwpn entries for FCoE connections. There must be a "
                f"wwpn entry for every wwnn entry. There are {ports} wwpn entries and {names} wwnn "
                "entries.",
                errors.StorageError,
            )
        boots = {
            "iscsi": bool(parse_boolean(capability(task.node, "iscsi_boot"))),
            "fibre_channel": bool(parse_boolean(capability(task.node, "fibre_channel_boot"))),
        }
        if boots["iscsi"] and not iscsi:
            _refuse_capability(task, "iscsi_boot", "iSCSI", _ISCSI)
        if boots["fibre_channel"] and ports < 1:
            _refuse_capability(task, "fibre_channel_boot", "Fibre Channel", _FIBRE_CHANNEL)
        found = {"iscsi": iscsi, "fibre_channel": ports >= 1}
        for volume in task.volume_targets:
            _check_volume(task, volume, boots, found)

    def attach_volumes(self, task: Task) -> None:
        """Attach the volumes of the node to it."""
        volumes.attach(task)

    def detach_volumes(self, task: Task) -> None:
        """Detach the volumes of the node from it."""
        volumes.detach(task)


def _count(connectors: Sequence[Record], *types: str) -> int:
    return sum(
        connector["type"] in types and connector["connector_id"] is not None
        for connector in connectors
    )


def _check_volume(
    task: Task, volume: Record, boots: dict[str, bool], found: dict[str, bool]
) -> None:
    uuid, kind = volume["uuid"], volume["volume_type"]
    if kind not in boots:
        _refuse(
            task,
            f"Volume target {uuid} is of an unknown type '{kind}'. Supported types: 'iscsi' or "
            "'fibre_channel'",
        )
    if not boots[kind] and volume["boot_index"] == 0:
        owner = "the node" if kind == "iscsi" else "node"
        preposition = "for" if kind == "iscsi" else "on"
        _refuse(
            task,
            f"Volume target {uuid} is configured for '{kind}', however the capability "
            f"'{kind}_boot' is not set {preposition} {owner}.",
        )
    if not found[kind]:
        missing = (
            "no iSCSI connectors are configured for the node."
            if kind == "iscsi"
            else "no Fibre Channel WWPNs are configured for the node volume connectors."
        )
        _refuse(task, f"Volume target {uuid} is configured for '{kind}', however {missing}")


def _refuse_capability(task: Task, name: str, storage: str, types: Sequence[str]) -> None:
    _refuse(
        task,
        f"In order to enable the '{name}' capability for the node, an associated volume_connector "
        f"type must be valid for {storage} ({', '.join(types)}).",
    )


def _refuse(
    task: Task, reason: str, error: type[errors.ApiError] = errors.InvalidParameterValue
) -> NoReturn:
    raise error(
        f"Failed to validate cinder storage interface for node {task.node['uuid']}. {reason}"
    )
