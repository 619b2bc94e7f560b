"""The kinds of resources of other services, and of users, in a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import tables as block_storage
from fake_server.block_storage.models.volumes import ZONE
from fake_server.common.context import NOBODY
from fake_server.compute import tables as compute
from fake_server.identity import tables as identity
from fake_server.image.tables import images
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import quotas
from fake_server.seeds import checks
from fake_server.seeds.resource_kind import ResourceKind

if TYPE_CHECKING:
    import sqlalchemy as sa

#: Columns that a seed doesn't hold: the order of rows, and moments that no longer matter.
_LEFT_OUT = ("number", "created_at", "updated_at", "fingerprint")
_OWNED = {"project_id": NOBODY, "user_id": NOBODY}


def _columns(
    key: str,
    table: sa.Table,
    *required: str,
    children: tuple[ResourceKind, ...] = (),
    parent: str | None = None,
    **new: Any,
) -> ResourceKind:
    """Return a kind whose fields are the columns of its table."""
    fields = {
        str(column.name): checks.of_column(column, new.get(column.name))
        for column in table.columns
        if column.name not in (*_LEFT_OUT, parent)
    }
    return ResourceKind(key, table, fields, required, children=children, parent=parent, new=new)


def _attributes(
    key: str,
    *required: str,
    children: tuple[ResourceKind, ...] = (),
    parent: str | None = None,
    **more: checks.Check,
) -> ResourceKind:
    """Return a kind of the Networking service, whose fields are the attributes of its API.

    :param more: fields beside these.
    """
    fields = {
        name: checks.by_service(attribute.convert)
        for name, attribute in KINDS[key].attributes.items()
        if attribute.create and name not in ("tenant_id", "segments", parent)
    }
    # These may have names instead of ids.
    named = dict.fromkeys(
        ("port_id", "floating_network_id", "subnetpool_id", "address_scope_id"), checks.text(255)
    )
    named |= {"sub_ports": checks.objects, "external_gateway_info": checks.mapping}
    fields |= {name: check for name, check in named.items() if name in fields}
    fields["id"] = checks.required_uuid
    if "tenant_id" in KINDS[key].attributes:
        fields["project_id"] = checks.text(255)
    if "tags" in KINDS[key].attributes:
        fields["tags"] = checks.by_service(KINDS["ports"].attributes["tags"].convert)
    fields |= more
    return ResourceKind(key, KINDS[key].table, fields, required, children=children, parent=parent)


PROJECTS = ResourceKind(
    "projects",
    identity.projects,
    {"id": checks.text(64), "name": checks.text(64)},
    required=("name",),
)
USERS = ResourceKind(
    "users",
    identity.users,
    {
        "name": checks.text(255),
        "password": checks.text(),
        "password_digest": checks.text(255),
        "projects": checks.mapping,
        "system": checks.document,
    },
    required=("name",),
)
NETWORKS = _attributes(
    "networks",
    children=(
        _attributes("segments", "network_type", parent="network_id"),
        _attributes("subnets", "cidr", parent="network_id"),
        _attributes("ports", parent="network_id"),
    ),
)
SECURITY_GROUPS = _attributes(
    "security_groups",
    "name",
    children=(_attributes("security_group_rules", "direction", parent="security_group_id"),),
)
ADDRESS_GROUPS = _attributes("address_groups")
ADDRESS_SCOPES = _attributes("address_scopes", "ip_version")
SUBNET_POOLS = _attributes("subnetpools", "name", "prefixes")
TRUNKS = _attributes("trunks", "port_id")
ROUTERS = _attributes(
    "routers",
    interfaces=checks.texts,
    routes=checks.by_service(KINDS["routers"].attributes["routes"].convert),
)
FLOATING_IPS = _attributes("floatingips", "floating_network_id")
NETWORK_AGENTS = ResourceKind(
    "network_agents",
    KINDS["agents"].table,
    {
        "id": checks.required_uuid,
        "admin_state_up": checks.required_truth,
        "description": checks.text(255),
    },
    required=("id",),
)
NETWORK_QUOTAS = ResourceKind(
    "network_quotas",
    KINDS["quotas"].table,
    {"project_id": checks.text(255), **dict.fromkeys(quotas.DEFAULTS, checks.limit)},
    required=("project_id",),
)
IMAGES = _columns(
    "images",
    images,
    "name",
    owner=NOBODY,
    status="active",
    visibility="public",
    protected=False,
    os_hidden=False,
    min_disk=0,
    min_ram=0,
    tags=[],
    properties={},
    stores=[],
)
VOLUME_TYPES = _columns(
    "volume_types", block_storage.volume_types, "name", is_public=True, extra_specs={}
)
VOLUMES = _columns(
    "volumes",
    block_storage.volumes,
    "size",
    children=(
        _columns(
            "attachments",
            block_storage.attachments,
            parent="volume_id",
            status="attached",
            connector={},
            connection_info={},
        ),
    ),
    **_OWNED,
    status="available",
    availability_zone=ZONE,
    multiattach=False,
    bootable=False,
    readonly=False,
    metadata={},
    image_metadata={},
)
FLAVORS = _columns(
    "flavors",
    compute.flavors,
    "name",
    "ram",
    "vcpus",
    "disk",
    ephemeral=0,
    swap=0,
    is_public=True,
    projects=[],
    extra_specs={},
)
KEYPAIRS = _columns("keypairs", compute.keypairs, "name", "public_key", user_id=NOBODY, type="ssh")
SERVERS = _columns(
    "servers",
    compute.servers,
    "name",
    "flavor",
    children=(
        _columns(
            "block_devices",
            compute.block_devices,
            parent="server_id",
            source_type="image",
            destination_type="local",
            delete_on_termination=False,
        ),
        _columns("ports", compute.ports, "port_id", parent="server_id", made=False),
    ),
    **_OWNED,
    metadata={},
    tags=[],
    config_drive=False,
    scheduler_hints={},
    launch_index=0,
    vm_state="active",
    power_state=1,
    unfinished=False,
)
#: Kinds whose rows are what a seed says, in the order in which they are stored.
ROWS = (IMAGES, VOLUME_TYPES, VOLUMES, FLAVORS, KEYPAIRS, SERVERS)
#: The lists of what is beside Ironic.
LISTS = (
    *(PROJECTS, USERS, ADDRESS_GROUPS, ADDRESS_SCOPES, SUBNET_POOLS),
    *(SECURITY_GROUPS, NETWORKS, TRUNKS),
    *(ROUTERS, FLOATING_IPS, NETWORK_AGENTS, NETWORK_QUOTAS, *ROWS),
)
