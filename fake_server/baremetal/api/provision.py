"""``PUT …/states/provision``: check a request and pass it to the conductor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, microversions, states
from fake_server.baremetal.api import permissions, step_schemas
from fake_server.baremetal.api.lookup import find_node, find_runbook
from fake_server.baremetal.conductor import cleaning, deploying, rescue, servicing, verbs
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.models.traits import NODE_TRAITS
from fake_server.common.formats import is_uuid
from fake_server.common.schemas import Checker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

#: Minor version that introduced a verb.
_SINCE = {
    "manage": microversions.MANAGEMENT_VERBS,
    "provide": microversions.MANAGEMENT_VERBS,
    "inspect": microversions.INSPECT_VERB,
    "abort": microversions.ABORT_VERB,
    "clean": microversions.MANUAL_CLEANING,
    "adopt": microversions.ADOPT_VERB,
    "rescue": microversions.RESCUE_VERBS,
    "unrescue": microversions.RESCUE_VERBS,
    "deploy": microversions.DEPLOY_VERBS,
    "delete": microversions.DEPLOY_VERBS,
}
#: Verbs for which a runbook may be given.
_WITH_RUNBOOKS = ("clean", "service")
_PLAIN_VERBS = ("manage", "provide", "abort", "adopt", "unhold")
_DEPLOYING = ("active", "rebuild", "deploy")
#: What names a step.
_NAMES = {"interface", "step"}
_BASE64 = frozenset(ascii_letters + digits + "+/=\n\r\t ")
_CONFIGDRIVE = Checker(
    {
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "meta_data": {"type": "object"},
                    "network_data": {"type": "object"},
                    "user_data": {"type": ["object", "array", "string", "null"]},
                    "vendor_data": {"type": "object"},
                },
                "additionalProperties": False,
            },
            {"type": ["string", "null"]},
        ]
    }
)


@dataclass(frozen=True, slots=True)
class ProvisionRequest:
    """A verb and its arguments, by their names in the API."""

    target: str | None
    configdrive: dict[str, Any] | str | None = None
    clean_steps: list[Any] | None = None
    deploy_steps: list[Any] | None = None
    rescue_password: str | None = None
    disable_ramdisk: bool | None = None
    service_steps: list[Any] | None = None
    runbook: str | None = None


def carry_out(ctx: Context, node: Record, wanted: ProvisionRequest) -> None:
    """Check a request in Ironic's order, then start the transition; raise ApiError if it can't."""
    _start(ctx, node, _checked(ctx, node, wanted))


def _checked(ctx: Context, node: Record, wanted: ProvisionRequest) -> ProvisionRequest:
    """Return what a request asks for, with steps in the place of a runbook."""
    target = wanted.target
    ctx.require(_SINCE.get(target or "", 0))
    if not wanted.runbook:
        for argument in ("clean_steps", "service_steps"):
            if getattr(wanted, argument):
                policy = f"baremetal:node:set_provision_state:{argument}"
                permissions.check(ctx, policy, node)
        lists = (wanted.deploy_steps, wanted.clean_steps, wanted.service_steps)
        steps = [step for steps in lists for step in steps or ()]
        # What is no step at all is refused below.
        named = [step for step in steps if isinstance(step, dict) and step.keys() >= _NAMES]
        permissions.check_steps(ctx, named, node)
    if target in ("active", "rebuild") and node["maintenance"]:
        raise errors.NodeInMaintenance(op="provisioning", node=node["uuid"])
    event = states.VERBS.get(target or "", target or "")
    if not states.accepts(node["provision_state"], event):
        if node["reservation"]:
            raise errors.NodeLocked(node=node["uuid"], host=node["reservation"])
        raise errors.InvalidStateRequested(
            action=target, node=node["uuid"], state=node["provision_state"]
        )
    _check_configdrive(ctx, target, wanted.configdrive)
    if wanted.runbook:
        wanted = _with_runbook(ctx, node, wanted)
    _check_ramdisk(ctx, target, wanted.disable_ramdisk)
    if wanted.clean_steps:
        _check_steps_wanted(wanted, "clean")
    _check_deploy_steps(ctx, target, wanted.deploy_steps)
    if wanted.rescue_password is not None:
        _check_only_for("rescue_password", target, "rescue")
    if target == "abort":
        needed = {
            states.INSPECTWAIT: microversions.INSPECTION_ABORT,
            states.DEPLOYWAIT: microversions.DEPLOYMENT_ABORT,
        }.get(node["provision_state"], 0)
        ctx.require(needed)
    if target == "unhold":
        ctx.require(microversions.UNHOLD_VERB)
    if wanted.service_steps:
        _check_steps_wanted(wanted, "service")
    if target == "service":
        ctx.require(microversions.SERVICE_VERB)
    return wanted


def _start(ctx: Context, node: Record, wanted: ProvisionRequest) -> None:
    target = wanted.target
    if target in _DEPLOYING:
        if wanted.deploy_steps:
            _check_steps(ctx, "deploy", wanted.deploy_steps, step_schemas.DEPLOY_STEPS)
        event = "rebuild" if target == "rebuild" else "deploy"
        _run(ctx, node, deploying.request, event, wanted.configdrive, wanted.deploy_steps)
    elif target == "unrescue":
        _run(ctx, node, rescue.request_unrescue)
    elif target == "rescue":
        if not (wanted.rescue_password and wanted.rescue_password.strip()):
            raise errors.ApiError(
                'A non-empty "rescue_password" is required when setting target provision state to '
                "rescue"
            )
        _run(ctx, node, rescue.request, wanted.rescue_password)
    elif target in ("deleted", "undeploy"):
        _run(ctx, node, deploying.request_tear_down)
    elif target == "inspect":
        _run(ctx, node, verbs.request_inspection)
    elif target == "clean":
        steps = _required_steps(ctx, "clean", wanted.clean_steps)
        _run(ctx, node, cleaning.request, steps, bool(wanted.disable_ramdisk))
    elif target == "service":
        steps = _required_steps(ctx, "service", wanted.service_steps)
        _run(ctx, node, servicing.request, steps, wanted.disable_ramdisk)
    elif target in _PLAIN_VERBS:
        _run(ctx, node, verbs.act, target)
    else:
        raise errors.InvalidStateRequested(
            f'The requested action "{target}" could not be understood.'
        )


def _run(ctx: Context, node: Record, request: Callable[..., None], *arguments: Any) -> None:
    with node_task(ctx.session, node) as task:
        request(task, *arguments)


def _check_only_for(argument: str, target: str | None, only: str) -> None:
    if target != only:
        raise errors.ApiError(
            f'"{argument}" is only valid when setting target provision state to {only}'
        )


def _check_steps_wanted(wanted: ProvisionRequest, kind: str) -> None:
    if wanted.runbook and wanted.target != kind:
        raise errors.ApiError(
            '"runbooks" is only valid when setting target provision state to any of '
            f"{list(_WITH_RUNBOOKS)}"
        )
    _check_only_for(f"{kind}_steps", wanted.target, kind)


def _check_configdrive(ctx: Context, target: str | None, configdrive: Any) -> None:
    if not configdrive:
        return
    allowed = ["active"]
    if ctx.minor >= microversions.REBUILD_CONFIGDRIVE:
        allowed.append("rebuild")
    if target not in allowed:
        raise errors.ApiError(
            "Adding a config drive is only supported when setting provision state to "
            f"{', '.join(allowed)}"
        )
    problem = _CONFIGDRIVE.best(configdrive)
    if problem is not None:
        raise errors.ApiError(f"Invalid configdrive format: {problem}")
    if isinstance(configdrive, dict):
        for what, needed in (
            ("a JSON object for configdrive", microversions.CONFIGDRIVE_OBJECT),
            ("vendor_data in configdrive", microversions.CONFIGDRIVE_VENDOR_DATA),
        ):
            asked = what.startswith("a JSON") or "vendor_data" in configdrive
            if asked and ctx.minor < needed:
                raise errors.ApiError(
                    f"Providing {what} is only supported starting with API version 1.{needed}"
                )
    elif "://" not in configdrive and set(configdrive) - _BASE64:
        raise errors.ApiError(
            "Invalid configdrive format: it is neither a JSON, nor a URL, nor a base64 string"
        )


def _check_ramdisk(ctx: Context, target: str | None, disable_ramdisk: bool | None) -> None:
    if disable_ramdisk is None:
        return
    needed = {
        "clean": microversions.CLEANING_WITHOUT_RAMDISK,
        "service": microversions.SERVICE_WITHOUT_RAMDISK,
    }.get(target or "")
    if needed is None:
        raise errors.Invalid("disable_ramdisk is supported only with manual cleaning or servicing")
    ctx.require(needed, "disable_ramdisk is not acceptable in this API version")


def _check_deploy_steps(ctx: Context, target: str | None, steps: Sequence[Any] | None) -> None:
    if not steps:
        return
    ctx.require(microversions.DEPLOY_STEPS, microversions.NAMED)
    if target not in ("active", "rebuild"):
        raise errors.ApiError(
            '"deploy_steps" is only valid when setting target provision state to active or rebuild'
        )


def _required_steps(ctx: Context, kind: str, steps: list[Any] | None) -> list[Any]:
    if not steps:
        raise errors.ApiError(
            f'"{kind}_steps" is required when setting target provision state to {kind}'
        )
    _check_steps(ctx, kind, steps, step_schemas.STEPS)
    return steps


def _check_steps(ctx: Context, kind: str, steps: list[Any], checker: Checker) -> None:
    problem = checker.best(steps)
    if problem is not None:
        raise errors.InvalidParameterValue(f"Invalid {kind}_steps: {problem}")
    for step in steps:
        if step.get("execute_on_child_nodes"):
            _check_children(ctx, step)
    disallowed = getattr(ctx.session.settings, f"disallow_{kind}_steps")
    for step in steps:
        name = f"{step['interface']}.{step['step']}"
        if name in disallowed:
            raise errors.Invalid(
                f"{kind} step '{name}' is not allowed. Disallowed by operator configuration "
                f"[api]disallow_{kind}_steps."
            )


def _check_children(ctx: Context, step: Mapping[str, Any]) -> None:
    for ident in step.get("limit_child_node_execution") or ():
        if not is_uuid(ident):
            raise errors.InvalidParameterValue(
                "Invalid entry detected for execute_on_child_node parameter in step "
                f"{step['step']}."
            )
        find_node(ctx, ident, "set_provision_state")


def _with_runbook(ctx: Context, node: Record, wanted: ProvisionRequest) -> ProvisionRequest:
    """Return what a request asks for, with the steps of the runbook that it names.

    :raises NotFound: if there is no such runbook.
    :raises ApiError: unless the node may go through it, or if the request has steps besides.
    """
    ctx.require(microversions.RUNBOOKS)
    runbook = find_runbook(ctx, wanted.runbook or "")
    permissions.check(ctx, "baremetal:runbook:use", runbook)
    _check_approval(ctx, node, runbook)
    steps = list(runbook["steps"])
    if wanted.target in _WITH_RUNBOOKS:
        argument = f"{wanted.target}_steps"
        change: dict[str, Any] = {argument: steps}
        if getattr(wanted, argument):
            raise errors.ApiError(f'Please provide either "{argument}" or a runbook, but not both.')
        wanted = replace(wanted, **change)
    if runbook["owner"] is not None and not runbook["public"]:
        permissions.check_steps(ctx, steps, node)
    return replace(wanted, disable_ramdisk=runbook["disable_ramdisk"])


def _check_approval(ctx: Context, node: Record, runbook: Record) -> None:
    approved = set(NODE_TRAITS.fetch(ctx.session, node))
    if ctx.minor < microversions.RUNBOOK_TRAITS:
        if runbook["name"] not in approved:
            raise errors.ApiError(
                f"This runbook has not been approved for use on this node {node['uuid']}. Please "
                "ask an administrator to add it to your node traits."
            )
        return
    if not runbook["traits"]:
        raise errors.ApiError(
            f"Runbook {runbook['uuid']} has no traits configured. Please ask an administrator to "
            "add traits to the runbook."
        )
    if approved.isdisjoint(runbook["traits"]):
        raise errors.ApiError(
            f"This runbook has not been approved for use on this node {node['uuid']}. The node "
            f"does not have any of the runbook's traits {runbook['traits']}. Please ask an "
            "administrator to add a matching trait to your node."
        )
