"""Roles of users and groups on projects, domains and the system, and what roles imply."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden, NotFound
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.identity import kinds, models, tables
from fake_server.identity.handlers.resources import found, listed

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.identity.context import Context, Handler

ROUTES: Routes[Handler] = Routes()
_KINDS = {"users": kinds.USER, "groups": kinds.GROUP, "projects": kinds.PROJECT}
_KINDS["domains"] = kinds.DOMAIN


def _grant(
    action: str,
    target: str,
    actor: str,
    inherited: bool,
    ctx: Context,
    **idents: str,
) -> Response:
    """Do something with a grant.

    :param action: ``list``, ``check``, ``create`` or ``revoke``.
    :param target: ``projects``, ``domains`` or ``system``.
    :param actor: ``users`` or ``groups``.
    :param inherited: whether it is for the projects below the target.
    """
    _enforce(action, target, actor, ctx, idents)
    row = {f"{actor[:-1]}_id": found(ctx, _KINDS[actor], idents["actor_id"])["id"]}
    target_id = None
    if target != "system":
        target_id = found(ctx, _KINDS[target], idents["target_id"])["id"]
    match = {**row, "target_id": target_id, "inherited": inherited}
    if action == "list":
        rows = models.assignments(ctx.tx, **match)
        roles = {one["id"]: one for one in models.fetch(ctx.tx, tables.roles)}
        return listed(ctx, kinds.ROLE, (roles[one["role_id"]] for one in rows))
    role = found(ctx, kinds.ROLE, idents["role_id"])["id"]
    if action == "create":
        models.assign(ctx.tx, role, target_id, inherited=inherited, **row)
        return Response(204)
    assignment = models.first(ctx.tx, tables.assignments, role_id=role, **match)
    if assignment is None:
        raise NotFound(
            f"Could not find role assignment with role: {role}, user or group: "
            f"{idents['actor_id']}, project, domain, or system: {target_id}."
        )
    if action == "revoke":
        ctx.tx.delete(tables.assignments, tables.assignments.c.id == assignment["id"])
    return Response(204)


def _enforce(action: str, target: str, actor: str, ctx: Context, idents: dict[str, str]) -> None:
    if target == "system":
        several = "s" if action == "list" else ""
        ctx.enforce(f"{action}_system_grant{several}_for_{actor[:-1]}")
        return
    place = models.find(ctx.tx, tables.projects, idents["target_id"]) or {}
    who = models.find(ctx.tx, _KINDS[actor].table, idents["actor_id"]) or {}
    domain = place.get("id") if target == "domains" else place.get("domain_id")
    ctx.enforce(
        f"{action}_grant" + ("s" if action == "list" else ""),
        domain_id=domain if domain == who.get("domain_id") else None,
    )


_METHODS = {"GET HEAD": "check", "PUT": "create", "DELETE": "revoke"}
for _target in ("projects", "domains", "system"):
    for _actor in ("users", "groups"):
        _place = "system" if _target == "system" else f"{_target}/{{target_id}}"
        _address = f"{_place}/{_actor}/{{actor_id}}/roles"
        for _before, _after, _inherited in (
            ("/v3", "", False),
            ("/v3/OS-INHERIT", "/inherited_to_projects", True),
        ):
            if _inherited and _target == "system":
                continue
            _of = (_target, _actor, _inherited)
            ROUTES.add("GET HEAD", f"{_before}/{_address}{_after}")(partial(_grant, "list", *_of))
            for _method, _action in _METHODS.items():
                _one = f"{_before}/{_address}/{{role_id}}{_after}"
                ROUTES.add(_method, _one)(partial(_grant, _action, *_of))


# Assignments


@ROUTES.add("GET HEAD", "/v3/role_assignments")
def list_assignments(ctx: Context) -> Response:
    """List who has which role where."""
    query = ctx.request.query
    project = query.get("scope.project.id")
    row = project and models.find(ctx.tx, tables.projects, project)
    domain = query.get("scope.domain.id") or (row and row["domain_id"])
    ctx.enforce("list_role_assignments", domain_id=domain)
    effective = kinds.as_boolean(query.get("effective", "no"))
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
    entries = [one for one in entries if _is_wanted(one, query)]
    if kinds.as_boolean(query.get("include_names", "no")):
        entries = [_with_names(ctx, one) for one in entries]
    return ctx.listed("role_assignments", entries)


_SCOPES = ("scope.project.id", "scope.domain.id", "scope.system")


def _assigned(ctx: Context, row: Record) -> dict[str, Any]:
    return _entry(ctx, row, row["user_id"], row["role_id"], row["target_id"])


def _effective(ctx: Context, grant: models.Grant) -> dict[str, Any]:
    row = grant.assignment
    entry = _entry(ctx, row, grant.user_id, grant.role_id, grant.target_id)
    if grant.prior_id is not None:
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


def _is_wanted(entry: dict[str, Any], query: dict[str, Any]) -> bool:
    for name in ("user.id", "group.id", "role.id", "scope.project.id", "scope.domain.id"):
        if name in query:
            found: Any = entry
            for part in name.split("."):
                found = found.get(part) or {}
            if found != query[name]:
                return False
    if "scope.OS-INHERIT:inherited_to" in query and "OS-INHERIT:inherited_to" not in entry["scope"]:
        return False
    return "scope.system" not in query or "system" in entry["scope"]


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


@ROUTES.add("GET HEAD", "/v3/roles/{prior_id}/implies")
def list_implied(ctx: Context, prior_id: str) -> Response:
    """List the roles that a role implies."""
    ctx.enforce("list_implied_roles")
    prior = found(ctx, kinds.ROLE, prior_id)
    implied = models.implied(ctx.tx).get(prior_id, [])
    body = {"role_inference": _inference(ctx, prior, implied)}
    return encode(200, {**body, "links": ctx.link(f"roles/{prior_id}/implies")})


@ROUTES.add("GET", "/v3/roles/{prior_id}/implies/{implied_id}")
def show_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Show that a role implies another one."""
    ctx.enforce("get_implied_role")
    return _shown_implication(ctx, 200, prior_id, _implication(ctx, prior_id, implied_id))


@ROUTES.add("HEAD", "/v3/roles/{prior_id}/implies/{implied_id}")
def check_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Tell whether a role implies another one."""
    ctx.enforce("check_implied_role")
    _implication(ctx, prior_id, implied_id)
    return Response(204)


@ROUTES.add("PUT", "/v3/roles/{prior_id}/implies/{implied_id}")
def create_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Have a role imply another one."""
    ctx.enforce("create_implied_role")
    found(ctx, kinds.ROLE, prior_id)
    implied = found(ctx, kinds.ROLE, implied_id)
    if implied["name"] == "admin" or implied["domain_id"] != tables.NO_DOMAIN:
        raise Forbidden(f"{implied_id} cannot be an implied roles.")
    row = {"prior_id": prior_id, "implied_id": implied_id}
    if ctx.tx.get(tables.implications, **row) is None:
        ctx.tx.insert(tables.implications, row)
    return _shown_implication(ctx, 201, prior_id, row)


@ROUTES.add("DELETE", "/v3/roles/{prior_id}/implies/{implied_id}")
def delete_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Have a role no longer imply another one."""
    ctx.enforce("delete_implied_role")
    row = _implication(ctx, prior_id, implied_id)
    where = [tables.implications.c[name] == value for name, value in row.items()]
    ctx.tx.delete(tables.implications, *where)
    return Response(204)


@ROUTES.add("GET HEAD", "/v3/role_inferences")
def list_inferences(ctx: Context) -> Response:
    """List what all roles imply."""
    ctx.enforce("list_role_inference_rules")
    rules = [
        _inference(ctx, found(ctx, kinds.ROLE, prior), implied)
        for prior, implied in models.implied(ctx.tx).items()
    ]
    return encode(200, {"role_inferences": rules})


def _implication(ctx: Context, prior_id: str, implied_id: str) -> Record:
    for ident in (prior_id, implied_id):
        found(ctx, kinds.ROLE, ident)
    row = ctx.tx.get(tables.implications, prior_id=prior_id, implied_id=implied_id)
    if row is None:
        raise NotFound(f"{prior_id} does not imply {implied_id}.")
    return row


def _shown_implication(ctx: Context, status: int, prior_id: str, row: Record) -> Response:
    shown = _inference(ctx, found(ctx, kinds.ROLE, prior_id), [row["implied_id"]])
    (shown["implies"],) = shown["implies"]
    path = f"roles/{prior_id}/implies/{row['implied_id']}"
    return encode(status, {"role_inference": shown, "links": ctx.link(path)})


def _inference(ctx: Context, prior: Record, implied: list[str]) -> dict[str, Any]:
    return {
        "prior_role": _named_role(ctx, prior),
        "implies": [_named_role(ctx, found(ctx, kinds.ROLE, ident)) for ident in implied],
    }


def _named_role(ctx: Context, row: Record) -> dict[str, Any]:
    return {"id": row["id"], "name": row["name"], "links": ctx.link(f"roles/{row['id']}")}
