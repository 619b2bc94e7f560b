"""What projects have of their own: quotas, and the type of volumes that ask for none."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.block_storage import tables
from fake_server.block_storage.models import types
from fake_server.block_storage.tables import projects, volume_types, volumes
from fake_server.common.dialects.cinder import OverLimit
from fake_server.common.errors import NotFound
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction


@dataclass(frozen=True)
class Counted:
    """What a quota counts: the rows of a table.

    :param limit: how many a project may have by default, -1 for any number.
    :param gigabytes: the quota of their sizes together, if they have some.
    :param volume: the column with the volume whose type has quotas of its own, too.
    """

    table: sa.Table
    limit: int
    gigabytes: str | None = None
    volume: sa.ColumnElement[Any] | None = None


#: What there are quotas of; its own row is all that another kind of resources needs.
COUNTED = {
    "volumes": Counted(tables.volumes, 10, "gigabytes", tables.volumes.c.id),
    "snapshots": Counted(tables.snapshots, 10, "gigabytes", tables.snapshots.c.volume_id),
    "backups": Counted(tables.backups, 10, "backup_gigabytes"),
}
#: Cinder's other limits, -1 for none.
LIMITS: Mapping[str, int] = MappingProxyType(
    {"gigabytes": 1000, "backup_gigabytes": 1000, "per_volume_gigabytes": -1, "groups": 10}
)

#: What Cinder calls the errors that handlers catch.
OVER_GIGABYTES, OVER_VOLUMES = "VolumeSizeExceedsAvailableQuota", "VolumeLimitExceeded"


def of_class(name: str) -> str:
    """Return the id that stands for a class of projects; no project has such an id."""
    return f"class {name}"


def defaults(tx: Transaction) -> dict[str, int]:
    """Return the limits of projects that have none of their own."""
    of_types = {
        f"{kind}_{row['name']}": -1
        for row in types.ROWS.fetch(tx)
        for kind in ("volumes", "gigabytes", "snapshots")
    }
    counted = {name: one.limit for name, one in COUNTED.items()}
    return {**counted, **LIMITS, **of_types, **_own(tx, of_class("default"))["limits"]}


def limits(tx: Transaction, project_id: str) -> dict[str, int]:
    """Return the limits of a project by what they are of."""
    return {**defaults(tx), **_own(tx, project_id)["limits"]}


def used(tx: Transaction, project_id: str) -> dict[str, int]:
    """Return how much a project has, by what there are limits of."""
    found = dict.fromkeys(defaults(tx), 0)
    of_type = sa.select(volumes.c.id, volume_types.c.name.label("type")).join(volume_types)
    names = {row["id"]: row["type"] for row in tx.all(of_type)}
    for name, one in COUNTED.items():
        size = sa.null() if one.gigabytes is None else one.table.c.size
        volume = sa.null() if one.volume is None else one.volume
        query = sa.select(size.label("size"), volume.label("volume"))
        for row in tx.all(query.where(one.table.c.project_id == project_id)):
            kind = names.get(row["volume"])
            for suffix in ("", f"_{kind}") if kind else ("",):
                found[f"{name}{suffix}"] += 1
                if one.gigabytes is not None:
                    found[f"{one.gigabytes}{suffix}"] += row["size"]
    return found


def check_room(
    tx: Transaction, project_id: str, size: int = 0, kind: str = "volumes", number: int = 1
) -> None:
    """Raise OverLimit if a project may not have another one of a kind, and of a size.

    :param size: in GiB, where they have one.
    :param number: how many they are, if there are several of that size together.
    """
    most, has = limits(tx, project_id), used(tx, project_id)
    if kind == "volumes" and 0 <= most["per_volume_gigabytes"] < size:
        raise OverLimit(
            "VolumeSizeExceedsLimit",
            f"Requested volume size {size}G is larger than maximum allowed limit "
            f"{most['per_volume_gigabytes']}G.",
        )
    if 0 <= most[kind] < has[kind] + number:
        name, quota = kind.removesuffix("s").capitalize(), f" for quota '{kind}'."
        raise OverLimit(
            f"{name}LimitExceeded",
            f"Maximum number of {kind} allowed ({most[kind]}) exceeded"
            + (quota if kind == "volumes" else ""),
        )
    if COUNTED[kind].gigabytes == "gigabytes":
        _check_gigabytes(most, has, size)


def check_gigabytes(tx: Transaction, project_id: str, size: int) -> None:
    """Raise OverLimit if a project may not have so many GiB more."""
    _check_gigabytes(limits(tx, project_id), used(tx, project_id), size)


def set_limits(tx: Transaction, project_id: str, wanted: Mapping[str, int]) -> None:
    """Give a project limits of its own, beside those that it has."""
    _change(tx, project_id, {"limits": {**_own(tx, project_id)["limits"], **wanted}})


def forget_limits(tx: Transaction, project_id: str) -> None:
    """Give a project the limits of all again."""
    _change(tx, project_id, {"limits": {}})


def default_type(tx: Transaction, project_id: str) -> str:
    """Return the type, by id or name, of a project's volumes that ask for none."""
    return str(_own(tx, project_id)["default_type_id"] or types.DEFAULT)


def default_types(tx: Transaction) -> list[Record]:
    """Return the projects that have a default type of their own."""
    query = sa.select(projects).where(projects.c.default_type_id.is_not(None))
    return tx.all(query.order_by(projects.c.number))


def own_default_type(tx: Transaction, project_id: str) -> str:
    """Return the default type of a project's own; raise NotFound if it has none."""
    found = _own(tx, project_id)["default_type_id"]
    if found is None:
        raise NotFound(f"Default type for project {project_id} not found.")
    return str(found)


def set_default_type(tx: Transaction, project_id: str, type_id: str | None) -> None:
    """Give a project a default type of its own, or take it away."""
    _change(tx, project_id, {"default_type_id": type_id})


def _check_gigabytes(most: Mapping[str, int], has: Mapping[str, int], size: int) -> None:
    if 0 <= most["gigabytes"] < has["gigabytes"] + size:
        raise OverLimit(
            OVER_GIGABYTES,
            f"Requested volume or snapshot exceeds allowed gigabytes quota. Requested {size}G, "
            f"quota is {most['gigabytes']}G and {has['gigabytes']}G has been consumed.",
        )


def _own(tx: Transaction, project_id: str) -> Record:
    return tx.get(projects, id=project_id) or {"limits": {}, "default_type_id": None}


def _change(tx: Transaction, project_id: str, changes: dict[str, Any]) -> None:
    if tx.update_row(projects, project_id, changes):
        return
    try:
        tx.insert(projects, {"id": project_id, "limits": {}, **changes})
    except DuplicateError:
        tx.update_row(projects, project_id, changes)
