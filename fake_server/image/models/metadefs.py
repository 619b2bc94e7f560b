"""Metadata definitions: namespaces, and the properties, objects, tags and types in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import Conflict, NotFound
from fake_server.db.store import DuplicateError
from fake_server.image.tables import definitions, namespaces, resource_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

PUBLIC, PRIVATE = "public", "private"
_NO_NAMESPACE = "Namespace {} not found"


@dataclass(frozen=True)
class Kind:
    """A kind of definitions.

    :param name: as paths have it.
    :param one: one of them, as schemas and policies call it.
    :param missing: what is said if there is none of a name.
    :param taken: what is said if there is one already.
    :param protected: what it is called where it is protected.
    :param no_namespace: what is said if there is no namespace.
    :param removal: what begins the name of the policy of removing one.
    """

    name: str
    one: str
    missing: str
    taken: str
    protected: str
    no_namespace: str = _NO_NAMESPACE
    removal: str = "delete"

    def policy(self, action: str) -> str:
        """Return the name of the policy of doing something to one of them."""
        return f"{action}_metadef_{self.one}"


_TAKEN = "A metadata definition {0} with name={{name}} already exists in namespace={{namespace}}."
PROPERTIES = Kind(
    name="properties",
    one="property",
    missing="Could not find property {}",
    taken=_TAKEN.format("property"),
    protected="property",
    removal="remove",
)
OBJECTS = Kind(
    name="objects",
    one="object",
    missing="Could not find metadata object {}",
    taken=_TAKEN.format("object"),
    protected="object",
    no_namespace="Metadata definition namespace={} was not found.",
)
TAGS = Kind(
    name="tags",
    one="tag",
    missing="Could not find metadata tag {}",
    taken=(
        "A metadata tag with name={name} already exists in namespace={namespace}. (Please note "
        "that metadata tag names are case insensitive)."
    ),
    protected="tag",
)
RESOURCE_TYPES = Kind(
    name="resource_types",
    one="resource_type_association",
    missing="Failed to find resource type {} to delete",
    taken=(
        "The metadata definition resource-type association of resource-type={name} to "
        "namespace={namespace} already exists."
    ),
    protected="resource-type-association",
    removal="remove",
)


def find_namespace(tx: Transaction, name: str) -> Record:
    """Return a namespace; raise NotFound if there is none."""
    row = tx.get(namespaces, namespace=name)
    if row is None:
        raise NotFound(f"Metadata definition namespace={name} was not found.")
    return row


def fetch_namespaces(tx: Transaction, project_id: str | None) -> list[Record]:
    """Return the namespaces that a project sees, or all of them, the newest first."""
    query = sa.select(namespaces).order_by(namespaces.c.created_at.desc())
    if project_id is not None:
        seen = sa.or_(namespaces.c.visibility == PUBLIC, namespaces.c.owner == project_id)
        query = query.where(seen)
    return tx.all(query.order_by(namespaces.c.number.desc()))


def create_namespace(tx: Transaction, clock: Clock, values: Mapping[str, Any]) -> Record:
    """Create a namespace; raise Conflict if there is one of its name."""
    now = clock.now()
    try:
        tx.insert(namespaces, {**values, "created_at": now, "updated_at": now})
    except DuplicateError:
        name = values["namespace"]
        raise Conflict(f"The metadata definition namespace={name} already exists.") from None
    return find_namespace(tx, values["namespace"])


def update_namespace(
    tx: Transaction, clock: Clock, row: Record, values: Mapping[str, Any]
) -> Record:
    """Change a namespace and return it; raise Conflict if another one has its new name."""
    changes = {**values, "updated_at": clock.now()}
    try:
        tx.update(namespaces, [namespaces.c.number == row["number"]], changes)
    except DuplicateError:
        raise Conflict(
            "Invalid update. It would result in a duplicate metadata definition namespace with the "
            f"same name of {values['namespace']}"
        ) from None
    return {**row, **changes}


def remove_namespace(tx: Transaction, row: Record) -> None:
    """Remove a namespace with all that is in it."""
    tx.remove(namespaces, number=row["number"])


def fetch(tx: Transaction, kind: Kind, namespace: Record) -> list[Record]:
    """Return the definitions of a kind in a namespace, the oldest first."""
    where = (definitions.c.namespace_number == namespace["number"], definitions.c.kind == kind.name)
    return tx.all(sa.select(definitions).where(*where).order_by(definitions.c.number))


def find(tx: Transaction, kind: Kind, namespace: Record, name: str) -> Record:
    """Return a definition; raise NotFound if there is none of the name."""
    key = {"namespace_number": namespace["number"], "kind": kind.name, "name": name}
    row = tx.get(definitions, **key)
    if row is None:
        raise NotFound(kind.missing.format(name))
    return row


def create(
    tx: Transaction, clock: Clock, kind: Kind, namespace: Record, body: Mapping[str, Any]
) -> Record:
    """Create a definition; raise Conflict if there is one of its name.

    :param body: its ``name``, and what else is said of it.
    """
    now = clock.now()
    if kind is RESOURCE_TYPES and tx.get(resource_types, name=body["name"]) is None:
        tx.insert(resource_types, {"name": body["name"], "created_at": now})
    row = {
        "namespace_number": namespace["number"],
        "kind": kind.name,
        **_columns(body),
        "created_at": now,
        "updated_at": now,
    }
    try:
        tx.insert(definitions, row)
    except DuplicateError:
        raise _taken(kind, namespace, body["name"]) from None
    return find(tx, kind, namespace, body["name"])


def update(
    tx: Transaction,
    clock: Clock,
    kind: Kind,
    namespace: Record,
    row: Record,
    body: Mapping[str, Any],
) -> Record:
    """Replace a definition and return it; raise Conflict if another one has its new name."""
    changes = {**_columns(body), "updated_at": clock.now()}
    try:
        tx.update(definitions, [definitions.c.number == row["number"]], changes)
    except DuplicateError:
        raise _taken(kind, namespace, body["name"]) from None
    return {**row, **changes}


def remove(tx: Transaction, rows: Iterable[Record]) -> None:
    """Remove definitions."""
    for row in rows:
        tx.remove(definitions, number=row["number"])


def fetch_resource_types(tx: Transaction) -> list[Record]:
    """Return all resource types that were ever named."""
    return tx.rows(resource_types, "name")


def _columns(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": body["name"], "body": {key: body[key] for key in body if key != "name"}}


def _taken(kind: Kind, namespace: Record, name: str) -> Conflict:
    return Conflict(kind.taken.format(name=name, namespace=namespace["namespace"]))
