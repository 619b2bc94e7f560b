"""Cleaning or servicing a node by a runbook instead of by steps in the request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, microversions
from fake_server.baremetal.api import permissions
from fake_server.baremetal.api.lookup import find_runbook
from fake_server.baremetal.models import traits

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.handlers.provision_request import ProvisionRequest
    from fake_server.db.store import Record

#: Verbs for which a runbook may be given.
TARGETS = ("clean", "service")


def replaced(ctx: Context, node: Record, wanted: ProvisionRequest) -> ProvisionRequest:
    """Return what a request asks for, with the steps of the runbook that it names.

    :raises NotFound: if there is no such runbook.
    :raises ApiError: unless the node may go through it, or if the request has steps besides.
    """
    if ctx.minor < microversions.RUNBOOKS:
        raise errors.NotAcceptable
    runbook = find_runbook(ctx, wanted.runbook or "")
    permissions.check(ctx, "baremetal:runbook:use", runbook)
    _check_approval(ctx, node, runbook)
    steps = list(runbook["steps"])
    if wanted.target == "clean":
        _check_no_steps("clean_steps", wanted.clean_steps)
        wanted = replace(wanted, clean_steps=steps)
    elif wanted.target == "service":
        _check_no_steps("service_steps", wanted.service_steps)
        wanted = replace(wanted, service_steps=steps)
    return replace(wanted, disable_ramdisk=runbook["disable_ramdisk"])


def _check_no_steps(argument: str, steps: list[Any] | None) -> None:
    if steps:
        raise errors.ApiError(f'Please provide either "{argument}" or a runbook, but not both.')


def _check_approval(ctx: Context, node: Record, runbook: Record) -> None:
    approved = set(traits.fetch(ctx.session, node))
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
