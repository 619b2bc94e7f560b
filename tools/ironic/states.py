"""What Ironic refuses, by the state of a node and the version of a request; else, what follows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.tests.baremetal.rights import conditions, effects
from tools.ironic.oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

ADMIN = {
    "HTTP_X_IDENTITY_STATUS": "Confirmed",
    "HTTP_X_USER_ID": "admin",
    "HTTP_X_ROLES": "admin,manager,member,reader",
    "HTTP_OPENSTACK_SYSTEM_SCOPE": "all",
}


def states(directory: Path) -> Iterator[str]:
    """Yield the lines of the facts about states and versions."""
    ironic = ironic_with(directory, conditions.things())
    found = {}
    for condition, fields in conditions.CONDITIONS.items():
        ironic.go_back()
        ironic.change(conditions.NODE, **fields)
        found[condition] = {
            name: conditions.answers(partial(_ask, ironic, fields, request), first)
            for name, first, request in conditions.requests(condition)
        }
    yield from conditions.facts(found)


def what_follows(directory: Path) -> Iterator[str]:
    """Yield the lines of the facts about what becomes of a node."""
    ironic = ironic_with(directory, conditions.things())
    send = partial(ironic.send, **ADMIN)

    def prepare(fields: Any) -> None:
        ironic.go_back()
        ironic.change(conditions.NODE, **fields)

    found = {
        condition: effects.effects(send, partial(prepare, fields))
        for condition, fields in conditions.CONDITIONS.items()
    }
    yield from conditions.facts(found)


def ironic_with(directory: Path, things: Iterable[tuple[str, str, Any]]) -> Oracle:
    """Return an Ironic with what some requests make."""
    ironic = Oracle(directory)
    for method, path, body in things:
        status, answer = ironic.send(method, f"/v1/{path}", body, **ADMIN)
        assert status < 300, (method, path, body, answer)
    ironic.keep()
    return ironic


def _ask(ironic: Oracle, fields: Any, request: tuple[str, str, Any], minor: int) -> int:
    """Return the status of a request, after which everything is as it was before."""
    method, path, body = request
    status, _ = ironic.send(method, path, body, f"1.{minor}", **ADMIN)
    if method != "GET" and not 400 <= status < 500:
        ironic.go_back()
        ironic.change(conditions.NODE, **fields)
    return status
