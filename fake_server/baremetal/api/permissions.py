"""The checks of what a caller may see and do. Without Keystone, everyone may do everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from fake_server.baremetal.api.policies import STEPS
from fake_server.baremetal.errors import HTTPForbidden, Invalid, NodeNotFound, NotAuthorized
from fake_server.baremetal.models.nodes import NODES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.errors import ApiError
    from fake_server.db.store import Record


T = TypeVar("T")


def permits(ctx: Context, policy: str, owned: Record | None = None) -> bool:
    """Return whether the caller may do what a policy guards.

    :param owned: the node or other resource that the action is about, if any.
    """
    ctx.asked.add(policy)
    if not enforced(ctx):
        return True
    target = ctx.credentials if owned is None else {**ctx.credentials, **_owners(policy, owned)}
    return ctx.policies.allows(policy, ctx.credentials, target)


def in_scope(ctx: Context, policy: str) -> bool:
    """Return whether a policy is for tokens such as the caller's."""
    ctx.asked.add(policy)
    return not enforced(ctx) or ctx.policies.in_scope(policy, ctx.credentials)


def shows_secrets(ctx: Context, policy: str) -> bool:
    """Return whether a policy shows the caller secrets, which nobody sees without Keystone."""
    return enforced(ctx) and permits(ctx, policy)


def check(ctx: Context, policy: str = "", owned: Record | None = None) -> None:
    """Raise HTTPForbidden if a policy, by default the handler's, forbids the action."""
    policy = policy or ctx.policy
    if not permits(ctx, policy, owned):
        raise HTTPForbidden(resource=policy)


def project_id(ctx: Context) -> str | None:
    """Return the project of the caller; none for the system, and without Keystone."""
    return ctx.request.caller.project_id if ctx.request.caller else None


def check_visible(ctx: Context, node: Record, ident: str) -> None:
    """Hide a node from those who may not see it.

    :param ident: what the request calls it.
    :raises NodeNotFound: as if it weren't there.
    """
    if not permits(ctx, "baremetal:node:get", node):
        raise NodeNotFound(node=ident)


def enforced(ctx: Context) -> bool:
    """Return whether there are callers who may not do everything."""
    return ctx.request.caller is not None and ctx.session.settings.auth == "keystone"


def check_belonging(ctx: Context, policy: str, item: Record, missing: ApiError) -> None:
    """Refuse what the caller may not do to what belongs to a node.

    :param item: has ``node_id``.
    :param missing: raised if the caller may not even see the node.
    :raises HTTPForbidden: if the policy forbids it.
    """
    ctx.asked.add(policy)
    if not enforced(ctx):
        return
    node = NODES.get_by_id(ctx.session, item["node_id"])
    if not permits(ctx, "baremetal:node:get", node):
        raise missing
    check(ctx, policy, node)


def check_addition(ctx: Context, policy: str, node: Record | None) -> None:
    """Raise HTTPForbidden if nothing may be added to a node, whether it exists or not."""
    check(ctx, policy, node or {"owner": None, "lessee": None})


def check_creation(ctx: Context) -> None:
    """Raise HTTPForbidden unless an admin or a service creates the node."""
    if not permits(ctx, "baremetal:node:create:self_owned_node"):
        check(ctx, "baremetal:node:create")


def owner(ctx: Context, kind: str, wanted: str | None) -> str | None:
    """Return the project that will own a new node, or what else.

    :param kind: what it is.
    :param wanted: the one that the request asks for.
    :raises Invalid: if that isn't the caller's own, and the caller isn't one of the system.
    """
    caller = ctx.request.caller
    if caller is not None and caller.system:
        return wanted
    # Without authentication a request has no project that could own anything.
    project = caller.project_id if caller else None
    if wanted and wanted != project:
        raise Invalid(
            f"Cannot create a {kind} as a project scoped admin with an owner other than your own "
            "project."
        )
    return project


def check_listing(ctx: Context, kind: str, project: T | None = None) -> T | str | None:
    """Return the project whose nodes, or what else, a list is about; none for those of everybody.

    :param kind: what is listed, as policies call it.
    :param project: what the request asks for, if anything.
    :raises HTTPForbidden: to a caller who may see neither everybody's nor those.
    """
    if permits(ctx, f"baremetal:{kind}:list_all"):
        return project
    own = project_id(ctx)
    if own is None or (project and project != own):
        raise HTTPForbidden(resource=f"baremetal:{kind}:list_all")
    check(ctx, f"baremetal:{kind}:list")
    return own


def check_steps(ctx: Context, steps: Iterable[Mapping[str, Any]], node: Record | None) -> None:
    """Refuse steps that have a policy of their own, in a policy file.

    :param node: the node that they are for, if it is one.
    :raises NotAuthorized: which names all that the caller may not execute.
    """
    if not enforced(ctx):
        return
    refused = [
        f"insufficient privileges to execute step {step['step']} on interface {step['interface']}"
        for step in steps
        if (policy := f"{STEPS}{step['interface']}.{step['step']}") in ctx.policies.rules
        and not permits(ctx, policy, node)
    ]
    if refused:
        raise NotAuthorized("; ".join(refused))


def check_deletion(ctx: Context, node: Record) -> None:
    """Raise HTTPForbidden unless an admin of the system or of the owner deletes the node."""
    if not permits(ctx, "baremetal:node:delete", node):
        check(ctx, "baremetal:node:delete:self_owned_node", node)


def _owners(policy: str, owned: Record) -> dict[str, str | None]:
    """Return whose something is, as policies call that."""
    kind = policy.split(":")[1]
    if kind in ("allocation", "runbook"):
        return {f"{kind}.owner": owned["owner"]}
    owners = {"node.owner": owned["owner"]}
    # A node that nobody leases isn't leased by callers without a project.
    return owners | ({"node.lessee": owned["lessee"]} if owned["lessee"] else {})
