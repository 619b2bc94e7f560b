"""When Ironic refuses what: its answers by the state of a node and the version of a request."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.tests.baremetal.rights import conditions
from tools.ironic.oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ADMIN = {
    "HTTP_X_IDENTITY_STATUS": "Confirmed",
    "HTTP_X_USER_ID": "admin",
    "HTTP_X_ROLES": "admin,manager,member,reader",
    "HTTP_OPENSTACK_SYSTEM_SCOPE": "all",
}


def states(directory: Path) -> Iterator[str]:
    """Yield the lines of the facts about states and versions."""
    ironic = Oracle(directory)

    for method, path, body in conditions.things():
        status, answer = ironic.send(method, f"/v1/{path}", body, **_ADMIN)
        assert status < 300, (method, path, body, answer)
    ironic.keep()
    found = {}
    for condition, fields in conditions.CONDITIONS.items():
        ironic.go_back()
        ironic.change(conditions.NODE, **fields)
        found[condition] = [
            f"{name}: {conditions.answers(partial(_ask, ironic, fields, request), first)}"
            for name, first, request in conditions.requests(condition)
        ]
    yield from conditions.facts(found)


def _ask(ironic: Oracle, fields: Any, request: tuple[str, str, Any], minor: int) -> int:
    """Return the status of a request, after which everything is as it was before."""
    method, path, body = request
    status, _ = ironic.send(method, path, body, f"1.{minor}", **_ADMIN)
    if method != "GET" and not 400 <= status < 500:
        ironic.go_back()
        ironic.change(conditions.NODE, **fields)
    return status
