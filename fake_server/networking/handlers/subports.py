"""``/v2.0/trunks/ID/…``: the ports of a trunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.rest import encode
from fake_server.networking import bodies, port_values, views
from fake_server.networking.errors import InvalidInput
from fake_server.networking.models import trunks

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.networking.context import Context
    from fake_server.networking.models.items import Session


def list_ports(ctx: Context, ident: str) -> Response:
    """List the ports."""
    trunk = ctx.visible("trunks", ident)
    ctx.enforce("get", "trunks", trunk, part="subports")
    return encode(200, {"sub_ports": trunk["sub_ports"]})


def add(ctx: Context, ident: str) -> Response:
    """Add ports."""
    return _change(ctx, ident, "add", trunks.add_ports)


def remove(ctx: Context, ident: str) -> Response:
    """Remove ports."""
    return _change(ctx, ident, "remove", trunks.remove_ports)


def _change(
    ctx: Context,
    ident: str,
    action: str,
    change: Callable[[Session, Record, list[Record]], Record],
) -> Response:
    trunk = ctx.visible("trunks", ident)
    wanted = port_values.checked_ports(bodies.decode(ctx).get("sub_ports"), InvalidInput)
    ctx.enforce(action, "trunks", trunk, part="subports")
    changed = change(ctx.session, trunk, wanted)
    # Neutron shows it without the name of what it is.
    return encode(200, views.single(ctx, "trunks", changed))
