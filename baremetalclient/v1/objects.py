"""Types of JSON objects in requests and responses of the Bare Metal API.

For annotations in users' programs, too. Nothing else in this package imports the module at run
time, so that it costs nothing there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, Required, TypeAlias, TypedDict

from baremetalclient.v1.types import (
    BootDevice,
    IndicatorState,
    InterfaceKind,
    PatchVerb,
    ProvisionState,
    RAIDLevel,
    Severity,
)


class Link(TypedDict):
    """A link of a resource."""

    href: str
    rel: str


class PatchOperation(TypedDict, total=False):
    """An operation of a JSON patch."""

    op: Required[PatchVerb]
    path: Required[str]
    value: Any


Patch: TypeAlias = Sequence[PatchOperation] | Sequence[Mapping[str, Any]]
"""A JSON patch.

Programs collect operations in plain lists of dictionaries, so these are accepted as well; a list
that is annotated as ``list[PatchOperation]`` is checked.
"""


class Step(TypedDict, total=False):
    """A step of cleaning, deployment or servicing.

    Steps of deploy templates need a ``priority``, those of runbooks an ``order``.
    """

    interface: Required[InterfaceKind]
    step: Required[str]
    args: dict[str, Any]
    priority: int
    order: int


Steps: TypeAlias = Sequence[Step] | Sequence[Mapping[str, Any]]
"""Steps; a list that is annotated as ``list[Step]`` is checked."""


class LogicalDisk(TypedDict, total=False):
    """A logical disk of a RAID configuration."""

    raid_level: Required[RAIDLevel]
    size_gb: Required[int | Literal["MAX"]]
    volume_name: str
    is_root_volume: bool
    share_physical_disks: bool
    disk_type: Literal["hdd", "ssd"]
    interface_type: Literal["sata", "scsi", "sas"]
    number_of_physical_disks: int
    controller: str
    physical_disks: list[Any]


class RAIDConfig(TypedDict, total=False):
    """A RAID configuration; an empty one is none."""

    logical_disks: list[LogicalDisk]


class RuleAction(TypedDict, total=False):
    """An action of an inspection rule."""

    op: Required[str]
    args: Required[dict[str, Any] | list[Any]]
    loop: dict[str, Any] | list[Any]


class RuleCondition(RuleAction, total=False):
    """A condition of an inspection rule."""

    multiple: Literal["any", "all", "first", "last"]


class InterfaceValidation(TypedDict):
    """The result of the validation of an interface; None if the driver has no such interface."""

    result: bool | None
    reason: NotRequired[str | None]


class CurrentBootDevice(TypedDict):
    """The device that a node boots from."""

    boot_device: BootDevice | None
    persistent: bool | None


class SupportedBootDevices(TypedDict):
    """The devices that a node can boot from."""

    supported_boot_devices: list[BootDevice]


class Console(TypedDict):
    """The console of a node."""

    console_enabled: bool
    console_info: dict[str, Any] | None


class HistoryEvent(TypedDict):
    """An event of the history of a node; a plain list has the first five fields."""

    uuid: str
    created_at: str
    severity: str
    event: str
    links: list[Link]
    event_type: str
    conductor: str
    user: str | None
    project: str | None
    state: ProvisionState | None
    target_provision_state: ProvisionState | None
    duration_seconds: int | None


class Blank(TypedDict):
    """A part of a command that only the user knows.

    ``word`` is the position of the word among those that a shell reads, and ``name`` is what stands
    for the part, at the end of the word.
    """

    word: int
    name: str


class Finding(TypedDict):
    """A finding about a node.

    ``rule`` is the name of the rule that found it, ``link`` leads to what the documentation says of
    it, ``text`` is what it is in plain words, ``quote`` what Ironic says about it, ``cause`` what
    that usually means, ``checks`` what to look at, and ``command`` one that helps, with ``blanks``
    for what only the user knows.
    """

    rule: str
    link: str
    severity: Severity
    text: str
    quote: str | None
    cause: str | None
    checks: list[str]
    command: str | None
    blanks: list[Blank]


class Explanation(TypedDict):
    """What is in the way of a node, and what can be done.

    ``since`` is when the node came into its state, or when its ramdisk sent the last heartbeat, and
    ``seconds`` is how long ago that was. ``advice`` is ``next``, or what to do instead.
    """

    name: str | None
    uuid: str
    provision_state: ProvisionState
    since: str | None
    seconds: int | None
    last_heartbeat: str | None
    step: str | None
    findings: list[Finding]
    verbs: list[str]
    next: str | None
    advice: str


class BIOSSetting(TypedDict):
    """A BIOS setting of a node; a plain list has its name, value and times."""

    name: str
    value: str | None
    created_at: str
    updated_at: str | None
    links: list[Link]
    allowable_values: list[str] | None
    attribute_type: str | None
    lower_bound: int | None
    max_length: int | None
    min_length: int | None
    read_only: bool | None
    reset_required: bool | None
    unique: bool | None
    upper_bound: int | None


class FirmwareComponent(TypedDict):
    """A firmware component of a node."""

    component: str
    initial_version: str | None
    current_version: str | None
    last_version_flashed: str | None
    vendor: str | None
    model: str | None
    serial_number: str | None
    created_at: str
    updated_at: str | None


class VirtualMedium(TypedDict):
    """A device for virtual media of a node, and what is in it."""

    media_types: list[str]
    inserted: bool
    image: str


class Indicator(TypedDict):
    """An indicator of a node, and the states that it can have."""

    name: str
    component: str
    readonly: bool
    states: list[str]
    links: list[Link]


class CurrentIndicatorState(TypedDict):
    """The state of an indicator, ``unknown`` if the machine does not tell."""

    state: IndicatorState | Literal["unknown"]


class Inventory(TypedDict):
    """The hardware of a node as inspection found it, and what else the ramdisk reported."""

    inventory: dict[str, Any]
    plugin_data: dict[str, Any]


class FieldChange(TypedDict):
    """A change of a field."""

    old: Any
    new: Any


class NodeEvent(TypedDict):
    """What a watch has seen of a node.

    ``at`` is the time when it was seen, in the format of ISO 8601.
    """

    at: str
    name: str | None
    uuid: str
    event: Literal["present", "changed", "added", "removed"]
    fields: dict[str, FieldChange]
