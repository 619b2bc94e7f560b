"""Fields of resources and their labels, for programs written for python-ironicclient.

Each resource has its fields in a plain list, and those in a detailed one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from baremetalclient.v1 import (
    allocation,
    chassis,
    conductor,
    deploy_template,
    driver,
    inspection_rule,
    node,
    port,
    portgroup,
    runbook,
    shard,
    volume_connector,
    volume_target,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from baremetalclient._resource.schema import Field


class Resource(NamedTuple):
    """The columns of a list.

    :param fields: the names of the fields.
    :param labels: their labels.
    :param sort_fields: the names of those that the list can be sorted by.
    :param sort_labels: the labels of those.
    """

    fields: tuple[str, ...]
    labels: tuple[str, ...]
    sort_fields: tuple[str, ...]
    sort_labels: tuple[str, ...]


def _of(columns: Iterable[Field]) -> Resource:
    columns = tuple(columns)
    sortable = tuple(field for field in columns if field.sortable)
    return Resource(
        tuple(field.name for field in columns),
        tuple(field.label for field in columns),
        tuple(field.name for field in sortable),
        tuple(field.label for field in sortable),
    )


ALLOCATION_RESOURCE = _of(allocation.RESOURCE_TYPE.list_columns)
ALLOCATION_DETAILED_RESOURCE = _of(allocation.RESOURCE_TYPE.long_columns)
CHASSIS_RESOURCE = _of(chassis.RESOURCE_TYPE.list_columns)
CHASSIS_DETAILED_RESOURCE = _of(chassis.RESOURCE_TYPE.long_columns)
CONDUCTOR_RESOURCE = _of(conductor.RESOURCE_TYPE.list_columns)
CONDUCTOR_DETAILED_RESOURCE = _of(conductor.RESOURCE_TYPE.long_columns)
DEPLOY_TEMPLATE_RESOURCE = _of(deploy_template.RESOURCE_TYPE.list_columns)
DEPLOY_TEMPLATE_DETAILED_RESOURCE = _of(deploy_template.RESOURCE_TYPE.long_columns)
DRIVER_RESOURCE = _of(driver.RESOURCE_TYPE.list_columns)
DRIVER_DETAILED_RESOURCE = _of(driver.RESOURCE_TYPE.long_columns)
INSPECTION_RULE_RESOURCE = _of(inspection_rule.RESOURCE_TYPE.list_columns)
INSPECTION_RULE_DETAILED_RESOURCE = _of(inspection_rule.RESOURCE_TYPE.long_columns)
NODE_RESOURCE = _of(node.RESOURCE_TYPE.list_columns)
NODE_DETAILED_RESOURCE = _of(node.RESOURCE_TYPE.long_columns)
PORT_RESOURCE = _of(port.RESOURCE_TYPE.list_columns)
PORT_DETAILED_RESOURCE = _of(port.RESOURCE_TYPE.long_columns)
PORTGROUP_RESOURCE = _of(portgroup.RESOURCE_TYPE.list_columns)
PORTGROUP_DETAILED_RESOURCE = _of(portgroup.RESOURCE_TYPE.long_columns)
RUNBOOK_RESOURCE = _of(runbook.RESOURCE_TYPE.list_columns)
RUNBOOK_DETAILED_RESOURCE = _of(runbook.RESOURCE_TYPE.long_columns)
SHARD_RESOURCE = _of(shard.RESOURCE_TYPE.list_columns)
VOLUME_CONNECTOR_RESOURCE = _of(volume_connector.RESOURCE_TYPE.list_columns)
VOLUME_CONNECTOR_DETAILED_RESOURCE = _of(volume_connector.RESOURCE_TYPE.long_columns)
VOLUME_TARGET_RESOURCE = _of(volume_target.RESOURCE_TYPE.list_columns)
VOLUME_TARGET_DETAILED_RESOURCE = _of(volume_target.RESOURCE_TYPE.long_columns)
