"""Types of JSON objects of the Compute API, as far as bare metal needs them.

For annotations in users' programs, too. Only a command that needs the names of the fields imports
the module at run time, so that it costs nothing elsewhere. What only administrators see, or only
newer versions have, is not required.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

AttachMode = Literal["ro", "rw"]
"""How a volume is attached: read-only, or for reading and writing."""

ServerStatus = Literal[
    "ACTIVE",
    "BUILD",
    "DELETED",
    "ERROR",
    "HARD_REBOOT",
    "MIGRATING",
    "PASSWORD",
    "PAUSED",
    "REBOOT",
    "REBUILD",
    "RESCUE",
    "RESIZE",
    "REVERT_RESIZE",
    "SHELVED",
    "SHELVED_OFFLOADED",
    "SHUTOFF",
    "SOFT_DELETED",
    "SUSPENDED",
    "UNKNOWN",
    "VERIFY_RESIZE",
]
"""The status of a server."""


class ServerLink(TypedDict):
    """A link."""

    href: str
    rel: str


class ServerFault(TypedDict):
    """Why a server failed."""

    code: int
    created: str
    message: str
    details: NotRequired[str]


class AttachedVolume(TypedDict):
    """A volume of a server, as the server names it."""

    id: str
    delete_on_termination: NotRequired[bool]


# Their names are no identifiers.
_Address = TypedDict(
    "_Address",
    {"addr": str, "version": Literal[4, 6], "OS-EXT-IPS:type": str, "OS-EXT-IPS-MAC:mac_addr": str},
)
_Server = TypedDict(
    "_Server",
    {
        "OS-DCF:diskConfig": str,
        "OS-EXT-AZ:availability_zone": str,
        "OS-EXT-SRV-ATTR:host": NotRequired[str | None],
        "OS-EXT-SRV-ATTR:hostname": NotRequired[str],
        "OS-EXT-SRV-ATTR:hypervisor_hostname": NotRequired[str | None],
        "OS-EXT-SRV-ATTR:instance_name": NotRequired[str],
        "OS-EXT-SRV-ATTR:kernel_id": NotRequired[str],
        "OS-EXT-SRV-ATTR:launch_index": NotRequired[int],
        "OS-EXT-SRV-ATTR:ramdisk_id": NotRequired[str],
        "OS-EXT-SRV-ATTR:reservation_id": NotRequired[str],
        "OS-EXT-SRV-ATTR:root_device_name": NotRequired[str],
        "OS-EXT-SRV-ATTR:user_data": NotRequired[str | None],
        "OS-EXT-STS:power_state": int,
        "OS-EXT-STS:task_state": str | None,
        "OS-EXT-STS:vm_state": str,
        "OS-SRV-USG:launched_at": str | None,
        "OS-SRV-USG:terminated_at": str | None,
        "os-extended-volumes:volumes_attached": list[AttachedVolume],
    },
)
_Flavor = TypedDict(
    "_Flavor", {"OS-FLV-EXT-DATA:ephemeral": int, "os-flavor-access:is_public": bool}
)


class Address(_Address):
    """An address of a server."""


class Server(_Server):
    """A server."""

    id: str
    name: str
    links: list[ServerLink]
    status: ServerStatus
    tenant_id: str
    user_id: str
    metadata: dict[str, str]
    hostId: str
    image: dict[str, Any] | Literal[""]
    flavor: dict[str, Any]
    created: str
    updated: str
    addresses: dict[str, list[Address]]
    accessIPv4: str
    accessIPv6: str
    config_drive: str
    key_name: str | None
    security_groups: NotRequired[list[dict[str, str]]]
    fault: NotRequired[ServerFault]
    progress: NotRequired[int]
    host_status: NotRequired[str]
    locked: NotRequired[bool]
    locked_reason: NotRequired[str | None]
    description: NotRequired[str | None]
    tags: NotRequired[list[str]]
    trusted_image_certificates: NotRequired[list[str] | None]
    server_groups: NotRequired[list[str]]
    pinned_availability_zone: NotRequired[str | None]
    scheduler_hints: NotRequired[dict[str, Any]]


class Flavor(_Flavor):
    """A flavor."""

    id: str
    name: str
    links: list[ServerLink]
    ram: int
    disk: int
    swap: int | Literal[""]
    vcpus: int
    description: NotRequired[str | None]
    extra_specs: NotRequired[dict[str, str]]


class FlavorSummary(TypedDict):
    """A flavor as lists show it."""

    id: str
    name: str
    links: list[ServerLink]
    description: NotRequired[str | None]


class VolumeAttachment(TypedDict):
    """A volume of a server; ``attach_mode`` since version 2.105."""

    id: NotRequired[str]
    volumeId: str
    serverId: str
    device: NotRequired[str | None]
    tag: NotRequired[str | None]
    delete_on_termination: NotRequired[bool]
    attachment_id: NotRequired[str | None]
    bdm_uuid: NotRequired[str]
    attach_mode: NotRequired[AttachMode]


class BlockDevice(TypedDict, total=False):
    """A block device of a new server, an item of ``block_device_mapping_v2``."""

    source_type: Literal["volume", "image", "snapshot", "blank"]
    destination_type: Literal["volume", "local"]
    uuid: str
    boot_index: int | None
    volume_size: int
    volume_type: str
    device_name: str
    delete_on_termination: bool
    tag: str
    attach_mode: AttachMode | None
    disk_bus: str
    device_type: str
    guest_format: str
