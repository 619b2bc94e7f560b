"""The fields of each kind of resource in a seed, named as in the Bare Metal API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import fields, node_fields, states, tables
from fake_server.baremetal.api import local_links, node_schema, step_schemas
from fake_server.baremetal.api.handlers import inspection_rules as rule_handlers
from fake_server.baremetal.api.handlers import node_hardware
from fake_server.baremetal.models import (
    allocations,
    chassis,
    deploy_templates,
    inspection_rules,
    machines,
    portgroups,
    ports,
    runbooks,
    volume,
)
from fake_server.seeds import checks
from fake_server.seeds.resource_kind import ResourceKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import sqlalchemy as sa

    from fake_server.baremetal.fields import Field
    from fake_server.baremetal.models.model import Model
    from fake_server.seeds.checks import Check

#: States that a node can be in.
STATES = (
    states.STABLE
    | states.UNSTABLE
    | states.FAILED
    | {states.DEPLOYHOLD, states.CLEANHOLD, states.SERVICEHOLD}
)
_OF_KINDS: Mapping[fields.Kind, Check] = {
    fields.OBJECT: checks.mapping,
    fields.UUID: checks.uuid,
    fields.ADDRESS: checks.mac,
    fields.INTEGER: checks.integer,
}
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


def _resource(
    model: Model,
    more: Mapping[str, Check] | None = None,
    links: Mapping[str, Check] | None = None,
    **options: Any,
) -> ResourceKind:
    """Return the kind of what a model has.

    :param more: checks of fields that ask for more than their kinds do.
    :param options: those of kinds.
    """
    rows = model.fields.rows
    of_node = any(row.name == "node_uuid" and row.settable for row in rows)
    return ResourceKind(
        str(model.table.name),
        model.table,
        _of_fields(rows, **(more or {})),
        tuple(row.name for row in rows if row.required and row.kind is not fields.LINK),
        {**(links or {}), **({"node_uuid": checks.uuid} if of_node else {})},
        **options,
    )


PORTS = _resource(
    ports.PORTS,
    {"local_link_connection": checks.by_api(local_links.local_link)},
    {"portgroup": checks.text(255), "portgroup_uuid": checks.uuid},
)
PORTGROUPS = _resource(portgroups.PORTGROUPS, {"name": checks.name}, children=(PORTS,))
VOLUME_CONNECTORS = _resource(volume.CONNECTORS)
VOLUME_TARGETS = _resource(volume.TARGETS)
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
        (row for row in node_fields.NODES.rows if row.name != "parent_node"),
        name=checks.node_name,
        network_data=checks.by_api(node_schema.NETWORK_DATA.argument),
        provision_state=checks.one_or_more_of(STATES),
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
CHASSIS = _resource(chassis.CHASSIS, children=(NODES,))
DEPLOY_TEMPLATES = _resource(
    deploy_templates.DEPLOY_TEMPLATES,
    {"name": checks.trait, "steps": checks.steps(step_schemas.DEPLOY_STEP)},
    step_number="priority",
)
RUNBOOKS = _resource(
    runbooks.RUNBOOKS,
    {"name": checks.name, "steps": checks.steps(step_schemas.RUNBOOK_STEP)},
    traits=tables.runbook_traits,
    step_number="order",
)
INSPECTION_RULES = _resource(
    inspection_rules.INSPECTION_RULES,
    {
        name: checks.by_schema(rule_handlers.PROPERTIES[name])
        for name in ("priority", "conditions", "actions")
    },
)
ALLOCATIONS = _resource(
    allocations.ALLOCATIONS,
    {
        "name": checks.name,
        "state": checks.one_of((allocations.ALLOCATING, allocations.ACTIVE, allocations.ERROR)),
        "traits": checks.traits,
        "candidate_nodes": checks.uuids,
    },
    {"node": checks.text(255)},
)
#: The lists of what Ironic has, in the order in which they are stored.
LISTS = (CHASSIS, NODES, DEPLOY_TEMPLATES, RUNBOOKS, INSPECTION_RULES, ALLOCATIONS)
