"""Quotas: how much projects may have."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden
from fake_server.compute.models import instances, server_groups
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import quotas

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fake_server.db.store import Record, Transaction

UNLIMITED = -1
#: What has a quota as long as Nova passes requests on to Neutron, or puts files into machines.
OF_NETWORKS = ("fixed_ips", "floating_ips", "security_group_rules", "security_groups")
OF_FILES = ("injected_file_content_bytes", "injected_file_path_bytes", "injected_files")
#: What has a quota, unlimited unless it is set.
RESOURCES = (
    *("cores", "instances", "key_pairs", "metadata_items", "ram"),
    *("server_group_members", "server_groups"),
    *OF_NETWORKS,
    *OF_FILES,
)
#: The class whose quotas projects have that have none of their own.
DEFAULT_CLASS = "default"


@reader
def of_class(tx: Transaction, name: str) -> dict[str, int]:
    """Return the limits of a class by resource."""
    return {**dict.fromkeys(RESOURCES, UNLIMITED), **_stored(tx, f"class {name}")}


@reader
def of_project(tx: Transaction, project_id: str) -> dict[str, int]:
    """Return the limits of a project by resource."""
    return {**of_class(tx, DEFAULT_CLASS), **_stored(tx, f"project {project_id}")}


@reader
def used(tx: Transaction, project_id: str) -> dict[str, int]:
    """Return what a project has by resource, of what is counted for projects."""
    rows = instances.get_all(tx, project_id)
    return {
        "instances": len(rows),
        "cores": sum(row["flavor"]["vcpus"] for row in rows),
        "ram": sum(row["flavor"]["ram"] for row in rows),
        "server_groups": len(server_groups.get_all(tx, project_id)),
    }


@reader
def check(
    tx: Transaction,
    project_id: str,
    wanted: Mapping[str, int],
    shown: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Raise Forbidden if a project may not have so much more of resources.

    :param shown: what is said of how much is wanted, where it isn't a number.
    """
    limits, having = of_project(tx, project_id), used(tx, project_id)
    over = [
        name
        for name in sorted(wanted)
        if limits[name] != UNLIMITED and having[name] + wanted[name] > limits[name]
    ]
    if over:
        names, requested, taken, allowed = (
            ", ".join(str(column[name]) for name in over)
            for column in (dict(zip(over, over, strict=True)), {**wanted, **shown}, having, limits)
        )
        raise Forbidden(
            f"Quota exceeded for {names}: Requested {requested}, but already used {taken} of "
            f"{allowed} {names}"
        )


@writer
def create_instances(
    tx: Transaction,
    project_id: str,
    flavor: Mapping[str, int],
    numbers: tuple[int, int],
    make: Callable[[int], Sequence[Mapping[str, Any]]],
    now: float,
) -> list[Record]:
    """Store as many instances as a project wants and may have, and return them.

    :param numbers: the least and the greatest number that it wants.
    :param make: returns as many new rows.
    :param now: the time, in seconds since the epoch.
    :raises Forbidden: if it may not have the least number.
    """
    return instances.create(tx, make(_allowed(tx, project_id, flavor, *numbers)), now)


def _allowed(
    tx: Transaction, project_id: str, flavor: Mapping[str, int], least: int, most: int
) -> int:
    limits, having = of_project(tx, project_id), used(tx, project_id)
    each = {"instances": 1, "cores": flavor["vcpus"], "ram": flavor["ram"]}
    limited = [name for name in each if limits[name] != UNLIMITED and each[name]]
    count = min([most, *((limits[name] - having[name]) // each[name] for name in limited)])
    if count < least:
        shown = {} if least == most else {"instances": f"{least}-{most}"}
        check(tx, project_id, {name: most * amount for name, amount in each.items()}, shown)
    return count


@writer
def set_class(tx: Transaction, name: str, limits: Mapping[str, int]) -> None:
    """Set some limits of a class."""
    _set(tx, f"class {name}", limits)


@writer
def set_project(tx: Transaction, project_id: str, limits: Mapping[str, int]) -> None:
    """Set some limits of a project."""
    _set(tx, f"project {project_id}", limits)


@writer
def reset_project(tx: Transaction, project_id: str) -> None:
    """Give a project the limits of the default class again."""
    tx.remove(quotas, id=f"project {project_id}")


def _stored(tx: Transaction, ident: str) -> dict[str, int]:
    row = tx.get(quotas, id=ident)
    return dict(row["limits"]) if row else {}


def _set(tx: Transaction, ident: str, limits: Mapping[str, int]) -> None:
    changed = {**_stored(tx, ident), **limits}
    tx.remove(quotas, id=ident)
    tx.insert(quotas, {"id": ident, "limits": changed})
