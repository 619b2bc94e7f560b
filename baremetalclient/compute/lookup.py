"""Servers and flavors by the names that people use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from baremetalclient import exc

if TYPE_CHECKING:
    from baremetalclient.compute.service import Compute


def find_server(compute: Compute, name_or_id: str) -> dict[str, Any]:
    """Return a server by its id or name.

    :raises NotFound: if there is none.
    :raises NoUniqueMatch: if several have the name.
    """
    try:
        return compute.server(name_or_id)
    except exc.NotFound:
        named = compute.servers(name=f"^{re.escape(name_or_id)}$")
    return _only(named, name_or_id, "server")


def find_flavor(compute: Compute, name_or_id: str) -> dict[str, Any]:
    """Return a flavor by its id or name.

    :raises NotFound: if there is none.
    """
    try:
        return compute.flavor(name_or_id)
    except exc.NotFound:
        known = compute.flavors()
    named = [flavor for flavor in known if flavor.get("name") == name_or_id]
    return _only(named, name_or_id, "flavor")


def _only(found: list[dict[str, Any]], name: str, kind: str) -> dict[str, Any]:
    if not found:
        raise exc.NotFound(f"There is no {kind} {name!r}.", http_status=404)
    if len(found) > 1:
        ids = ", ".join(str(one["id"]) for one in found)
        raise exc.NoUniqueMatch(f"Several {kind}s are called {name!r}: {ids}.")
    return found[0]
