"""What projects have of their own: quotas, and the type of volumes that ask for none."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.block_storage.errors import OverLimit
from fake_server.block_storage.models import types
from fake_server.block_storage.tables import backups, projects, snapshots, volume_types, volumes
from fake_server.common.errors import NotFound
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction

#: Cinder's limits, -1 for none.
LIMITS: Mapping[str, int] = MappingProxyType(
    {
        "volumes": 10,
        "snapshots": 10,
        "gigabytes": 1000,
        "backups": 10,
        "backup_gigabytes": 1000,
        "per_volume_gigabytes": -1,
        "groups": 10,
    }
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
        for row in types.fetch(tx)
        for kind in ("volumes", "gigabytes", "snapshots")
    }
    return {**LIMITS, **of_types, **_own(tx, of_class("default"))["limits"]}


def limits(tx: Transaction, project_id: str) -> dict[str, int]:
    """Return the limits of a project by what they are of."""
    return {**defaults(tx), **_own(tx, project_id)["limits"]}


def used(tx: Transaction, project_id: str) -> dict[str, int]:
    """Return how much a project has, by what there are limits of."""
    found = dict.fromkeys(defaults(tx), 0)
    of_type = sa.select(volumes.c.id, volume_types.c.name.label("type")).join(volume_types)
    names = {row["id"]: row["type"] for row in tx.all(of_type)}
    for table, volume_id, count, size in (
        (volumes, volumes.c.id, "volumes", "gigabytes"),
        (snapshots, snapshots.c.volume_id, "snapshots", "gigabytes"),
        (backups, sa.null(), "backups", "backup_gigabytes"),
    ):
        query = sa.select(table.c.size, volume_id.label("volume"))
        for row in tx.all(query.where(table.c.project_id == project_id)):
            kind = names.get(row["volume"])
            for suffix in ("", f"_{kind}") if kind else ("",):
                found[f"{count}{suffix}"] += 1
                found[f"{size}{suffix}"] += row["size"]
    return found


def check_room(
    tx: Transaction, project_id: str, size: int, kind: str = "volumes", number: int = 1
) -> None:
    """Raise OverLimit if a project may not have another volume, snapshot or backup of a size.

    :param size: in GiB.
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
    if kind != "backups":
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
