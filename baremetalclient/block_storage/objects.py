"""Types of JSON objects of the Block Storage API, as far as bare metal needs them.

For annotations in users' programs, too. Nothing else in this package imports the module at run
time, so that it costs nothing there. What only administrators see is not required.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Mode = Literal["ro", "rw"]
"""How a volume is attached: read-only, or for reading and writing."""

AttachmentStatus = Literal[
    "reserved", "attaching", "attached", "detached", "error_attaching", "error_detaching", "deleted"
]
"""The status of an attachment."""

VolumeStatus: TypeAlias = (
    Literal[
        "creating",
        "available",
        "reserved",
        "attaching",
        "detaching",
        "in-use",
        "maintenance",
        "deleting",
        "awaiting-transfer",
        "error",
        "error_deleting",
        "error_extending",
        "error_restoring",
        "backing-up",
        "restoring-backup",
        "downloading",
        "uploading",
        "retyping",
        "extending",
    ]
    | str
)
"""The status of a volume; newer servers may have others."""

Connector: TypeAlias = dict[str, Any]
"""The properties of a node by which the storage connects, such as ``initiator``."""


class VolumeUse(TypedDict):
    """An attachment as the volume names it."""

    id: str
    attachment_id: str
    volume_id: str
    server_id: str | None
    host_name: str | None
    device: str | None
    attached_at: str | None


# Their names are no identifiers.
_Volume = TypedDict(
    "_Volume",
    {
        "os-vol-tenant-attr:tenant_id": NotRequired[str],
        "os-vol-host-attr:host": NotRequired[str | None],
        "os-vol-mig-status-attr:migstat": NotRequired[str | None],
        "os-vol-mig-status-attr:name_id": NotRequired[str | None],
    },
)


class Volume(_Volume):
    """A volume."""

    id: str
    name: str | None
    status: VolumeStatus
    size: int
    availability_zone: str | None
    created_at: str
    updated_at: str | None
    description: str | None
    volume_type: str | None
    snapshot_id: str | None
    source_volid: str | None
    metadata: dict[str, str]
    user_id: str
    bootable: Literal["true", "false"]
    encrypted: bool
    replication_status: str | None
    consistencygroup_id: str | None
    group_id: NotRequired[str | None]
    provider_id: NotRequired[str | None]
    multiattach: bool
    migration_status: str | None
    attachments: list[VolumeUse]
    links: list[dict[str, str]]
    volume_image_metadata: NotRequired[dict[str, str]]


class Attachment(TypedDict):
    """A volume attached to an instance, or to a node if it has none."""

    id: str
    status: AttachmentStatus
    instance: str | None
    volume_id: str
    attached_at: str | None
    detached_at: str | None
    attach_mode: Mode | None
    connection_info: dict[str, Any]
