"""The fields of each kind of resource in a seed, named as in the Bare Metal API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import node_fields, states, tables
from fake_server.baremetal.api.handlers import (
    inspection_rules,
    local_links,
    node_bios,
    node_firmware,
    node_schema,
    step_schemas,
)
from fake_server.baremetal.models import allocations, machines
from fake_server.seeds import checks
from fake_server.seeds.kind import Kind

if TYPE_CHECKING:
    import sqlalchemy as sa

    from fake_server.seeds.checks import Check

#: States that a node can be in.
STATES = (
    states.STABLE
    | states.UNSTABLE
    | states.FAILED
    | {states.DEPLOYHOLD, states.CLEANHOLD, states.SERVICEHOLD}
)
_POWER = ("power on", "power off", "rebooting", "error")


def _of_columns(table: sa.Table, *names: str) -> dict[str, Check]:
    """Return fields that are columns, and what these can hold."""
    return {name: checks.of_column(table.c[name]) for name in names}


def _node_checks() -> dict[str, Check]:
    """Return the fields of a node that a seed may set, and what their values may be."""
    found: dict[str, Check] = {}
    for item in node_fields.FIELDS:
        if item.kind is node_fields.OBJECT:
            found[item.name] = checks.mapping
        elif item.kind in (node_fields.BOOLEAN, node_fields.UNCHECKED_BOOLEAN):
            nullable = tables.nodes.c[item.name].nullable
            found[item.name] = checks.truth if nullable else checks.required_truth
        elif item.kind is node_fields.UUID:
            found[item.name] = checks.uuid
        elif item.kind in (node_fields.TEXT, node_fields.MESSAGE) and item.name != "parent_node":
            found[item.name] = checks.text(item.limits.get("maxLength", item.length))
    return found | {
        "name": checks.node_name,
        "network_data": checks.by_api(node_schema.NETWORK_DATA.argument),
        "provision_state": checks.one_of(STATES),
        "target_provision_state": checks.one_of(STATES),
        "power_state": checks.one_of(_POWER),
        "target_power_state": checks.one_of((*_POWER, "soft power off", "soft rebooting")),
    }


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
    links={
        "portgroup": checks.text(255),
        "portgroup_uuid": checks.uuid,
        "node_uuid": checks.uuid,
    },
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
    links={"node_uuid": checks.uuid},
    children=(PORTS,),
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
    links={"node_uuid": checks.uuid},
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
    links={"node_uuid": checks.uuid},
)
HISTORY = Kind(
    "history",
    tables.node_history,
    {
        "uuid": checks.uuid,
        "created_at": checks.time,
        "conductor": checks.text(255),
        "severity": checks.text(255),
        "event": checks.text(),
        "event_type": checks.text(255),
        "user": checks.text(64),
        "project": checks.text(64),
        "state": checks.text(15),
        "target_provision_state": checks.text(15),
        "duration_seconds": checks.integer,
    },
    required=("event",),
)
BIOS = Kind(
    "bios",
    tables.bios_settings,
    _of_columns(tables.bios_settings, "name", "value", *node_bios.REGISTRY),
    required=("name",),
)
FIRMWARE = Kind(
    "firmware",
    tables.firmware_components,
    _of_columns(tables.firmware_components, *node_firmware.VERSIONS, *node_firmware.IDENTITY),
    required=("component",),
)
#: What belongs to a node, in the order in which it is stored.
OF_NODES = (PORTGROUPS, PORTS, VOLUME_CONNECTORS, VOLUME_TARGETS, HISTORY, BIOS, FIRMWARE)
NODES = Kind(
    "nodes",
    tables.nodes,
    _node_checks(),
    links={
        "chassis_uuid": checks.uuid,
        "parent_node": checks.text(255),
        "machine": machines.problem,
        "inventory": checks.inventory,
    },
    children=OF_NODES,
    traits=tables.node_traits,
)
CHASSIS = Kind(
    "chassis",
    tables.chassis,
    {"uuid": checks.uuid, "description": checks.text(255), "extra": checks.mapping},
    children=(NODES,),
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
INSPECTION_RULES = Kind(
    "inspection_rules",
    tables.inspection_rules,
    {
        "uuid": checks.uuid,
        "description": checks.text(255),
        "priority": checks.by_schema(inspection_rules.PROPERTIES["priority"]),
        "sensitive": checks.required_truth,
        "phase": checks.text(16),
        "conditions": checks.by_schema(inspection_rules.PROPERTIES["conditions"]),
        "actions": checks.by_schema(inspection_rules.PROPERTIES["actions"]),
    },
    required=("actions",),
)
ALLOCATIONS = Kind(
    "allocations",
    tables.allocations,
    {
        "uuid": checks.uuid,
        "name": checks.name,
        "state": checks.one_of((allocations.ALLOCATING, allocations.ACTIVE, allocations.ERROR)),
        "owner": checks.text(255),
        "last_error": checks.text(),
        "resource_class": checks.text(80),
        "traits": checks.traits,
        "candidate_nodes": checks.uuids,
        "extra": checks.mapping,
    },
    links={"node": checks.text(255)},
)
#: The lists of what Ironic has, in the order in which they are stored.
LISTS = (CHASSIS, NODES, DEPLOY_TEMPLATES, RUNBOOKS, INSPECTION_RULES, ALLOCATIONS)
