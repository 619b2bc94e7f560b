"""From which version on Ironic answers a request otherwise."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fake_server.tests.baremetal.rights import conditions, versions
from tools.ironic.states import ADMIN, ironic_with

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def since(directory: Path) -> Iterator[str]:
    """Yield the lines of the facts about versions."""
    ironic = ironic_with(directory, versions.things())

    def ask(request: str, minor: int) -> tuple[int, Any]:
        method, path, text = (*request.split(" ", 2), "")[:3]
        body = json.loads(text) if text else None
        try:
            found = ironic.send(method, path, body, f"1.{minor}", **ADMIN)
        except Exception:
            # What its framework doesn't catch ends the connection of a client.
            found = 500, None
        if method != "GET" and not 400 <= found[0] < 500:
            ironic.go_back()
        return found

    yield from versions.facts(
        {
            request: conditions.changes(
                lambda minor, request=request: versions.what_matters(*ask(request, minor)),
                versions.GRID,
            )
            for request in versions.requests(versions.fields(ask))
        }
    )
