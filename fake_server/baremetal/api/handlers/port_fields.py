"""The fields of a port in requests and responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import listing
from fake_server.baremetal.api.handlers.local_links import OVN_KEYS, local_link
from fake_server.baremetal.errors import NotAcceptable
from fake_server.baremetal.resource_fields import PORTS
from fake_server.baremetal.schemas import checked

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

#: Keys of ``local_link_connection`` that not every version takes.
_NETWORK_TYPE = "local_link_connection/network_type"
#: Fields of which a patch is checked against the version.
_CHECKED_IN_PATCHES = (
    "pxe_enabled",
    "local_link_connection",
    "portgroup_uuid",
    "physical_network",
    "is_smartnic",
    _NETWORK_TYPE,
)


#: Takes a port, new or patched.
port = arguments.chain(
    checked(
        PORTS.schema() | {"oneOf": [{"required": ["node_ident"]}, {"required": ["node_uuid"]}]}
    ),
    PORTS.converter(local_link_connection=local_link, node_ident=arguments.as_it_is),
)


def check_version(ctx: Context, fields: Container[str] | None) -> None:
    """Refuse fields that the request's version lacks.

    :param fields: names, or a port to create.
    :raises NotAcceptable: if one isn't known.
    """
    if fields is None:
        return
    if any(name in fields and ctx.minor < since for name, since in PORTS.asked.items()):
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
    link = row["local_link_connection"] or {}
    if any(key in link for key in OVN_KEYS) and not _knows_ovn(ctx):
        link = {}
    shown = {
        **listing.identity(row),
        **PORTS.shown(row),
        "local_link_connection": link,
        "links": ctx.links("ports", row["uuid"]),
    }
    if fields is not None:
        listing.check_known(fields, shown)
    known = {name: shown[name] for name in shown if PORTS.since.get(name, 1) <= ctx.minor}
    return listing.only(known, fields)


def _knows_ovn(ctx: Context) -> bool:
    return microversions.OVN_LINKS <= ctx.minor < microversions.OVN_LINKS_REMOVED
