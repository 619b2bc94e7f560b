"""What is right to answer: the published policies, and whom each service hides things from.

A service looks for a thing first, among those that it lets somebody find, and then asks its policy;
where it does so is read off its source, which is named here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fake_server.tests.policies import people
from fake_server.tests.policies.judge import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.tests.policies.matrix import Row
    from fake_server.tests.policies.people import Person

#: What stands for every answer that is no refusal.
ALLOWED = "allowed"


@dataclass(frozen=True)
class Right:
    """The right answer.

    :param statuses: those that are right; none where all are that refuse nothing.
    :param why: the rule that it follows from.
    """

    statuses: tuple[int, ...]
    why: str


def of(row: Row, person: Person, things: Mapping[str, Mapping[str, Any]]) -> Right:
    """Return what is right to answer to somebody.

    :param things: what policies know of things, by their names.
    """
    asked = (row.service, row.method, row.path.partition("?")[0])
    if person.limited and asked != ("nova", "GET", "/servers"):
        return Right((401,), f"access rules allow {' '.join(people.ALLOWED)} alone")
    return _SERVICES[row.service](row, person, things)


def _own(person: Person) -> dict[str, Any]:
    return {name: person.credentials[name] for name in ("project_id", "user_id")}


def _asked(row: Row, person: Person, target: Mapping[str, Any], refusal: int = 403) -> Right:
    """Return the answer of the policies that decide about a request."""
    return _judged(row, person, target, row.policies, refusal)


def _judged(
    row: Row, person: Person, target: Mapping[str, Any], policies: list[str], refusal: int
) -> Right:
    rules, why = judge(row.service), "no policy is asked"
    for policy in policies:
        rule = rules.rules[policy]
        why = f"{policy}: {rule['check']!r} for {rule.get('scopes', 'all scopes')}, {dict(target)}"
        if not rules.allows(policy, dict(person.credentials), target):
            return Right((refusal,), why)
    return Right((), why)


def _refuses(row: Row, person: Person, target: Mapping[str, Any], policy: str) -> bool:
    return not judge(row.service).allows(policy, dict(person.credentials), target)


def _is_hidden(person: Person, thing: Mapping[str, Any]) -> bool:
    return not person.is_admin and person.project != thing["project_id"]


#: What nova/objects/flavor.py, nova/quota.py and others read with ``require_context`` though their
#: policies, if any, allow those who have no project.
_NOVA_IN_PROJECT = (("GET", "/flavors/FLAVOR"), ("GET", "/limits"), ("POST", "/os-keypairs"))


def _nova(row: Row, person: Person, things: Mapping[str, Mapping[str, Any]]) -> Right:
    """``nova/compute/api.py`` finds servers of the project, or of all for administrators."""
    thing = things.get(row.thing or "")
    no_project = not person.is_admin and person.project is None
    if no_project and (row.method, row.path) in _NOVA_IN_PROJECT:
        return Right((403,), "nova/db/utils.py, require_context")
    if row.path.startswith("/os-keypairs"):
        asked = "user_id=MEMBER" in row.path
        user = things["MEMBER"]["user_id"] if asked else person.credentials["user_id"]
        return _asked(row, person, {"user_id": user})
    if row.thing == "DEMO" and "limits" not in row.path and "/flavors" not in row.path:
        return _asked(row, person, {"project_id": things["DEMO"]["project_id"]})
    if thing is None or row.thing not in ("SERVER", "AFFINE"):
        right = _asked(row, person, _own(person))
        if row.thing in ("NETWORK", "GROUP") and not right.statuses and _is_hidden(person, thing):
            return Right((200, 404), f"{right.why}; then Neutron decides")
        return right
    # nova/api/openstack/compute/server_tags.py finds the mapping of a server, which is of nobody.
    if "/tags" not in row.path:
        if no_project:
            return Right((403, 404), "nova/db/main/api.py, require_context")
        if _is_hidden(person, thing):
            return Right((404,), "nova/db/main/api.py: things of the project alone are found")
    return _asked(row, person, thing)


#: Cinder's things, by the policy that it asks first of those that are found, and its refusal.
_FIRST = {
    "SPARE": ("volume:get", 404),
    "SNAPSHOT": ("volume:get_snapshot", 403),
    "BACKUP": ("backup:get", 403),
    "ATTACHMENT": (None, 0),
    "TRANSFER": (None, 0),
}
#: What cinder/api/v3/attachments.py, cinder/transfer/api.py, cinder/api/contrib/admin_actions.py
#: and others find by ``objects.Volume.get_by_id`` and the like, which asks no policy.
_UNREAD = (
    *(
        "POST /attachments",
        "POST /os-volume-transfer",
        "POST /volume-transfers",
        "GET /volumes/SPARE/encryption",
    ),
    *("os-reset_status", "os-set_image_metadata", "os-unset_image_metadata"),
)


def _cinder(row: Row, person: Person, things: Mapping[str, Mapping[str, Any]]) -> Right:
    """``cinder/db/api.py`` finds what the project has; it refuses those who have no project."""
    named = row.thing if row.thing in _FIRST else None
    if named is None and row.method == "POST" and "SPARE" in row.text:
        named = "SPARE"
    no_project = not person.is_admin and person.project is None
    not_authorized = Right((403,), "cinder/db/api.py, require_context")
    if row.path.endswith("/accept"):
        return _asked(row, person, _own(person))
    if row.path == "/os-volume-transfer/TRANSFER" and row.method == "GET":
        first = _asked(row, person, _own(person))
        if first.statuses:
            return first
    if named is None:
        target = _own(person)
        if "/os-quota-sets/DEMO" in row.path:
            target = {"project_id": things["DEMO"]["project_id"]}
        if row.path == "/limits":
            return not_authorized if no_project else Right((), "it has no policy")
        right = _asked(row, person, target)
        finds_without = row.path in ("/volumes", "/volumes/detail", "/types/default")
        finds_without = finds_without and row.method == "GET"
        return not_authorized if no_project and not finds_without else right
    thing = things[named]
    if no_project:
        return not_authorized
    if _is_hidden(person, thing):
        return Right((404,), "cinder/db/api.py: things of the project alone are found")
    first_policy, refusal = _FIRST[named]
    unread = any(one in (f"{row.method} {row.path}", row.action) for one in _UNREAD)
    if first_policy and not unread and _refuses(row, person, thing, first_policy):
        return Right((refusal,), f"{first_policy} is asked before")
    if row.path.endswith("/TRANSFER") and row.method == "GET":
        return Right((), "it is found")
    return _asked(row, person, thing)


#: What policies call the kinds of Neutron that they don't always name, by what is in the address.
_KINDS = {
    "/routers/": "router",
    "/trunks/": "trunk",
    "/address-groups/": "address_group",
    "/bindings": "port_binding",
}
#: Kinds of Neutron whose items are nobody's.
_OF_NOBODY = ("/agents", "/segments")


def _neutron(row: Row, person: Person, things: Mapping[str, Mapping[str, Any]]) -> Right:
    """``neutron/pecan_wsgi/hooks/policy_enforcement.py``: what can't be read isn't there."""
    thing = things.get(row.thing or "")
    if row.path == "/agents":
        return Right((200,), "lists leave out what can't be read")
    policies = row.policies
    if row.path.startswith("/quotas"):
        owns = row.method == "GET" and thing and person.project == thing["project_id"]
        if owns:
            return Right((200,), "neutron/extensions/quotasv2.py: everybody reads their project's")
        return _judged(row, person, _own(person), policies, 403)
    if thing is None:
        inner = next(iter(row.body.values()))
        if person.project is None and row.path not in _OF_NOBODY:
            return Right((400,), "neutron_lib/api/attributes.py, populate_project_id")
        target = {**inner, "project_id": person.project}
        if "network_id" in inner:
            network = things["NETWORK"]
            target["network:project_id"] = network["project_id"]
            if _is_hidden(person, network) and _refuses(row, person, network, "get_network"):
                return Right((403, 404), "the network isn't found, or the policy refuses")
            target["shared"] = network["shared"]
        if "security_group_id" in inner:
            target["security_group:project_id"] = things["GROUP"]["project_id"]
        return _judged(row, person, target, policies, 403)
    policy = policies[0]
    kind = next((kind for part, kind in _KINDS.items() if part in row.path), None)
    get = f"get_{kind or policy.partition('_')[2]}"
    # What is added to something is asked for before that is looked for.
    if row.method != "POST" and _refuses(row, person, thing, get):
        return Right((404,), f"{get}: {judge('neutron').rules[get]['check']!r} refuses reading it")
    changes = next(iter(row.body.values())) if row.body else {}
    target = {**thing, **(changes if isinstance(changes, dict) else {})}
    return _judged(row, person, target, policies, 403)


def _glance(row: Row, person: Person, things: Mapping[str, Mapping[str, Any]]) -> Right:
    """``glance/db/utils.py`` finds, ``glance/api/v2/policy.py`` asks, and hides what isn't read."""
    thing = things.get(row.thing or "")
    if thing is None:
        if "/metadefs" in row.path:
            target = {"project_id": person.project}
            hides = _refuses(row, person, target, "get_metadef_namespace")
            return _asked(row, person, target, 404 if hides else 403)
        if row.path == "/v2/tasks":
            return _asked(row, person, {})
        target = dict.fromkeys(("project_id", "owner"), person.project)
        return _asked(row, person, {**target, "visibility": "private"})
    owns = person.project == thing["project_id"]
    is_member = person.project == things["OTHER"]["project_id"] and row.thing == "SHARED"
    if not (person.is_admin or owns or is_member or thing["visibility"] == "community"):
        return Right((404,), "glance/db/utils.py, is_image_visible")
    target = {**thing, "owner": thing["project_id"]}
    target["member_id"] = person.project if is_member else None
    if "/members" in row.path and thing["visibility"] != "shared":
        return Right((403, 404), "only shared images have members")
    if _refuses(row, person, target, "get_image"):
        return Right((404,), "get_image refuses")
    return _asked(row, person, target)


def _placement(row: Row, person: Person, things: Mapping[str, Mapping[str, Any]]) -> Right:
    """``placement/policy.py``: there is nothing to hide."""
    target = {"project_id": things["DEMO"]["project_id"]} if "/usages?" in row.path else {}
    return _asked(row, person, target)


_SERVICES: dict[str, Callable[[Row, Person, Mapping[str, Mapping[str, Any]]], Right]] = {
    "nova": _nova,
    "cinder": _cinder,
    "neutron": _neutron,
    "glance": _glance,
    "placement": _placement,
}
