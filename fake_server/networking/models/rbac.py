"""RBAC policies: what of a project others may use, and who."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.networking.errors import InvalidInput
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

KIND = "rbac_policies"
EVERYONE = "*"
SHARED, EXTERNAL = "access_as_shared", "access_as_external"
#: The kinds of what can be shared, by what policies call one of them.
_SHARED_KINDS = {row.shares_as: kind for kind, row in KINDS.items() if row.shares_as}
#: The attributes that stand for a policy for everyone.
FLAGS = {SHARED: "shared", EXTERNAL: "router:external"}


def kind_of(object_type: Any) -> str:
    """Return the kind that policies are about; raise InvalidInput for none."""
    if not isinstance(object_type, str) or object_type not in _SHARED_KINDS:
        raise InvalidInput(f"'{object_type}' is not a valid RBAC object type")
    return _SHARED_KINDS[object_type]


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a policy and return it; raise what keeps it from being one."""
    kind = kind_of(values["object_type"])
    actions = (SHARED, EXTERNAL) if kind == "networks" else (SHARED,)
    if values["action"] not in actions:
        raise BadRequest(
            f"Invalid action '{values['action']}' for object type '{values['object_type']}'. Valid "
            f"actions: {actions}",
            "InvalidActionForType",
        )
    shared = items.need(session, kind, values["object_id"])
    if not session.is_admin and shared["project_id"] != values["project_id"]:
        raise _not_owned(session, kind, shared, values["project_id"])
    if kind == "subnetpools":
        _check_scope(session, shared, values["target_tenant"])
    same = ("target_tenant", "action")
    stored = _about(session, shared["id"])
    if any(all(one[name] == values[name] for name in same) for one in stored):
        raise Conflict("An RBAC policy already exists with those values.", "DuplicateRbacPolicy")
    made = items.add(session, KIND, values)
    if kind == "networks":
        items.touch(session, kind, shared["id"])
    _flag(session, made)
    return made


def update(session: NetworkingSession, policy: Record, changes: Mapping[str, Any]) -> Record:
    """Let another project use what a policy is about; raise Conflict if the former still does."""
    target = changes.get("target_tenant", policy["target_tenant"])
    if target == policy["target_tenant"]:
        return policy
    _check_unused(session, policy, {target})
    _flag(session, policy, on=False)
    changed = items.save(session, KIND, policy, changes)
    _flag(session, changed)
    return changed


def delete(session: NetworkingSession, policy: Record) -> None:
    """Remove a policy; raise Conflict if it is in use."""
    _check_unused(session, policy, set())
    _flag(session, policy, on=False)
    items.remove(session, KIND, policy["id"])


def reaches(
    session: NetworkingSession, item: Mapping[str, Any], project: str, action: str = SHARED
) -> bool:
    """Return whether a project may use something as if it were shared, or external."""
    return bool(item.get(FLAGS[action])) or any(
        policy["action"] == action and policy["target_tenant"] in (project, EVERYONE)
        for policy in _about(session, item["id"])
    )


def seen_by(
    session: NetworkingSession, project: str | None, rows: Sequence[Record]
) -> list[Record]:
    """Return things as a project sees them: what is shared with it alone is shared, too."""
    flags: dict[str, dict[str, set[str]]] = {}
    for policy in _about(session, *(row["id"] for row in rows)):
        targets = flags.setdefault(policy["object_id"], {})
        targets.setdefault(FLAGS[policy["action"]], set()).add(policy["target_tenant"])
    return [
        {
            **row,
            **{
                flag: True
                for flag, targets in flags[row["id"]].items()
                # Who sees an external network anyway sees that it is one.
                if project in targets or (flag == FLAGS[EXTERNAL] and _owns(session, project, row))
            },
        }
        if row["id"] in flags
        else row
        for row in rows
    ]


def _not_owned(
    session: NetworkingSession, kind: str, item: Mapping[str, Any], project: str
) -> InvalidInput:
    """Return the error for a policy about what another project owns; two tell of a network."""
    problem = "Only admins can manipulate policies on {} they do not own"
    whole = InvalidInput(problem.format("objects"))
    if kind != "networks":
        return whole
    seen = any(reaches(session, item, project, action) for action in FLAGS)
    of_network = (
        InvalidInput(problem.format("networks")) if seen else KINDS[kind].missing(item["id"])
    )
    return InvalidInput(f"{whole},{of_network}")


def _owns(session: NetworkingSession, project: str | None, row: Mapping[str, Any]) -> bool:
    return session.is_admin or row["project_id"] == project


def follow(session: NetworkingSession, kind: str, item: Record) -> None:
    """Create or remove the policies for everyone that the attributes of an item stand for."""
    stored = {
        policy["action"]: policy
        for policy in _about(session, item["id"])
        if policy["target_tenant"] == EVERYONE
    }
    for action, flag in FLAGS.items():
        if item.get(flag) and action not in stored:
            values = {
                "object_type": KINDS[kind].shares_as,
                "object_id": item["id"],
                "target_tenant": EVERYONE,
                "action": action,
                "project_id": item["project_id"],
            }
            items.add(session, KIND, values)
        elif not item.get(flag) and action in stored:
            items.remove(session, KIND, stored[action]["id"])


def forget(session: NetworkingSession, ident: str) -> None:
    """Remove all policies about something."""
    for policy in _about(session, ident):
        items.remove(session, KIND, policy["id"])


def _about(session: NetworkingSession, *idents: str) -> list[Record]:
    """Return the policies about something, or about all where several things are named."""
    match = {"object_id": idents} if len(idents) == 1 else {}
    return items.fetch(session, KIND, **match)


def _flag(session: NetworkingSession, policy: Mapping[str, Any], *, on: bool = True) -> None:
    """Set or clear the attribute that a policy for everyone stands for."""
    if policy["target_tenant"] == EVERYONE:
        kind = kind_of(policy["object_type"])
        item = items.need(session, kind, policy["object_id"])
        items.save(session, kind, item, {FLAGS[policy["action"]]: on}, bump=False)


def _check_scope(session: NetworkingSession, pool: Mapping[str, Any], project: str) -> None:
    """Raise InvalidInput unless the address scope of a pool is shared with a project, too."""
    scope = items.find(session, "address_scopes", str(pool["address_scope_id"]))
    if scope is not None and not reaches(session, scope, project):
        raise InvalidInput(
            f"Failed to create RBAC policy on object {pool['id']} because target project doesn't "
            "have access to associated address scope.."
        )


def _check_unused(session: NetworkingSession, policy: Mapping[str, Any], left: set[str]) -> None:
    """Raise Conflict if projects use what only this policy lets them use.

    :param left: whom the policy will be for.
    """
    kind, ident = kind_of(policy["object_type"]), policy["object_id"]
    target = policy["target_tenant"]
    item = items.need(session, kind, ident)
    allowed = {item["project_id"], *left}
    allowed |= {
        other["target_tenant"]
        for other in _about(session, ident)
        if other["action"] == policy["action"] and other["id"] != policy["id"]
    }
    if EVERYONE in allowed:
        return
    users = set(_users(session, kind, ident, policy["action"])) - allowed
    if users if target == EVERYONE else target in users:
        head = (
            f"RBAC policy on object {ident} cannot be removed because other objects depend on it."
        )
        details = f"{head}\nDetails: project_id={target}"
        if kind == "networks":
            details = (
                f"Unable to reconfigure sharing settings for network {item['id']}. Multiple "
                "projects are using it."
            )
        raise Conflict(f"{head}\nDetails: {details}", "RbacPolicyInUse")


def _users(session: NetworkingSession, kind: str, ident: str, action: str) -> Iterable[str]:
    """Return the projects that use something."""
    if action == EXTERNAL:
        users = []
        for router in items.fetch(session, "routers"):
            if (router["external_gateway_info"] or {}).get("network_id") == ident:
                users.append(router["project_id"])
        return users
    using = {
        "networks": (("ports", "network_id"), ("subnets", "network_id")),
        "policies": (("ports", "qos_policy_id"), ("networks", "qos_policy_id")),
        "security_groups": (("ports", "security_groups"),),
        "subnetpools": (("subnets", "subnetpool_id"),),
        "address_groups": (("security_group_rules", "remote_address_group_id"),),
        "address_scopes": (("subnetpools", "address_scope_id"),),
    }
    return [
        one["project_id"]
        for user, name in using[kind]
        for one in items.fetch(session, user)
        if ident == one[name] or (isinstance(one[name], list) and ident in one[name])
    ]
