"""Who may do what: Neutron's default policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden
from fake_server.networking.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.common.caller import Caller


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a policy.

    :param caller: the caller.
    :param item: what it is about.
    :param parent: the network that the item is in, or is; the security group that a rule is of.
    """

    caller: Caller
    item: Mapping[str, Any]
    parent: Mapping[str, Any]

    def owns(self, what: Mapping[str, Any], role: str) -> bool:
        """Return whether the caller has a role in the project that something belongs to."""
        caller = self.caller
        return (
            caller.has(role)
            and caller.project_id is not None
            and what.get("project_id") == caller.project_id
        )


def _is_of(subject: Subject, prefixes: tuple[str, ...]) -> bool:
    return str(subject.item.get("device_owner") or "").startswith(prefixes)


_MACHINES = ("compute:", "baremetal:", "manila:")
#: What the words of the policies stand for.
_RULES: Mapping[str, Callable[[Subject], bool]] = {
    "admin": lambda subject: subject.caller.has("admin"),
    "service": lambda subject: subject.caller.has("service"),
    "manager": lambda subject: subject.owns(subject.item, "manager"),
    "member": lambda subject: subject.owns(subject.item, "member"),
    "reader": lambda subject: subject.owns(subject.item, "reader"),
    "parent_manager": lambda subject: subject.owns(subject.parent, "manager"),
    "parent_member": lambda subject: subject.owns(subject.parent, "member"),
    "parent_reader": lambda subject: subject.owns(subject.parent, "reader"),
    "shared": lambda subject: bool(subject.parent.get("shared")),
    "external": lambda subject: bool(subject.parent.get("router:external")),
    "one_project": lambda subject: subject.item.get("target_tenant") != "*",
    "no_network_device": lambda subject: not _is_of(subject, ("network:",)),
    "no_machine": lambda subject: (
        (not _is_of(subject, _MACHINES) or "service" in subject.caller.service_roles)
        and (subject.owns(subject.item, "member") or subject.owns(subject.parent, "member"))
    ),
}

_POLICIES: Mapping[str, str] = {
    kind.policy(action, part): words
    for kind in KINDS.values()
    for actions, parts, words in kind.policies
    for action in actions.split()
    for part in parts.split()
}


def allows(policy: str, subject: Subject | None) -> bool:
    """Return whether a policy allows its action; one that there isn't allows everything.

    :param subject: ``None`` where nobody is authenticated, who may do everything.
    """
    if subject is None or policy not in _POLICIES:
        return True
    if subject.caller.system:
        return False
    return any(_RULES[word](subject) for word in _POLICIES[policy].split())


def enforce(action: str, subject: Subject | None, given: Mapping[str, Any]) -> None:
    """Raise Forbidden unless the policies of an action and of attributes allow it.

    :param action: such as ``create_port``.
    :param given: the attributes that a client sets.
    """
    if subject is not None and subject.caller.system:
        raise Forbidden(
            f"rule:{action} requires a scope of ['project'], request was made with system scope.",
            "InvalidScope",
        )
    rules, names = f"rule:{action}", [action]
    for name, value in given.items():
        policy = f"{action}:{name}"
        if policy not in _POLICIES:
            continue
        parts = {f"{policy}:{part}" for one in _objects(value) for part in one}
        inner = [name for name in _POLICIES if name in parts]
        names += [policy, *inner]
        rule = f"rule:{policy}"
        if inner:
            rule = f"({rule} and ({' and '.join(f'rule:{one}' for one in inner)}))"
        rules = f"({rules} and {rule})"
    if not all(allows(name, subject) for name in names):
        raise Forbidden(f"{rules} is disallowed by policy", "PolicyNotAuthorized")


def _objects(value: Any) -> list[dict[str, Any]]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, dict)]
