"""Who may do what: Neutron's default policies."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden

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
    "member": lambda subject: subject.owns(subject.item, "member"),
    "reader": lambda subject: subject.owns(subject.item, "reader"),
    "parent_manager": lambda subject: subject.owns(subject.parent, "manager"),
    "parent_member": lambda subject: subject.owns(subject.parent, "member"),
    "parent_reader": lambda subject: subject.owns(subject.parent, "reader"),
    "shared": lambda subject: bool(subject.parent.get("shared")),
    "external": lambda subject: bool(subject.parent.get("router:external")),
    "no_network_device": lambda subject: not _is_of(subject, ("network:",)),
    "no_machine": lambda subject: (
        not _is_of(subject, _MACHINES)
        and (subject.owns(subject.item, "member") or subject.owns(subject.parent, "member"))
    ),
}

_WRITERS = "admin member"
_OF_PORTS = "admin service parent_member"
_POLICIES: Mapping[str, str] = MappingProxyType(
    {
        "get_network": "admin reader service shared external",
        "get_network:segments": "admin",
        "get_network:provider:network_type": "admin",
        "get_network:provider:physical_network": "admin",
        "get_network:provider:segmentation_id": "admin",
        "get_network:tags": "admin reader shared external",
        **{
            f"{action}_network{name}": "admin"
            for action in ("create", "update")
            for name in (
                ":shared",
                ":router:external",
                ":provider:network_type",
                ":provider:physical_network",
                ":provider:segmentation_id",
                ":segments",
                ":segments:provider:network_type",
                ":segments:provider:physical_network",
                ":segments:provider:segmentation_id",
            )
        },
        "create_network": _WRITERS,
        "create_network:port_security_enabled": _WRITERS,
        "update_network": _WRITERS,
        "update_network:port_security_enabled": _WRITERS,
        "create_network:tags": _WRITERS,
        "update_network:tags": _WRITERS,
        "delete_network": _WRITERS,
        "delete_network:tags": _WRITERS,
        "get_subnet": "admin reader parent_reader service shared external",
        "get_subnet:segment_id": "admin",
        "get_subnet:tags": "admin reader parent_reader shared external",
        "create_subnet": "admin parent_member",
        "create_subnet:segment_id": "admin",
        "update_subnet": "admin member parent_member",
        "update_subnet:segment_id": "admin",
        "create_subnet:tags": "admin member parent_member",
        "update_subnet:tags": "admin member parent_member",
        "delete_subnet": "admin member parent_member",
        "delete_subnet:tags": "admin member parent_member",
        "get_port": "admin service parent_reader reader",
        "get_port:binding:vif_type": "admin service",
        "get_port:binding:vif_details": "admin service",
        "get_port:binding:host_id": "admin service",
        "get_port:binding:profile": "admin service",
        "get_port:tags": "admin parent_reader reader",
        "create_port": f"{_OF_PORTS} shared",
        "create_port:device_id": "admin member service",
        "create_port:device_owner": f"no_network_device {_OF_PORTS}",
        "create_port:mac_address": _OF_PORTS,
        "create_port:fixed_ips": f"{_OF_PORTS} shared",
        "create_port:fixed_ips:ip_address": _OF_PORTS,
        "create_port:fixed_ips:subnet_id": f"{_OF_PORTS} shared",
        "create_port:port_security_enabled": _OF_PORTS,
        "create_port:binding:host_id": "admin service",
        "create_port:binding:profile": "service",
        "create_port:binding:vnic_type": "admin member service",
        "create_port:allowed_address_pairs": _OF_PORTS,
        "update_port": "admin service member",
        "update_port:device_id": "admin member service",
        "update_port:device_owner": f"no_network_device {_OF_PORTS}",
        "update_port:mac_address": "admin service parent_manager",
        "update_port:fixed_ips": _OF_PORTS,
        "update_port:fixed_ips:ip_address": _OF_PORTS,
        "update_port:fixed_ips:subnet_id": f"{_OF_PORTS} shared",
        "update_port:port_security_enabled": _OF_PORTS,
        "update_port:binding:host_id": "admin service",
        "update_port:binding:profile": "service",
        "update_port:binding:vnic_type": "admin service member",
        "update_port:allowed_address_pairs": _OF_PORTS,
        "create_port:tags": _WRITERS,
        "update_port:tags": _WRITERS,
        "delete_port": "admin service no_machine",
        "delete_port:tags": "admin member parent_member",
        "get_trunk": "admin reader",
        "get_trunk:tags": "admin reader",
        "create_trunk": _WRITERS,
        "update_trunk": _WRITERS,
        "create_trunk:tags": _WRITERS,
        "update_trunk:tags": _WRITERS,
        "delete_trunk": _WRITERS,
        "delete_trunk:tags": _WRITERS,
        "get_subports": "admin reader",
        "add_subports": _WRITERS,
        "remove_subports": _WRITERS,
        "get_security_group": "admin reader",
        "get_security_group:tags": "admin reader",
        "create_security_group": _WRITERS,
        "update_security_group": _WRITERS,
        "create_security_group:tags": _WRITERS,
        "update_security_group:tags": _WRITERS,
        "delete_security_group": _WRITERS,
        "delete_security_group:tags": _WRITERS,
        "get_security_group_rule": "admin parent_reader",
        **{
            f"{action}_security_group_rule": "admin parent_member"
            for action in ("create", "update", "delete")
        },
        "get_quota": "admin reader",
        "update_quota": "admin",
        "delete_quota": "admin",
        **{f"{action}_segment": "admin" for action in ("create", "get", "update", "delete")},
        **{f"{action}_agent": "admin" for action in ("create", "get", "update", "delete")},
    }
)


def known(policy: str) -> bool:
    """Return whether there is a policy of a name."""
    return policy in _POLICIES


def allows(policy: str, subject: Subject | None) -> bool:
    """Return whether a policy allows its action.

    :param subject: ``None`` where nobody is authenticated, who may do everything.
    """
    if subject is None:
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
        parts = sorted({part for one in _objects(value) for part in one})
        inner = [f"{policy}:{part}" for part in parts if f"{policy}:{part}" in _POLICIES]
        names += [policy, *inner]
        rule = f"rule:{policy}"
        if inner:
            rule = f"({rule} and ({' and '.join(f'rule:{one}' for one in inner)}))"
        rules = f"({rules} and {rule})"
    if not all(allows(name, subject) for name in names):
        raise Forbidden(f"{rules} is disallowed by policy", "PolicyNotAuthorized")


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
