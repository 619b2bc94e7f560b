"""Who may do what in Ironic: the answers of the real one to everything that everybody may ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_server.tests.baremetal.rights import matrix
from tools.ironic.oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(matrix.__file__).parent
_PROJECTS = {name: f"project-{name}" for name in ("demo", "other", "admin", "service")}


def rights(directory: Path) -> Iterator[str]:
    """Yield the lines of the facts about Ironic's own policies."""
    yield from _asked(Oracle(directory), matrix.rows())


def policy_file(directory: Path) -> Iterator[str]:
    """Yield the lines of the facts about a policy file."""
    ironic = Oracle(directory, json.dumps(matrix.POLICIES))
    # Ironic 39.0.0 answers 500 to each step that has a policy, as it looks only at policies that
    # are registered: which it never does with those of steps.
    for name, check in matrix.POLICIES.items():
        if name.startswith("baremetal:step:"):
            ironic.register(name, check)
    yield from _asked(ironic, matrix.rows_by_file())


def _asked(ironic: Oracle, rows: Iterator[matrix.Row]) -> Iterator[str]:

    def send(person: str, method: str, path: str, body: Any) -> tuple[int, Any]:
        return ironic.send(method, path, body, matrix.VERSION, **_identity(person))

    for method, path, body in matrix.things(_PROJECTS):
        status, answer = send("system-admin", method, f"/v1/{path}", body)
        assert status < 300, (method, path, body, answer)
    for name in matrix.NODES:
        ironic.happened(name, matrix.ident(f"{name}-history"))
    ironic.keep()
    asked = ((row, matrix.told(send, row, _PROJECTS, ironic.go_back)) for row in rows)
    yield from matrix.facts(asked)


def _identity(person: str) -> dict[str, str]:
    """Return the headers that the middleware of Keystone sets for a token."""
    scope, roles = matrix.PEOPLE[person]
    found = {
        "HTTP_X_IDENTITY_STATUS": "Confirmed",
        "HTTP_X_USER_ID": person,
        "HTTP_X_USER_NAME": person,
        "HTTP_X_USER_DOMAIN_ID": "default",
        "HTTP_X_ROLES": ",".join(roles),
    }
    if scope == "system":
        return found | {"HTTP_OPENSTACK_SYSTEM_SCOPE": "all"}
    if scope == "domain":
        return found | {"HTTP_X_DOMAIN_ID": "default", "HTTP_X_DOMAIN_NAME": "Default"}
    if scope:
        project = {"HTTP_X_PROJECT_ID": _PROJECTS[scope], "HTTP_X_PROJECT_NAME": scope}
        return found | project | {"HTTP_X_PROJECT_DOMAIN_ID": "default"}
    return found
