"""Volume types."""

from __future__ import annotations

from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import sqlalchemy as sa

from fake_server.block_storage.tables import type_access, volume_types, volumes
from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.resources.rows import Rows
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Store, Transaction

#: What an extra spec has to be for a volume that many servers may share.
TRUE = "<is> True"
DEFAULT = "__DEFAULT__"
_PROTOCOLS = {
    "iscsi": "iscsi",
    "fc": "fibre_channel",
    "fibre_channel": "fibre_channel",
    **dict.fromkeys(("nvmeof", "nvme-of"), "nvmeof"),
}
#: What a type is unless somebody says otherwise.
EMPTY: Mapping[str, Any] = MappingProxyType(
    {
        "description": None,
        "is_public": True,
        "extra_specs": {},
        "qos_specs_id": None,
        "encryption": None,
    }
)
#: Types that there are from the start, with their extra specs.
_BUILT_IN: dict[str, dict[str, str]] = {
    DEFAULT: {},
    "multiattach": {"multiattach": TRUE},
    "fibre-channel": {"storage_protocol": "FC"},
}


def built_in() -> list[Record]:
    """Return the rows of the types that there are from the start."""
    return [
        {
            **EMPTY,
            "id": str(uuid5(NAMESPACE_URL, f"fake:volume-type:{name}")),
            "name": name,
            "extra_specs": dict(specs),
            "description": "Default Volume Type" if name == DEFAULT else None,
        }
        for name, specs in _BUILT_IN.items()
    ]


def install(store: Store) -> None:
    """Store the types that there are from the start."""
    # Another process may be faster.
    with suppress(DuplicateError), store.transaction() as tx:
        missing = [row for row in built_in() if not tx.get(volume_types, name=row["name"])]
        if missing:
            tx.insert_many(volume_types, missing)


class TypeRows(Rows):
    """The rows of the types; projects see the public ones, and those that they may use."""

    def find(self, tx: Transaction, ident: str, project_id: str | None = None) -> Record:
        """Return a type by its id, of those a project sees; raise NotFound without."""
        found = super().find(tx, ident)
        if not _is_seen(tx, found, project_id):
            raise self.missing(ident)
        return found

    def named(self, tx: Transaction, name: str, project_id: str | None = None) -> Record:
        """Return a type by its id or name, of those a project sees; raise NotFound without."""
        found = tx.get(self.table, id=name) or tx.get(self.table, name=name)
        if found is None or not _is_seen(tx, found, project_id):
            raise self.missing(f"with name {name}")
        return found

    def fetch(
        self, tx: Transaction, /, project_id: str | None = None, **match: Any
    ) -> list[Record]:
        """Return all types, or those that a project sees."""
        rows = super().fetch(tx, **match)
        return [row for row in rows if _is_seen(tx, row, project_id)]


ROWS = TypeRows(
    volume_types, "Volume type {} could not be found.", "Volume Type {name} already exists."
)


def projects_of(tx: Transaction, found: Record) -> list[str]:
    """Return the projects that use a type which isn't public; raise NotFound for one that is."""
    if found["is_public"]:
        raise NotFound("Access list not available for public volume types.")
    query = sa.select(type_access).where(type_access.c.type_id == found["id"])
    return [row["project_id"] for row in tx.all(query.order_by(type_access.c.number))]


def give(tx: Transaction, found: Record, project_id: str) -> None:
    """Let a project use a type; raise BadRequest for a public one, Conflict if it does already."""
    if found["is_public"]:
        raise _is_public()
    try:
        tx.insert(type_access, {"type_id": found["id"], "project_id": project_id})
    except DuplicateError:
        raise Conflict(
            f"Volume type access for {found['id']} / {project_id} combination already exists."
        ) from None


def take(tx: Transaction, found: Record, project_id: str) -> None:
    """Stop a project from using a type; raise NotFound if it doesn't."""
    if found["is_public"]:
        raise _is_public()
    if not tx.remove(type_access, type_id=found["id"], project_id=project_id):
        raise NotFound(
            f"Volume type access not found for {found['id']} / {project_id} combination."
        )


def _is_public() -> BadRequest:
    text = "Type access modification is not applicable to public volume type."
    return BadRequest(f"Invalid volume type: {text}")


def _is_seen(tx: Transaction, found: Record, project_id: str | None) -> bool:
    if found["is_public"] or project_id is None:
        return True
    return tx.get(type_access, type_id=found["id"], project_id=project_id) is not None


def delete(tx: Transaction, found: Record) -> None:
    """Remove a type; raise BadRequest if volumes are of it."""
    if tx.get(volumes, volume_type_id=found["id"]):
        raise BadRequest("Target volume type is still in use.")
    ROWS.remove(tx, found)


def shares(found: Record | None) -> bool:
    """Return whether volumes of a type can be attached to many servers."""
    return found is not None and found["extra_specs"].get("multiattach") == TRUE


def protocol(found: Record | None) -> str | None:
    """Return the protocol that a type asks for, if it does."""
    wanted = (found or {}).get("extra_specs", {}).get("storage_protocol", "")
    return _PROTOCOLS.get(str(wanted).lower())
