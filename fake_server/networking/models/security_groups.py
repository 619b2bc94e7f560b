"""Security groups; every project has one called ``default``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.common.errors import BadRequest, Conflict
from fake_server.db.store import DuplicateError
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, rbac, security_group_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_KIND = "security_groups"
DEFAULT = "default"


def ident_of_default(project: str) -> str:
    """Return the id that a project's default group has."""
    return str(uuid5(NAMESPACE_URL, f"fake:security-group:{project}"))


def default(session: NetworkingSession, project: str) -> str:
    """Return the id of a project's default group, which is created if there is none."""
    ident = ident_of_default(project)
    if items.find(session, _KIND, ident) is None:
        values = {
            "id": ident,
            "project_id": project,
            "name": DEFAULT,
            "description": "Default security group",
            "stateful": True,
        }
        try:
            with session.tx.savepoint():
                _add(session, values)
        except DuplicateError:
            pass  # Another process was faster.
    return ident


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a group that lets everything out, and return it."""
    default(session, values["project_id"])
    return _add(session, values)


def update(session: NetworkingSession, group: Record, changes: Mapping[str, Any]) -> Record:
    """Change a group and return it; raise Conflict for what has to stay."""
    if changes.get("stateful", group["stateful"]) != group["stateful"]:
        _check_unused(session, group)
    if group["name"] == DEFAULT and "name" in changes:
        raise Conflict(
            "Updating default security group not allowed.", "SecurityGroupCannotUpdateDefault"
        )
    return items.save(session, _KIND, group, changes)


def delete(session: NetworkingSession, group: Record) -> None:
    """Remove a group with its rules, and those of other groups that name it.

    :raises Conflict: if a port has it, or if it is a project's default group.
    """
    _check_unused(session, group)
    if group["name"] == DEFAULT and not session.is_admin:
        raise Conflict(
            "Insufficient rights for removing default security group.",
            "SecurityGroupCannotRemoveDefault",
        )
    for rule in items.fetch(session, security_group_rules.KIND):
        if group["id"] in (rule["security_group_id"], rule["remote_group_id"]):
            items.remove(session, security_group_rules.KIND, rule["id"])
    rbac.forget(session, group["id"])
    items.remove(session, _KIND, group["id"])


def complete(session: NetworkingSession, rows: Sequence[Record]) -> list[Record]:
    """Return groups with their rules."""
    rules: dict[str, list[Record]] = {row["id"]: [] for row in rows}
    for rule in items.fetch(session, security_group_rules.KIND):
        if rule["security_group_id"] in rules:
            # Lists of groups don't tell to which kind of group a rule belongs.
            own = {**rule, "tenant_id": rule["project_id"], "belongs_to_default_sg": None}
            rules[rule["security_group_id"]].append(own)
    return [{**row, "security_group_rules": rules[row["id"]]} for row in rows]


def of_port(session: NetworkingSession, port: Mapping[str, Any]) -> list[str]:
    """Return the groups of a new port: those that it names, or else the default one."""
    wanted = port["security_groups"]
    _check_security(port, wanted)
    if not port["port_security_enabled"]:
        return []
    if wanted is None:
        return [default(session, port["project_id"])]
    check(session, wanted, port["project_id"])
    return list(wanted)


def check_port(
    session: NetworkingSession, port: Mapping[str, Any], changes: Mapping[str, Any]
) -> None:
    """Raise an error if a port can't have both its security and its groups after changes."""
    changed = {**port, **changes}
    _check_security(changed, changes.get("security_groups"))
    if changed["security_groups"] and not changed["port_security_enabled"]:
        raise Conflict(
            "Port has security group associated. Cannot disable port security or IP address "
            "until security group is removed.",
            "PortSecurityPortHasSecurityGroup",
        )
    if set(changed["security_groups"]) != set(port["security_groups"]):
        check(session, changed["security_groups"], port["project_id"])


def check(session: NetworkingSession, wanted: Sequence[str], project: str) -> None:
    """Raise an error if something of a project can't have these groups."""
    found = {group["id"]: group for group in items.fetch(session, _KIND, id=wanted)}
    lacking = [
        ident
        for ident in wanted
        if ident not in found
        or not (
            session.is_admin
            or found[ident]["project_id"] == project
            or rbac.reaches(session, found[ident], project)
        )
    ]
    if lacking:
        raise KINDS[_KIND].missing(", ".join(lacking))
    if len({group["stateful"] for group in found.values()}) > 1:
        raise Conflict(
            "Error Cannot apply both stateful and stateless security groups on the same port at "
            "the same time while attempting the operation.",
            "SecurityGroupConflict",
        )


def _add(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    group = items.add(session, _KIND, {**values, "shared": False}, revision=1)
    security_group_rules.add_first(session, group, of_default=group["name"] == DEFAULT)
    return group


def _check_unused(session: NetworkingSession, group: Mapping[str, Any]) -> None:
    if any(group["id"] in port["security_groups"] for port in items.fetch(session, "ports")):
        raise Conflict(f"Security Group {group['id']} in use.", "SecurityGroupInUse")


def _check_security(port: Mapping[str, Any], groups: Sequence[str] | None) -> None:
    """Raise an error if a port without security asks for what needs it."""
    if port["port_security_enabled"]:
        return
    if port["allowed_address_pairs"]:
        raise Conflict(
            "Port Security must be enabled in order to have allowed address pairs on a port.",
            "AddressPairAndPortSecurityRequired",
        )
    if groups:
        raise BadRequest(
            "Port security must be enabled and port must have an IP address in order to use "
            "security groups.",
            "PortSecurityAndIPRequiredForSecurityGroups",
        )
