"""Roles of users and groups on projects, domains and the system."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.wsgi import Response
from fake_server.identity import errors, models, tables, targets
from fake_server.identity.policies import POLICIES
from fake_server.identity.resources.projects import DOMAIN, PROJECT
from fake_server.identity.resources.roles import ROLE
from fake_server.identity.resources.users import GROUP, USER

if TYPE_CHECKING:
    from fake_server.identity.context import Context, Handler
    from fake_server.identity.resources.keystone_resource import KeystoneResource

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KINDS = {"users": USER, "groups": GROUP, "projects": PROJECT}
_KINDS["domains"] = DOMAIN


def _grant(
    ctx: Context, action: str, target: str, actor: str, *, inherited: bool, **idents: str
) -> Response:
    """Do something with a grant.

    :param action: ``list``, ``check``, ``create`` or ``revoke``.
    :param target: ``projects``, ``domains`` or ``system``.
    :param actor: ``users`` or ``groups``.
    :param inherited: whether it is for the projects below the target.
    """
    ctx.authenticate()
    subjects = _subjects(target, actor, idents)
    rows = {kind.name: kind.find(ctx, ident) for kind, ident in subjects}
    for kind, ident in subjects:
        hidden = inherited or (action == "revoke" and kind is _KINDS[actor])
        if rows[kind.name] is None and not hidden:
            raise errors.not_found(kind.name, ident)
    ctx.require(_policy(action, target, actor), targets.of(**rows))
    for kind, ident in subjects:
        if rows[kind.name] is None:
            raise errors.not_found(kind.name, ident)
    target_id = idents.get("target_id")
    match: dict[str, Any] = {
        f"{actor[:-1]}_id": idents["actor_id"],
        "target_id": target_id,
        "inherited": inherited,
    }
    if action == "list":
        assigned = models.assignments(ctx.tx, **match)
        roles = {one["id"]: one for one in models.fetch(ctx.tx, tables.roles)}
        return ROLE.answer_list(ctx, (roles[one["role_id"]] for one in assigned))
    role, place = rows["role"] or {}, rows.get("project")
    if action == "create":
        if place and role["domain_id"] not in (tables.NO_DOMAIN, place["domain_id"]):
            raise Forbidden(
                f"Project {target_id} must be in the same domain as the role {role['id']} being "
                "assigned."
            )
        if target == "system" and role["domain_id"] != tables.NO_DOMAIN:
            raise BadRequest(
                f"Role {role['id']} is a domain-specific role. Unable to use a domain-specific "
                "role in a system assignment."
            )
        models.assign(ctx.tx, **match, role_id=role["id"])
        return Response(204)
    assignment = models.first(ctx.tx, tables.assignments, role_id=role["id"], **match)
    if assignment is None:
        raise NotFound(
            f"Could not find role assignment with role: {role['id']}, user or group: "
            f"{idents['actor_id']}, project, domain, or system: {target_id}."
        )
    if action == "revoke":
        ctx.tx.remove(tables.assignments, id=assignment["id"])
    return Response(204)


def _subjects(
    target: str, actor: str, idents: dict[str, str]
) -> list[tuple[KeystoneResource, str]]:
    """Return what a grant is about, with its ids."""
    found = [(ROLE, "role_id"), (_KINDS[actor], "actor_id")]
    if target != "system":
        found.append((_KINDS[target], "target_id"))
    return [(kind, idents[name]) for kind, name in found if name in idents]


def _policy(action: str, target: str, actor: str) -> str:
    several = "s" if action == "list" else ""
    if target == "system":
        return f"{action}_system_grant{several}_for_{actor[:-1]}"
    return f"{action}_grant{several}"


def _register(method: str, address: str, *of: str, inherited: bool) -> None:
    @ROUTES.add(method, address, _policy(*of))
    def handler(ctx: Context, **idents: str) -> Response:
        return _grant(ctx, *of, inherited=inherited, **idents)


for _target, _actor in product(("projects", "domains", "system"), ("users", "groups")):
    _place = "system" if _target == "system" else f"{_target}/{{target_id}}"
    _roles = f"{_place}/{_actor}/{{actor_id}}/roles"
    for _before, _after in (("/v3", ""), ("/v3/OS-INHERIT", "/inherited_to_projects")):
        if _after and _target == "system":
            continue
        for _method, _action, _one in (
            ("GET HEAD", "list", ""),
            ("GET HEAD", "check", "/{role_id}"),
            ("PUT", "create", "/{role_id}"),
            ("DELETE", "revoke", "/{role_id}"),
        ):
            # Keystone lists no roles that are inherited from a project.
            if _after and (_target, _action) == ("projects", "list"):
                continue
            _where = f"{_before}/{_roles}{_one}{_after}"
            _register(_method, _where, _action, _target, _actor, inherited=bool(_after))
