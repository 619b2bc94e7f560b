"""Servers and flavors by name."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from baremetalclient._http.service import find

if TYPE_CHECKING:
    from baremetalclient.compute.objects import Flavor, FlavorSummary, Server
    from baremetalclient.compute.service import Compute


def find_server(compute: Compute, name_or_id: str, *, deadline: float | None = None) -> Server:
    """Return a server by its id or name.

    :param deadline: the seconds that each request may take.
    :raises NotFound: if there is none.
    :raises NoUniqueMatch: if several have the name.
    """

    def named(name: str) -> list[Server]:
        return compute.servers(name=f"^{re.escape(name)}$", deadline=deadline)

    return find(partial(compute.server, deadline=deadline), named, name_or_id, "server")


def find_flavor(compute: Compute, name_or_id: str) -> Flavor | FlavorSummary:
    """Return a flavor by its id or name.

    :raises NotFound: if there is none.
    """

    def named(name: str) -> list[FlavorSummary]:
        return [flavor for flavor in compute.flavors() if flavor.get("name") == name]

    return find(compute.flavor, named, name_or_id, "flavor")
