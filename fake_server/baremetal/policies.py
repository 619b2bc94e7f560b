"""Who may do what: the rule of each policy that Ironic checks, as of release 39."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..identity.caller import Caller

#: Whether a caller may: given who owns the node in question, and who leases it.
Rule = Callable[["Caller", str | None, str | None], bool]


def _everywhere(role: str) -> Rule:
    return lambda caller, owner, lessee: caller.has(role)


def _of_system(role: str) -> Rule:
    return lambda caller, owner, lessee: caller.system and caller.has(role)


def _of_owner(role: str) -> Rule:
    return lambda caller, owner, lessee: (
        caller.project_id is not None and caller.project_id == owner and caller.has(role)
    )


def _of_lessee(role: str) -> Rule:
    return lambda caller, owner, lessee: (
        caller.project_id is not None and caller.project_id == lessee and caller.has(role)
    )


def _any(*rules: Rule) -> Rule:
    return lambda caller, owner, lessee: any(rule(caller, owner, lessee) for rule in rules)


# A service of project "service" has more only where rbac_service_role_elevated_access is set.
_SYSTEM_READER = _any(_of_system("reader"), _of_system("service"))
_SYSTEM_OR_PROJECT_READER = _any(
    _SYSTEM_READER, _of_owner("reader"), _of_lessee("reader"), _of_owner("service")
)
_RUNBOOK_MANAGER = _any(_of_system("member"), _of_owner("manager"), _everywhere("service"))

POLICIES: Mapping[str, Rule] = {
    "baremetal:node:create": _any(_of_system("admin"), _of_system("service")),
    "baremetal:node:create:self_owned_node": _any(_everywhere("admin"), _everywhere("service")),
    "baremetal:node:list": _any(_everywhere("reader"), _everywhere("service")),
    "baremetal:node:list_all": _SYSTEM_READER,
    "baremetal:node:get": _SYSTEM_OR_PROJECT_READER,
    "baremetal:node:delete": _of_system("admin"),
    "baremetal:node:delete:self_owned_node": _of_owner("admin"),
    "baremetal:allocation:get": _any(_SYSTEM_READER, _of_owner("reader")),
    "baremetal:allocation:list": _any(_everywhere("reader"), _everywhere("service")),
    "baremetal:allocation:list_all": _SYSTEM_READER,
    "baremetal:allocation:create": _any(_of_system("member"), _everywhere("member")),
    "baremetal:allocation:create_restricted": _of_system("member"),
    "baremetal:allocation:delete": _any(_of_system("member"), _of_owner("member")),
    "baremetal:allocation:update": _any(_of_system("member"), _of_owner("member")),
    "baremetal:runbook:get": _any(_SYSTEM_READER, _of_owner("reader"), _everywhere("service")),
    "baremetal:runbook:list": _any(_everywhere("reader"), _everywhere("service")),
    "baremetal:runbook:list_all": _SYSTEM_READER,
    "baremetal:runbook:create": _any(
        _of_system("member"), _everywhere("manager"), _everywhere("service")
    ),
    "baremetal:runbook:delete": _RUNBOOK_MANAGER,
    "baremetal:runbook:update": _RUNBOOK_MANAGER,
    "baremetal:runbook:update:public": _of_system("member"),
    "baremetal:runbook:update:owner": _of_system("member"),
    "baremetal:runbook:use": _RUNBOOK_MANAGER,
    "baremetal:inspection_rule:get": _SYSTEM_READER,
    "baremetal:inspection_rule:create": _of_system("admin"),
    "baremetal:inspection_rule:update": _of_system("admin"),
    "baremetal:inspection_rule:delete": _of_system("admin"),
    "baremetal:deploy_template:get": _SYSTEM_READER,
    "baremetal:deploy_template:create": _of_system("admin"),
    "baremetal:deploy_template:update": _of_system("admin"),
    "baremetal:deploy_template:delete": _of_system("admin"),
}
