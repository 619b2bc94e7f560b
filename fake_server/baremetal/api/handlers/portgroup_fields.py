"""The fields of a port group in requests and responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments
from fake_server.baremetal.api import listing
from fake_server.baremetal.errors import NotAcceptable
from fake_server.baremetal.resource_fields import PORTGROUPS
from fake_server.baremetal.schemas import checked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

#: Takes a port group, new or patched.
portgroup = arguments.chain(checked(PORTGROUPS.schema()), PORTGROUPS.converter())


def check_version(ctx: Context, fields: Iterable[str] | None) -> None:
    """Raise NotAcceptable for fields that the request's version lacks."""
    if any(ctx.minor < PORTGROUPS.asked.get(name, 1) for name in fields or ()):
        raise NotAcceptable()


def show(ctx: Context, row: Record) -> dict[str, Any]:
    """Return what the request's version shows of a port group."""
    shown = show_all(ctx, row)
    return {name: shown[name] for name in shown if PORTGROUPS.since.get(name, 1) <= ctx.minor}


def show_all(ctx: Context, row: Record) -> dict[str, Any]:
    """Return all fields of a port group; lists show them in every version."""
    uuid = row["uuid"]
    return {
        **listing.identity(row),
        **PORTGROUPS.shown(row),
        "links": ctx.links("portgroups", uuid),
        "ports": ctx.links("portgroups", f"{uuid}/ports"),
    }
