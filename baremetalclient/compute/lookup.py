"""Servers and flavors by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._http.service import only_match

if TYPE_CHECKING:
    from baremetalclient.compute.objects import Flavor, FlavorSummary, Server
    from baremetalclient.compute.service import Compute


def find_server(compute: Compute, name_or_id: str) -> Server:
    """Return a server by its id or name.

    :raises NotFound: if there is none.
    :raises NoUniqueMatch: if several have the name.
    """
    try:
        return compute.server(name_or_id)
    except exc.NotFound:
        named = compute.servers(name=f"^{re.escape(name_or_id)}$")
    return only_match(named, name_or_id, "server")


def find_flavor(compute: Compute, name_or_id: str) -> Flavor | FlavorSummary:
    """Return a flavor by its id or name.

    :raises NotFound: if there is none.
    """
    try:
        return compute.flavor(name_or_id)
    except exc.NotFound:
        known = compute.flavors()
    named = [flavor for flavor in known if flavor.get("name") == name_or_id]
    return only_match(named, name_or_id, "flavor")
