"""The fields of each kind of resource in a seed, named as in the Bare Metal API."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fake_server.baremetal import fields, node_fields, resource_fields, states, tables
from fake_server.baremetal.api.handlers import (
    inspection_rules,
    local_links,
    node_hardware,
    node_schema,
    step_schemas,
)
from fake_server.baremetal.models import allocations, machines
from fake_server.seeds import checks
from fake_server.seeds.resource_kind import ResourceKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import sqlalchemy as sa

    from fake_server.baremetal.fields import Field
    from fake_server.seeds.checks import Check

#: States that a node can be in.
STATES = (
    states.STABLE
    | states.UNSTABLE
    | states.FAILED
    | {states.DEPLOYHOLD, states.CLEANHOLD, states.SERVICEHOLD}
)
_OF_KINDS: Mapping[fields.Kind, Check] = MappingProxyType(
    {
        fields.OBJECT: checks.mapping,
        fields.UUID: checks.uuid,
        fields.ADDRESS: checks.mac,
        fields.INTEGER: checks.integer,
    }
)
_POWER = ("power on", "power off", "rebooting", "error")


def _of_columns(table: sa.Table, *names: str) -> dict[str, Check]:
    """Return fields that are columns, and what these can hold."""
    return {name: checks.of_column(table.c[name]) for name in names}


def _of_fields(rows: Iterable[Field], **more: Check) -> dict[str, Check]:
    """Return what the values of fields may be.

    :param more: checks of fields that ask for more than their kinds do.
    """
    found: dict[str, Check] = {}
    for row in (row for row in rows if row.shown):
        if row.kind in (fields.TEXT, fields.MESSAGE):
            found[row.name] = checks.text(row.limits.get("maxLength", row.length))
        elif row.kind in (fields.BOOLEAN, fields.FLAG, fields.UNCHECKED_BOOLEAN):
            nullable = row.column().nullable
            found[row.name] = checks.truth if nullable else checks.required_truth
        elif row.kind in _OF_KINDS:
            found[row.name] = _OF_KINDS[row.kind]
    return found | more


PORTS = ResourceKind(
    "ports",
    tables.ports,
    _of_fields(
        resource_fields.PORTS.rows, local_link_connection=checks.by_api(local_links.local_link)
    ),
    required=("address",),
    links={
        "portgroup": checks.text(255),
        "portgroup_uuid": checks.uuid,
        "node_uuid": checks.uuid,
    },
)
PORTGROUPS = ResourceKind(
    "portgroups",
    tables.portgroups,
    _of_fields(resource_fields.PORTGROUPS.rows, name=checks.name),
    links={"node_uuid": checks.uuid},
    children=(PORTS,),
)
VOLUME_CONNECTORS = ResourceKind(
    "volume_connectors",
    tables.volume_connectors,
    _of_fields(resource_fields.VOLUME_CONNECTORS.rows),
    required=("type", "connector_id"),
    links={"node_uuid": checks.uuid},
)
VOLUME_TARGETS = ResourceKind(
    "volume_targets",
    tables.volume_targets,
    _of_fields(resource_fields.VOLUME_TARGETS.rows),
    required=("volume_type", "volume_id", "boot_index"),
    links={"node_uuid": checks.uuid},
)
HISTORY = ResourceKind(
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
BIOS = ResourceKind(
    "bios",
    tables.bios_settings,
    _of_columns(tables.bios_settings, "name", "value", *node_hardware.REGISTRY),
    required=("name",),
)
FIRMWARE = ResourceKind(
    "firmware",
    tables.firmware_components,
    _of_columns(tables.firmware_components, *node_hardware.VERSIONS, *node_hardware.IDENTITY),
    required=("component",),
)
#: What belongs to a node, in the order in which it is stored.
OF_NODES = (PORTGROUPS, PORTS, VOLUME_CONNECTORS, VOLUME_TARGETS, HISTORY, BIOS, FIRMWARE)
NODES = ResourceKind(
    "nodes",
    tables.nodes,
    _of_fields(
        (row for row in node_fields.FIELDS if row.name != "parent_node"),
        name=checks.node_name,
        network_data=checks.by_api(node_schema.NETWORK_DATA.argument),
        provision_state=checks.one_of(STATES),
        target_provision_state=checks.one_of(STATES),
        power_state=checks.one_of(_POWER),
        target_power_state=checks.one_of((*_POWER, "soft power off", "soft rebooting")),
    ),
    links={
        "chassis_uuid": checks.uuid,
        "parent_node": checks.text(255),
        "machine": machines.problem,
        "inventory": checks.inventory,
        "provision_updated_at": checks.time,
        "age": checks.age,
    },
    children=OF_NODES,
    traits=tables.node_traits,
)
CHASSIS = ResourceKind(
    "chassis",
    tables.chassis,
    _of_fields(resource_fields.CHASSIS.rows),
    children=(NODES,),
)
DEPLOY_TEMPLATES = ResourceKind(
    "deploy_templates",
    tables.deploy_templates,
    _of_fields(
        resource_fields.DEPLOY_TEMPLATES.rows,
        name=checks.trait,
        steps=checks.steps(step_schemas.DEPLOY_STEP),
    ),
    required=("name", "steps"),
    step_number="priority",
)
RUNBOOKS = ResourceKind(
    "runbooks",
    tables.runbooks,
    _of_fields(
        resource_fields.RUNBOOKS.rows,
        name=checks.name,
        steps=checks.steps(step_schemas.RUNBOOK_STEP),
    ),
    required=("name", "steps"),
    traits=tables.runbook_traits,
    step_number="order",
)
INSPECTION_RULES = ResourceKind(
    "inspection_rules",
    tables.inspection_rules,
    _of_fields(
        resource_fields.INSPECTION_RULES.rows,
        **{
            name: checks.by_schema(inspection_rules.PROPERTIES[name])
            for name in ("priority", "conditions", "actions")
        },
    ),
    required=("actions",),
)
ALLOCATIONS = ResourceKind(
    "allocations",
    tables.allocations,
    _of_fields(
        resource_fields.ALLOCATIONS.rows,
        name=checks.name,
        state=checks.one_of((allocations.ALLOCATING, allocations.ACTIVE, allocations.ERROR)),
        traits=checks.traits,
        candidate_nodes=checks.uuids,
    ),
    links={"node": checks.text(255)},
)
#: The lists of what Ironic has, in the order in which they are stored.
LISTS = (CHASSIS, NODES, DEPLOY_TEMPLATES, RUNBOOKS, INSPECTION_RULES, ALLOCATIONS)
