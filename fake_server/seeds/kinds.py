"""What a seed says about each kind of resource; names are those of the Bare Metal API."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..baremetal import states, tables
from ..baremetal.handlers import local_links, node_schema, step_schemas
from ..baremetal.hardware import registry
from . import checks

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

    from .checks import Check

#: States that a node can be in.
STATES = (
    states.STABLE
    | states.UNSTABLE
    | states.FAILED
    | {states.DEPLOYHOLD, states.CLEANHOLD, states.SERVICEHOLD}
)
_POWER = ("power on", "power off", "rebooting", "error")
_INTERFACES = tuple(f"{kind}_interface" for kind in registry.KINDS)


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of resource.

    :param key: of the list of them.
    :param fields: the columns that a seed may set, and what their values may be.
    :param required: those that it has to set.
    :param links: fields that aren't columns but name another resource.
    :param traits: where its traits are, if it has some.
    :param step_number: what the number of each of its steps is called, if it has steps.
    """

    key: str
    table: sa.Table
    fields: Mapping[str, Check]
    required: tuple[str, ...] = ()
    links: Mapping[str, Check] = field(default_factory=lambda: MappingProxyType({}))
    traits: sa.Table | None = None
    step_number: str | None = None

    def defaults(self) -> dict[str, Any]:
        """Return a row in which nothing is set."""
        return {
            column.name: column.default.arg if column.default is not None else None  # type: ignore[attr-defined]
            for column in self.table.columns
        }


CHASSIS = Kind(
    "chassis",
    tables.chassis,
    {"uuid": checks.uuid, "description": checks.text(255), "extra": checks.mapping},
)
NODES = Kind(
    "nodes",
    tables.nodes,
    {
        "uuid": checks.uuid,
        "name": checks.node_name,
        "driver": checks.text(255),
        **dict.fromkeys(_INTERFACES, checks.text(255)),
        "driver_info": checks.mapping,
        "driver_internal_info": checks.mapping,
        "properties": checks.mapping,
        "instance_info": checks.mapping,
        "extra": checks.mapping,
        "network_data": checks.by_api(node_schema.NETWORK_DATA.argument),
        "resource_class": checks.text(80),
        "conductor_group": checks.text(255),
        "owner": checks.text(255),
        "lessee": checks.text(255),
        "shard": checks.text(255),
        "description": checks.text(node_schema.MAX_DESCRIPTION),
        "instance_uuid": checks.uuid,
        "instance_name": checks.text(255),
        "automated_clean": checks.truth,
        "console_enabled": checks.required_truth,
        "disable_power_off": checks.truth,
        "protected": checks.required_truth,
        "protected_reason": checks.text(),
        "retired": checks.truth,
        "retired_reason": checks.text(),
        "maintenance": checks.required_truth,
        "maintenance_reason": checks.text(),
        "fault": checks.text(255),
        "health": checks.text(32),
        "last_error": checks.text(),
        "provision_state": checks.one_of(STATES),
        "target_provision_state": checks.one_of(STATES),
        "power_state": checks.one_of(_POWER),
        "target_power_state": checks.one_of((*_POWER, "soft power off", "soft rebooting")),
        "boot_mode": checks.text(16),
        "secure_boot": checks.truth,
        "raid_config": checks.mapping,
        "target_raid_config": checks.mapping,
        "clean_step": checks.mapping,
        "deploy_step": checks.mapping,
        "service_step": checks.mapping,
    },
    links={"chassis_uuid": checks.uuid, "parent_node": checks.text(255)},
    traits=tables.node_traits,
)
PORTGROUPS = Kind(
    "portgroups",
    tables.portgroups,
    {
        "uuid": checks.uuid,
        "name": checks.name,
        "address": checks.mac,
        "mode": checks.text(255),
        "properties": checks.mapping,
        "standalone_ports_supported": checks.truth,
        "physical_network": checks.text(64),
        "category": checks.text(80),
        "dynamic_portgroup": checks.truth,
        "extra": checks.mapping,
        "internal_info": checks.mapping,
    },
)
PORTS = Kind(
    "ports",
    tables.ports,
    {
        "uuid": checks.uuid,
        "address": checks.mac,
        "name": checks.text(255),
        "description": checks.text(255),
        "pxe_enabled": checks.truth,
        "local_link_connection": checks.by_api(local_links.local_link),
        "physical_network": checks.text(64),
        "is_smartnic": checks.truth,
        "vendor": checks.text(32),
        "category": checks.text(80),
        "available_for_dynamic_portgroup": checks.required_truth,
        "extra": checks.mapping,
        "internal_info": checks.mapping,
    },
    required=("address",),
    links={"portgroup": checks.text(255)},
)
VOLUME_CONNECTORS = Kind(
    "volume_connectors",
    tables.volume_connectors,
    {
        "uuid": checks.uuid,
        "type": checks.text(32),
        "connector_id": checks.text(255),
        "extra": checks.mapping,
    },
    required=("type", "connector_id"),
)
VOLUME_TARGETS = Kind(
    "volume_targets",
    tables.volume_targets,
    {
        "uuid": checks.uuid,
        "volume_type": checks.text(64),
        "volume_id": checks.text(36),
        "boot_index": checks.integer,
        "properties": checks.mapping,
        "extra": checks.mapping,
    },
    required=("volume_type", "volume_id", "boot_index"),
)
DEPLOY_TEMPLATES = Kind(
    "deploy_templates",
    tables.deploy_templates,
    {
        "uuid": checks.uuid,
        "name": checks.trait,
        "extra": checks.mapping,
        "steps": checks.steps(step_schemas.DEPLOY_STEP),
    },
    required=("name", "steps"),
    step_number="priority",
)
RUNBOOKS = Kind(
    "runbooks",
    tables.runbooks,
    {
        "uuid": checks.uuid,
        "name": checks.name,
        "description": checks.text(255),
        "public": checks.required_truth,
        "owner": checks.text(255),
        "disable_ramdisk": checks.required_truth,
        "extra": checks.mapping,
        "steps": checks.steps(step_schemas.RUNBOOK_STEP),
    },
    required=("name", "steps"),
    traits=tables.runbook_traits,
    step_number="order",
)
#: The lists of a seed, in the order in which they are stored.
LISTS = (CHASSIS, NODES, DEPLOY_TEMPLATES, RUNBOOKS)
#: What belongs to a node, in the order in which it is stored.
OF_NODES = (PORTGROUPS, PORTS, VOLUME_CONNECTORS, VOLUME_TARGETS)
