"""The requests of a comparison, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

#: Minor versions in which much changed; what depends on versions is asked in each of them.
VERSIONS = (1, 5, 11, 21, 31, 37, 52, 65, 78, 95)


@dataclass(frozen=True, slots=True)
class Template:
    """A request; words in angle brackets stand for identifiers of the lab, or of what was created.

    :param path: path with the query.
    :param versions: whether it is sent in all of :data:`VERSIONS`, and not only in the newest.
    """

    method: str
    path: str
    body: Any = None
    versions: bool = False


def _changing(line: str) -> Template:
    """Return the request of a line: method (with ``*`` for all versions), path, body in YAML."""
    method, path, body = [*line.split(" ", 2), ""][:3]
    return Template(method.rstrip("*"), path, yaml.safe_load(body), versions="*" in method)


_READ_IN_EACH_VERSION = """
/v1/nodes /v1/nodes/detail /v1/nodes?detail=True&limit=2 /v1/nodes/<node> /v1/nodes/<node_name>
/v1/nodes/<node>/states /v1/nodes/<node>/ports /v1/nodes/<node>/portgroups /v1/nodes/<node>/traits
/v1/nodes/<node>/volume/connectors /v1/nodes/<node>/volume/targets
/v1/ports /v1/ports/detail /v1/ports/<port>
/v1/portgroups/detail /v1/portgroups/<portgroup>
/v1/chassis /v1/chassis/<chassis>
/v1/volume /v1/volume/connectors?detail=True /v1/volume/targets?detail=True
/v1/drivers /v1/drivers/<driver>
/v1/allocations
/v1/deploy_templates
/v1/runbooks
/v1/conductors
/v1/nodes/<unknown>
"""
_READ_IN_THE_NEWEST = """
/ /v1 /v1/
/v1/nodes?fields=uuid,name,provision_state /v1/nodes?fields=nonsense /v1/nodes?nonsense=1
/v1/nodes?limit=-1 /v1/nodes?limit=1 /v1/nodes?limit=1&marker=<node> /v1/nodes?marker=<unknown>
/v1/nodes?sort_key=name&sort_dir=desc /v1/nodes?sort_key=nonsense /v1/nodes?sort_key=properties
/v1/nodes?maintenance=true /v1/nodes?maintenance=perhaps /v1/nodes?associated=true
/v1/nodes?provision_state=active /v1/nodes?provision_state=nonsense /v1/nodes?driver=<driver>
/v1/nodes?resource_class=nonsense /v1/nodes?owner=nonsense /v1/nodes?chassis_uuid=<chassis>
/v1/nodes?conductor_group=nonsense /v1/nodes?include_children=True /v1/nodes?sharded=true
/v1/nodes/<node>?fields=uuid,driver_info /v1/nodes/<node>?fields=nonsense
/v1/nodes/<node>/states?fields=power_state /v1/nodes/<node>/bios /v1/nodes/<node>/bios?detail=True
/v1/nodes/<node>/firmware /v1/nodes/<node>/history /v1/nodes/<node>/history?detail=True
/v1/nodes/<node>/inventory /v1/nodes/<node>/children /v1/nodes/<node>/allocation
/v1/nodes/<node>/management/boot_mode /v1/nodes/<node>/nonsense /v1/nodes/not%20a%20name
/v1/ports?address=52:54:00:ff:ff:ff /v1/ports?address=nonsense /v1/ports?node=<node>
/v1/ports?node_uuid=<node>&fields=uuid,address /v1/ports?portgroup=<portgroup>
/v1/ports?detail=True&fields=uuid /v1/ports/<unknown>
/v1/portgroups /v1/portgroups?node=<node> /v1/portgroups/<portgroup>/ports
/v1/volume/connectors /v1/volume/connectors?node=<node> /v1/volume/connectors/<connector>
/v1/volume/connectors/<unknown> /v1/volume/targets
/v1/volume/targets?node=<node>&fields=uuid,volume_id /v1/volume/targets/<target>
/v1/chassis/<chassis>/nodes
/v1/allocations?state=active /v1/allocations?node=<node> /v1/allocations/<allocation>
/v1/deploy_templates?detail=True /v1/deploy_templates/<deploy_template>
/v1/deploy_templates/nonsense
/v1/runbooks?detail=True /v1/runbooks/<runbook>
/v1/inspection_rules /v1/inspection_rules?detail=True /v1/inspection_rules/<inspection_rule>
/v1/drivers?detail=True /v1/drivers?type=dynamic /v1/drivers/nonsense
/v1/drivers/<driver>/properties /v1/drivers/<driver>/vendor_passthru/methods
/v1/drivers/<driver>/raid/logical_disk_properties
/v1/conductors?detail=True /v1/conductors/nonsense
/v1/shards
/v1/lookup /v1/lookup?addresses=52:54:00:ff:ff:ff
/v1/nonsense
/nonsense
"""
_WRITTEN = """
POST /v1/nodes {name: <own_name>, driver: nonsense}
POST /v1/nodes {name: not a name, driver: <driver>}
POST /v1/nodes {driver: <driver>, nonsense: 1}
POST /v1/nodes []
POST /v1/nodes {uuid: <own>, name: <own_name>, driver: <driver>, extra: {a: [1, null]}}
POST /v1/nodes {name: <own_name>, driver: <driver>}
GET* /v1/nodes/<own>
GET /v1/nodes/<own_name>/states
GET /v1/nodes/<own>/validate
PATCH /v1/nodes/<own> [{op: add, path: /extra/b, value: c}]
PATCH /v1/nodes/<own> [{op: remove, path: /extra/nonsense}]
PATCH /v1/nodes/<own> [{op: replace, path: /uuid, value: x}]
PATCH /v1/nodes/<own> [{op: add, path: /properties/memory_mb, value: x}]
PATCH /v1/nodes/<own> [{op: add, path: /resource_class, value: compare}]
PATCH /v1/nodes/<own> {op: add}
PUT /v1/nodes/<own>/traits {traits: [CUSTOM_COMPARE, HW_CPU_X86_VMX]}
PUT /v1/nodes/<own>/traits {traits: [nonsense]}
PUT /v1/nodes/<own>/traits/CUSTOM_OTHER
GET /v1/nodes/<own>/traits
DELETE /v1/nodes/<own>/traits/CUSTOM_OTHER
DELETE /v1/nodes/<own>/traits/CUSTOM_NONSENSE
PUT /v1/nodes/<own>/maintenance {reason: Compared}
GET /v1/nodes/<own>?fields=maintenance,maintenance_reason
DELETE /v1/nodes/<own>/maintenance
POST /v1/portgroups {uuid: <own_group>, node_uuid: <own>}
POST /v1/ports {uuid: <own_port>, node_uuid: <own>, portgroup_uuid: <own_group>, address: <own_mac>}
POST /v1/ports {node_uuid: <own>, address: <own_mac>}
POST /v1/ports {node_uuid: <own>, address: nonsense}
POST /v1/ports {node_uuid: <unknown>, address: <own_mac>}
GET* /v1/ports/<own_port>
GET /v1/nodes/<own>/portgroups?detail=True
PATCH /v1/ports/<own_port> [{op: add, path: /extra/a, value: 1}]
DELETE /v1/portgroups/<own_group>
POST /v1/volume/connectors {uuid: <own_connector>, node_uuid: <own>, type: iqn, connector_id: <own>}
POST /v1/volume/connectors {node_uuid: <own>, type: iqn, connector_id: <own>}
GET /v1/volume/connectors/<own_connector>
GET /v1/nodes/<own>/volume/connectors
DELETE /v1/volume/connectors/<own_connector>
POST /v1/volume/targets {node_uuid: <own>, volume_type: iscsi, volume_id: v, boot_index: x}
PUT /v1/nodes/<own>/states/provision {target: active}
PUT /v1/nodes/<own>/states/provision {target: nonsense}
PUT /v1/nodes/<own>/states/provision {}
PUT /v1/nodes/<own>/states/power {target: nonsense}
PUT /v1/nodes/<own>/management/boot_device {boot_device: nonsense}
POST /v1/nodes/<own>/vifs {nonsense: 1}
GET /v1/nodes/<own>/history
DELETE /v1/ports/<own_port>
DELETE /v1/ports/<own_port>
DELETE /v1/nodes/<own_name>
GET /v1/nodes/<own>
"""
#: Requests that change nothing.
READING = (
    *(Template("GET", path, versions=True) for path in _READ_IN_EACH_VERSION.split()),
    *(Template("GET", path) for path in _READ_IN_THE_NEWEST.split()),
)
#: What one node of the comparison's own goes through; it has the name and the UUID that are given.
WRITING = tuple(map(_changing, _WRITTEN.strip().split("\n")))
