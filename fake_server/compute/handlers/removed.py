"""What Nova once had, and still has addresses for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from fake_server.common.errors import with_status
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.compute.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_REMOVED = {
    "/os-agents": "GET POST",
    "/os-agents/{ident}": "PUT DELETE",
    "/os-cells": "GET POST",
    "/os-cells/{ident}": "GET PUT DELETE",
    "/os-cells/{ident}/capacities": "GET",
    "/os-cells/sync_instances": "POST",
    "/os-cloudpipe": "GET POST",
    "/os-cloudpipe/{ident}": "PUT",
    "/os-fixed-ips/{ident}": "GET",
    "/os-fixed-ips/{ident}/action": "POST",
    "/os-floating-ip-dns": "GET",
    "/os-floating-ip-dns/{ident}": "PUT DELETE",
    "/os-floating-ip-dns/{domain}/entries/{ident}": "GET PUT DELETE",
    "/os-floating-ips-bulk": "GET POST",
    "/os-floating-ips-bulk/{ident}": "GET PUT",
    "/os-fping": "GET",
    "/os-fping/{ident}": "GET",
    "/os-security-group-default-rules": "GET POST",
    "/os-security-group-default-rules/{ident}": "GET DELETE",
    "/servers/{ident}/consoles": "GET POST",
    "/servers/{ident}/consoles/{console}": "GET DELETE",
    "/servers/{ident}/os-virtual-interfaces": "GET",
}


def refuse(ctx: Context, **named: str) -> NoReturn:
    """Refuse a request for something that was removed."""
    text = "This resource is no longer available. No forwarding address is given."
    raise with_status(410, text)


for _address, _methods in _REMOVED.items():
    ROUTES.public(_methods, _address)(refuse)
