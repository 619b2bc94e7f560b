"""The kinds of resources that a lab file can hold: their identities and their fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from baremetalclient.v1.resources import resource_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._resource.schema import ResourceType


@dataclass(frozen=True)
class LabKind:
    """A kind of resource in a file.

    :param manager: the name of its manager, and of its module.
    :param identity: sets of fields, each of which identifies a resource; the first one that a file
        has counts.
    :param required: required fields of a resource.
    :param nested: keys of the lists of resources that belong to it, in the order of creation.
    :param special: fields that are not simply fields of the API: other requests set them.
    :param later: fields that Ironic accepts only after the resource was created.
    :param not_new: fields that a resource can't have when it is created.
    :param fixed: fields that cannot be changed afterwards.
    :param by_key: fields with objects of which each key is owned by itself.
    :param defaults: the values of new resources where they aren't null, which null stands for.
    :param seed_only: what the fake server keeps of it, and Ironic does not accept.
    """

    manager: str
    identity: tuple[tuple[str, ...], ...]
    required: tuple[str, ...] = ()
    nested: tuple[str, ...] = ()
    special: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    not_new: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    by_key: tuple[str, ...] = ("extra",)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    seed_only: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name in reports."""
        return self.manager.replace("_", " ")

    @property
    def key(self) -> str:
        """The key of its list."""
        return self.manager if self.manager.endswith("s") else f"{self.manager}s"

    @cached_property
    def schema(self) -> ResourceType:
        """The fields of its resources."""
        return resource_type(self.manager)

    @property
    def parent_field(self) -> str:
        """The field by which nested resources refer to it."""
        return f"{self.manager}_uuid"

    def id_of(self, fields: Mapping[str, Any]) -> str:
        """Return the name of one of its resources in reports."""
        names = ("name", "address", "connector_id", "boot_index", "description")
        shown = names[1:] if self.manager == "port" else names
        name = next((name for name in shown if fields.get(name) is not None), "uuid")
        text = str(fields.get(name, "without a name"))
        return f"{fields.get('type')} {text}" if name == "connector_id" else text

    @cached_property
    def creatable(self) -> set[str]:
        """The fields that Ironic accepts when a resource is created."""
        return {*self.schema.creatable_names} - {*self.later}

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The fields that a file can have for it."""
        return tuple(dict.fromkeys((*self.schema.creatable_names, *self.later, *self.special)))


_STEPS = ("name", "steps")

_KINDS = (
    LabKind("chassis", (("uuid",), ("description",)), nested=("nodes",)),
    LabKind(
        "node",
        (("uuid",), ("name",)),
        required=("driver",),
        nested=("portgroups", "ports", "volume_connectors", "volume_targets"),
        special=(
            *("traits", "vifs", "bios_settings", "target_raid_config"),
            *("provision_state", "power_state"),
        ),
        later=(
            *("owner", "instance_info", "maintenance", "maintenance_reason"),
            *("protected", "protected_reason", "retired", "retired_reason"),
        ),
        not_new=(
            *("provision_state", "power_state", "vifs", "bios_settings"),
            *("protected", "protected_reason"),
        ),
        by_key=("extra", "properties", "driver_info", "instance_info"),
        defaults={
            "conductor_group": "",
            "disable_power_off": False,
            "maintenance": False,
            "protected": False,
            "retired": False,
        },
        seed_only=("machine", "history", "bios", "firmware", "inventory", "age"),
    ),
    LabKind(
        "portgroup",
        (("uuid",), ("name",), ("address",)),
        nested=("ports",),
        by_key=("extra", "properties"),
        defaults={"mode": "active-backup", "standalone_ports_supported": True},
    ),
    LabKind(
        "port",
        (("uuid",), ("address",)),
        required=("address",),
        special=("portgroup",),
        defaults={
            "pxe_enabled": True,
            "is_smartnic": False,
            "available_for_dynamic_portgroup": True,
        },
    ),
    LabKind(
        "volume_connector",
        (("type", "connector_id"),),
        required=("type", "connector_id"),
    ),
    LabKind(
        "volume_target",
        (("boot_index",),),
        required=("volume_type", "volume_id", "boot_index"),
        by_key=("extra", "properties"),
    ),
    LabKind("deploy_template", (("name",),), _STEPS),
    LabKind(
        "runbook",
        (("name",),),
        _STEPS,
        special=("traits",),
        later=("owner",),
        defaults={"public": False, "disable_ramdisk": False},
    ),
    LabKind(
        "inspection_rule",
        (("uuid",), ("description",)),
        required=("actions",),
        by_key=(),
        defaults={"priority": 0, "sensitive": False, "phase": "main"},
    ),
    LabKind(
        "allocation",
        (("name",),),
        fixed=("uuid", "owner", "resource_class", "traits", "candidate_nodes", "node"),
    ),
)

KINDS: Mapping[str, LabKind] = {kind.key: kind for kind in _KINDS}
"""The kinds of resources by the key of their list."""

LISTS = ("chassis", "nodes", "deploy_templates", "runbooks", "inspection_rules", "allocations")
"""The lists of a file, in the order of creation."""

OTHER_LISTS = (
    *("projects", "users", "security_groups", "address_groups", "address_scopes", "subnetpools"),
    *("networks", "trunks", "routers", "floatingips", "network_agents", "network_quotas"),
    *("images", "volume_types"),
    *("volumes", "flavors", "keypairs", "servers"),
)
"""The lists of resources of other services."""

MAC_FIELDS = ("address", "switch_id")
_ANY_CASE = ("uuid", *MAC_FIELDS, "conductor_group")

STABLE_STATES = ("enroll", "manageable", "available", "active")
"""The provision states that a file can have."""

POWER_STATES = ("power on", "power off")
"""The power states that a file can have."""

WRITTEN_BY_IRONIC: Mapping[str, set[str]] = {"instance_info": {"image_type", "image_url"}}
"""The keys of objects of a node that only Ironic sets."""


def folded(name: str, value: Any) -> Any:
    """Return a value in one spelling: of UUIDs, for example, the case does not matter."""
    return value.lower() if name in _ANY_CASE and isinstance(value, str) else value
