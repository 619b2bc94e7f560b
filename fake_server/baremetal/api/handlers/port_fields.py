"""The fields of a port: in which version each came, and how a port is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import listing
from fake_server.baremetal.api.handlers.local_links import OVN_KEYS, local_link
from fake_server.baremetal.errors import NotAcceptable
from fake_server.baremetal.schemas import checked

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

#: Minor version that introduced a field; fields that aren't here have always been there.
SINCE = {
    "internal_info": 18,
    "pxe_enabled": 19,
    "local_link_connection": 19,
    "portgroup_uuid": 24,
    "physical_network": 34,
    "is_smartnic": 53,
    "name": 88,
    "description": 97,
    "vendor": 100,
    "category": 101,
    "available_for_dynamic_portgroup": 111,
}
#: Fields of which only the answers depend on the version.
_ONLY_HIDDEN = frozenset({"internal_info"})
#: Keys of ``local_link_connection`` that not every version takes.
_NETWORK_TYPE = "local_link_connection/network_type"
DEFAULT = ("uuid", "address")
UNSORTABLE = ("extra", "internal_info", "local_link_connection")
#: Fields that a patch may touch, in the order in which errors name them.
PATCHABLE = (
    "address",
    "extra",
    "is_smartnic",
    "local_link_connection",
    "node_ident",
    "node_uuid",
    "physical_network",
    "portgroup_uuid",
    "pxe_enabled",
    "name",
    "description",
    "vendor",
    "category",
    "available_for_dynamic_portgroup",
)
#: Fields of which a patch is checked against the version.
_CHECKED_IN_PATCHES = (
    "pxe_enabled",
    "local_link_connection",
    "portgroup_uuid",
    "physical_network",
    "is_smartnic",
    _NETWORK_TYPE,
)


def _text(length: int | None = None) -> dict[str, Any]:
    limit = {} if length is None else {"maxLength": length}
    return {"type": ["string", "null"], **limit}


_TRUTH = {"type": ["string", "boolean", "null"]}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "address": {"type": "string"},
        "extra": {"type": ["object", "null"]},
        "is_smartnic": _TRUTH,
        "local_link_connection": {"type": ["null", "object"]},
        "node_ident": {"type": "string"},
        "node_uuid": {"type": "string"},
        "physical_network": _text(64),
        "portgroup_uuid": _text(),
        "pxe_enabled": _TRUTH,
        "uuid": _text(),
        "name": _text(),
        "description": _text(255),
        "vendor": _text(32),
        "category": _text(80),
        "available_for_dynamic_portgroup": {"type": "boolean"},
    },
    "required": ["address"],
    "oneOf": [{"required": ["node_ident"]}, {"required": ["node_uuid"]}],
    "additionalProperties": False,
}
SETTABLE: frozenset[str] = frozenset(_SCHEMA["properties"])
#: Takes a port, new or patched.
port = arguments.chain(
    checked(_SCHEMA),
    arguments.mapping(
        address=arguments.mac_address,
        node_uuid=arguments.uuid,
        is_smartnic=arguments.boolean,
        local_link_connection=local_link,
        portgroup_uuid=arguments.uuid,
        pxe_enabled=arguments.boolean,
        uuid=arguments.uuid,
        available_for_dynamic_portgroup=arguments.boolean,
    ),
)


def check_version(ctx: Context, fields: Container[str] | None) -> None:
    """Refuse fields that the request's version lacks.

    :param fields: names, or a port to create.
    :raises NotAcceptable: if one isn't known.
    """
    if fields is None:
        return
    for name, since in SINCE.items():
        if name in fields and ctx.minor < since and name not in _ONLY_HIDDEN:
            raise NotAcceptable()
    if _NETWORK_TYPE in fields and ctx.minor < microversions.NETWORK_TYPE:
        raise NotAcceptable()
    link = fields.get("local_link_connection") if isinstance(fields, dict) else None
    if link:
        if "network_type" in link and ctx.minor < microversions.NETWORK_TYPE:
            raise NotAcceptable()
        if OVN_KEYS[0] in link and not _knows_ovn(ctx):
            raise NotAcceptable()


def check_patch(ctx: Context, operations: Sequence[dict[str, Any]]) -> None:
    """Raise NotAcceptable for a patch of fields that the request's version lacks."""
    touched = set()
    for name in _CHECKED_IN_PATCHES:
        path = f"/{name}"
        for operation in operations:
            removed = operation["op"] == "remove" and operation["path"].startswith(f"{path}/")
            if operation["path"] == path or removed:
                touched.add(name)
    check_version(ctx, touched)


def show(ctx: Context, row: Record, fields: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what the API shows of a port in the request's version.

    :param fields: which fields; ``None`` for all.
    :raises InvalidParameterValue: for fields that no port has.
    """
    uuid = row["uuid"]
    link = row["local_link_connection"] or {}
    if any(key in link for key in OVN_KEYS) and not _knows_ovn(ctx):
        link = {}
    shown = {
        **listing.identity(row),
        "address": row["address"],
        "extra": row["extra"] or {},
        "internal_info": row["internal_info"] or {},
        "is_smartnic": row["is_smartnic"],
        "local_link_connection": link,
        "physical_network": row["physical_network"],
        "pxe_enabled": row["pxe_enabled"],
        "node_uuid": row["node_uuid"],
        "name": row["name"],
        "description": row["description"],
        "vendor": row["vendor"],
        "category": row["category"],
        "available_for_dynamic_portgroup": row["available_for_dynamic_portgroup"],
        "links": ctx.links("ports", uuid),
        "portgroup_uuid": row["portgroup_uuid"],
    }
    if fields is not None:
        listing.check_known(fields, shown)
    known = {name: shown[name] for name in shown if SINCE.get(name, 1) <= ctx.minor}
    return listing.only(known, fields)


def _knows_ovn(ctx: Context) -> bool:
    return microversions.OVN_LINKS <= ctx.minor < microversions.OVN_LINKS_REMOVED
