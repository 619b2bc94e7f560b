"""What the versions of the API know of a port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors, microversions
from fake_server.baremetal.api.local_links import OVN_KEYS
from fake_server.baremetal.models.ports import PORTS

if TYPE_CHECKING:
    from collections.abc import Container

    from fake_server.baremetal.api import patches
    from fake_server.baremetal.api.context import Context

LINK = "local_link_connection"
#: A key of it that not every version takes.
_NETWORK_TYPE = f"{LINK}/network_type"
#: Fields of which a patch is checked against the version.
_CHECKED_IN_PATCHES = (
    "pxe_enabled",
    LINK,
    "portgroup_uuid",
    "physical_network",
    "is_smartnic",
    _NETWORK_TYPE,
)


def check_fields(ctx: Context, fields: list[str] | None) -> None:
    """Refuse fields to show that the request's version lacks, and any before 1.8."""
    if fields is not None:
        ctx.require(microversions.FIELDS)
    check_version(ctx, fields)


def check_version(ctx: Context, fields: Container[str] | None) -> None:
    """Refuse fields that the request's version lacks.

    :param fields: names, or a port to create.
    :raises NotAcceptable: if one isn't known.
    """
    if fields is None:
        return
    for name, since in PORTS.fields.asked.items():
        if name in fields:
            ctx.require(since)
    link = (fields.get(LINK) if isinstance(fields, dict) else None) or {}
    if _NETWORK_TYPE in fields or "network_type" in link:
        ctx.require(microversions.NETWORK_TYPE)
    if OVN_KEYS[0] in link and not knows_ovn(ctx):
        raise errors.NotAcceptable()


def check_patch(ctx: Context, operations: patches.Patch) -> None:
    """Raise NotAcceptable for a patch of fields that the request's version lacks."""
    touched = set()
    for name in _CHECKED_IN_PATCHES:
        path = f"/{name}"
        for operation in operations:
            removed = operation["op"] == "remove" and operation["path"].startswith(f"{path}/")
            if operation["path"] == path or removed:
                touched.add(name)
    check_version(ctx, touched)


def knows_ovn(ctx: Context) -> bool:
    """Return whether the version knows links of OVN."""
    return microversions.OVN_LINKS <= ctx.minor < microversions.OVN_LINKS_REMOVED
