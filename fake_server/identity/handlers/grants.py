"""Roles of users and groups on projects, domains and the system, and what roles imply."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.identity import errors, hierarchy, models, schemas, tables, targets
from fake_server.identity.policies import POLICIES
from fake_server.identity.resources.projects import DOMAIN, PROJECT
from fake_server.identity.resources.roles import ROLE
from fake_server.identity.resources.users import GROUP, USER

if TYPE_CHECKING:
    from fake_server.db.store import Record
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
        ctx.tx.delete(tables.assignments, tables.assignments.c.id == assignment["id"])
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


# Assignments


_LISTING = ("list_role_assignments", "list_role_assignments_for_tree")


@ROUTES.add("GET HEAD", "/v3/role_assignments", *_LISTING)
def list_assignments(ctx: Context) -> Response:
    """List who has which role where."""
    query = ctx.request.query
    subtree = schemas.as_boolean(query.get("include_subtree", "no"))
    if subtree:
        _require_tree(ctx)
    domain = ctx.caller.domain_id
    if not subtree:
        target = {} if domain is None else {"target.domain_id": domain}
        ctx.require("list_role_assignments", target)
    effective = schemas.as_boolean(query.get("effective", "no"))
    if "user.id" in query and "group.id" in query:
        raise BadRequest("Specify a user or group, not both")
    if sum(name in query for name in _SCOPES) > 1:
        raise BadRequest("Specify a domain or project, not both")
    if effective and "group.id" in query:
        text = "Combining effective and group filter will always result in an empty list."
        raise BadRequest(text)
    rows = models.assignments(ctx.tx)
    if effective:
        # Keystone leaves out the system, unless it is asked for it.
        of_system = "scope.system" in query
        grants = models.grants(ctx.tx, [one for one in rows if one["target_id"] or of_system])
        entries = [_effective(ctx, one) for one in grants]
    else:
        entries = [_assigned(ctx, one) for one in rows]
    entries = [one for one in entries if _is_wanted(ctx, one, query, subtree=subtree)]
    if domain is not None and not subtree:
        entries = [one for one in entries if _domain_of(ctx, one) == domain]
    if schemas.as_boolean(query.get("include_names", "no")):
        entries = [_with_names(ctx, one) for one in entries]
    return ctx.listed("role_assignments", entries)


def _require_tree(ctx: Context) -> None:
    """Raise an error if the client may not list the assignments of a project and those below."""
    ident = ctx.request.query.get("scope.project.id")
    if ident is None:
        raise BadRequest("'scope.project.id' is a dependency of 'include_subtree'")
    ctx.authenticate()
    row = PROJECT.need(ctx, ident)
    ctx.require("list_role_assignments_for_tree", {"target.domain_id": row["domain_id"]})


def _domain_of(ctx: Context, entry: dict[str, Any]) -> str | None:
    """Return the domain that an assignment is on, or is in."""
    if "project" in entry["scope"]:
        place = models.find(ctx.tx, tables.projects, entry["scope"]["project"]["id"]) or {}
        return place.get("domain_id")
    return (entry["scope"].get("domain") or {}).get("id")


_SCOPES = ("scope.project.id", "scope.domain.id", "scope.system")


def _assigned(ctx: Context, row: Record) -> dict[str, Any]:
    return _entry(ctx, row, row["user_id"], row["role_id"], row["target_id"])


def _effective(ctx: Context, grant: models.Grant) -> dict[str, Any]:
    row = grant.assignment
    entry = _entry(ctx, row, grant.user_id, grant.role_id, grant.target_id)
    if grant.prior_id is not None:
        # As if the role that implies it were given.
        prior = _path(ctx, {**row, "role_id": grant.prior_id})
        entry["links"]["assignment"] = ctx.link(prior)["self"]
        path = f"prior_role/{grant.role_id}/implies/{grant.prior_id}"
        entry["links"]["prior_role"] = ctx.link(path)["self"]
    if row["group_id"] is not None:
        path = f"groups/{row['group_id']}/users/{grant.user_id}"
        entry["links"]["membership"] = ctx.link(path)["self"]
    return entry


def _entry(
    ctx: Context, row: Record, user_id: str | None, role_id: str, target_id: str | None
) -> dict[str, Any]:
    actor = ("user", user_id) if user_id is not None else ("group", row["group_id"])
    scope: dict[str, Any] = {"system": {"all": True}}
    if target_id is not None:
        place = models.find(ctx.tx, tables.projects, target_id) or {}
        scope = {"domain" if place.get("is_domain") else "project": {"id": target_id}}
    if row["inherited"]:
        scope["OS-INHERIT:inherited_to"] = "projects"
    return {
        "role": {"id": role_id},
        actor[0]: {"id": actor[1]},
        "scope": scope,
        "links": {"assignment": ctx.link(_path(ctx, row))["self"]},
    }


def _path(ctx: Context, row: Record) -> str:
    """Return the address of an assignment."""
    place = "system"
    if row["target_id"] is not None:
        target = models.find(ctx.tx, tables.projects, row["target_id"]) or {}
        place = f"{'domains' if target.get('is_domain') else 'projects'}/{row['target_id']}"
    actor = f"users/{row['user_id']}" if row["user_id"] else f"groups/{row['group_id']}"
    path = f"{place}/{actor}/roles/{row['role_id']}"
    return f"OS-INHERIT/{path}/inherited_to_projects" if row["inherited"] else path


def _is_wanted(
    ctx: Context, entry: dict[str, Any], query: dict[str, Any], *, subtree: bool
) -> bool:
    for name in ("user.id", "group.id", "role.id", "scope.project.id", "scope.domain.id"):
        if name in query:
            found: Any = entry
            for part in name.split("."):
                found = found.get(part) or {}
            wanted = [query[name]]
            if subtree and name == "scope.project.id":
                wanted += hierarchy.below(ctx.tx, query[name])
            if found not in wanted:
                return False
    is_of_system = "system" in entry["scope"]
    is_inherited = "OS-INHERIT:inherited_to" in entry["scope"]
    if "scope.OS-INHERIT:inherited_to" in query and not (is_inherited or is_of_system):
        return False
    return "scope.system" not in query or is_of_system


def _with_names(ctx: Context, entry: dict[str, Any]) -> dict[str, Any]:
    """Return an assignment with the names of what it is about."""

    def named(table: Any, one: dict[str, Any], *, domain: bool = True) -> dict[str, Any]:
        row = models.find(ctx.tx, table, one["id"]) or {}
        found = {**one, "name": row.get("name")}
        if domain and row.get("domain_id"):
            holder = models.find(ctx.tx, tables.projects, row["domain_id"]) or {}
            found["domain"] = {"id": row["domain_id"], "name": holder.get("name")}
        return found

    found = {**entry, "role": named(tables.roles, entry["role"]), "scope": {**entry["scope"]}}
    for name, table in (("user", tables.users), ("group", tables.groups)):
        if name in entry:
            found[name] = named(table, entry[name])
    for name in ("project", "domain"):
        if name in entry["scope"]:
            found["scope"][name] = named(tables.projects, entry["scope"][name])
    return found


# What roles imply


@ROUTES.add("GET HEAD", "/v3/roles/{prior_id}/implies", "list_implied_roles")
def list_implied(ctx: Context, prior_id: str) -> Response:
    """List the roles that a role implies."""
    prior = _role(ctx, prior_id)
    ctx.require("list_implied_roles", {})
    implied = models.implied(ctx.tx).get(prior_id, [])
    body = {"role_inference": _inference(ctx, prior, implied)}
    return encode(200, {**body, "links": ctx.link(f"roles/{prior_id}/implies")})


@ROUTES.add("GET", "/v3/roles/{prior_id}/implies/{implied_id}", "get_implied_role")
def show_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Show that a role implies another one."""
    _require(ctx, "get", prior_id, implied_id)
    return _shown_implication(ctx, 200, prior_id, _implication(ctx, prior_id, implied_id))


@ROUTES.add("HEAD", "/v3/roles/{prior_id}/implies/{implied_id}", "check_implied_role")
def check_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Tell whether a role implies another one."""
    _require(ctx, "check", prior_id, implied_id)
    _implication(ctx, prior_id, implied_id)
    return Response(204)


@ROUTES.add("PUT", "/v3/roles/{prior_id}/implies/{implied_id}", "create_implied_role")
def create_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Have a role imply another one."""
    prior, implied = _require(ctx, "create", prior_id, implied_id)
    is_narrower = prior["domain_id"] == tables.NO_DOMAIN != implied["domain_id"]
    if implied["name"] == "admin" or is_narrower:
        raise Forbidden(f"{implied_id} cannot be an implied roles.")
    row = {"prior_id": prior_id, "implied_id": implied_id}
    models.insert_once(ctx.tx, tables.implications, row)
    return _shown_implication(ctx, 201, prior_id, row)


@ROUTES.add("DELETE", "/v3/roles/{prior_id}/implies/{implied_id}", "delete_implied_role")
def delete_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Have a role no longer imply another one."""
    _require(ctx, "delete", prior_id, implied_id)
    row = _implication(ctx, prior_id, implied_id)
    where = [tables.implications.c[name] == value for name, value in row.items()]
    ctx.tx.delete(tables.implications, *where)
    return Response(204)


@ROUTES.add("GET HEAD", "/v3/role_inferences", "list_role_inference_rules")
def list_inferences(ctx: Context) -> Response:
    """List what all roles imply."""
    ctx.require("list_role_inference_rules", {})
    rules = [
        _inference(ctx, ROLE.need(ctx, prior), implied)
        for prior, implied in models.implied(ctx.tx).items()
    ]
    return encode(200, {"role_inferences": rules})


def _role(ctx: Context, ident: str) -> Record:
    """Return a role; that there is none is told to everybody with a token."""
    ctx.authenticate()
    return ROLE.need(ctx, ident)


def _require(ctx: Context, verb: str, prior_id: str, implied_id: str) -> tuple[Record, Record]:
    """Return two roles; raise an error if there are none, or the client may not do so."""
    roles = _role(ctx, prior_id), _role(ctx, implied_id)
    ctx.require(f"{verb}_implied_role", {})
    return roles


def _implication(ctx: Context, prior_id: str, implied_id: str) -> Record:
    row = ctx.tx.get(tables.implications, prior_id=prior_id, implied_id=implied_id)
    if row is None:
        raise NotFound(f"{prior_id} does not imply {implied_id}.")
    return row


def _shown_implication(ctx: Context, status: int, prior_id: str, row: Record) -> Response:
    shown = _inference(ctx, ROLE.need(ctx, prior_id), [row["implied_id"]])
    (shown["implies"],) = shown["implies"]
    path = f"roles/{prior_id}/implies/{row['implied_id']}"
    return encode(status, {"role_inference": shown, "links": ctx.link(path)})


def _inference(ctx: Context, prior: Record, implied: list[str]) -> dict[str, Any]:
    return {
        "prior_role": _named_role(ctx, prior),
        "implies": [_named_role(ctx, ROLE.need(ctx, ident)) for ident in implied],
    }


def _named_role(ctx: Context, row: Record) -> dict[str, Any]:
    return {"id": row["id"], "name": row["name"], "links": ctx.link(f"roles/{row['id']}")}
