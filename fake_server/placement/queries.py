"""Parse queries of the Placement API: resources, traits and aggregates, in groups."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from fake_server.common.errors import BadRequest
from fake_server.common.formats import is_uuid
from fake_server.common.parsing import parse_integer
from fake_server.placement import microversions
from fake_server.placement.errors import BAD_VALUE, MISSING_VALUE, InvalidQuery

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The greatest amount: what has more digits is none.
_LARGEST = 10**18 - 1
_SUFFIX = r"(?P<suffix>[a-zA-Z0-9_-]{1,64})?"
_NUMBER = r"(?P<suffix>[1-9][0-9]*)?"
_ONE_OF = "in:HW_CPU_X86_VMX,CUSTOM_MAGIC"
_KINDS = r"(?P<kind>resources|required|member_of|in_tree)"

#: The parameters of groups, with the versions that added them.
_SINCE = {
    "resources": microversions.CANDIDATES,
    "required": microversions.CANDIDATES_REQUIRED,
    "member_of": microversions.CANDIDATES_MEMBER_OF,
    "in_tree": microversions.IN_TREE,
}
_NAMED = "([a-zA-Z0-9_-]{1,64})?$"


@dataclass
class Group:
    """Requirements of one provider; without a suffix, several of a tree may meet them.

    :param resources: amounts by resource class.
    :param required: sets of traits; one of each set is needed.
    :param forbidden: traits that may not be there.
    :param member_of: sets of aggregates; the provider has to be in one of each set.
    :param not_member_of: aggregates that it may not be in.
    :param in_tree: UUID of a provider in whose tree it has to be.
    """

    resources: dict[str, int] = field(default_factory=dict)
    required: list[set[str]] = field(default_factory=list)
    forbidden: set[str] = field(default_factory=set)
    member_of: list[set[str]] = field(default_factory=list)
    not_member_of: set[str] = field(default_factory=set)
    in_tree: str | None = None

    def traits(self) -> set[str]:
        """Return all traits that are named."""
        return set().union(self.forbidden, *self.required)

    def has_required(self, traits: set[str]) -> bool:
        """Return whether a provider has the required traits."""
        return all(one & traits for one in self.required)

    def suits_traits(self, traits: set[str]) -> bool:
        """Return whether a provider has the required and none of the forbidden traits."""
        return self.has_required(traits) and not traits & self.forbidden

    def suits_aggregates(self, aggregates: set[str]) -> bool:
        """Return whether a provider is in the required and in none of the forbidden aggregates."""
        return (
            all(aggregates & one for one in self.member_of) and not aggregates & self.not_member_of
        )

    def check_conflicts(self, suffix: str) -> None:
        """Raise BadRequest for traits that are both required and forbidden."""
        named = {trait for one in self.required if len(one) == 1 for trait in one}
        conflicts = self.forbidden & named
        if conflicts:
            raise BadRequest(
                "Conflicting required and forbidden traits found in the following traits "
                f"keys: required{suffix}: ({', '.join(sorted(conflicts))})"
            )

    def read(self, kind: str, value: Any, minor: int, suffix: str = "") -> None:
        """Read an argument of a query, or its repeated values; raise BadRequest if invalid."""
        values = value if isinstance(value, list) else [value]
        if kind == "resources":
            self.resources = resources(values[-1])
        elif kind == "required":
            if minor < microversions.ANY_TRAITS:
                values = values[-1:]
            for text in values:
                self._read_required(text, minor)
        elif kind == "member_of":
            if len(values) > 1 and minor < microversions.MANY_MEMBER_OF:
                raise BadRequest(f"Multiple member_of{suffix} parameters are not supported")
            for text in values:
                self._read_member_of(text, minor)
        else:
            self.in_tree = _in_tree(values[-1])

    def _read_required(self, text: str, minor: int) -> None:
        if text.startswith("in:"):
            if minor < microversions.ANY_TRAITS:
                reason = f"only supported since microversion 1.{microversions.ANY_TRAITS}"
                raise InvalidQuery(f"The format {_ONE_OF!r} {reason}. Got: {text}")
            names = {name.strip() for name in text[3:].split(",")}
            if not all(names):
                raise _malformed_traits(text, minor)
            if any(name.startswith("!") for name in names):
                raise InvalidQuery(
                    f"The format {_ONE_OF!r} does not support forbidden traits. Got: {text}"
                )
            self.required.append(names)
            return
        for name in (part.strip() for part in text.split(",")):
            forbidden = name.startswith("!")
            if not name.lstrip("!"):
                raise _malformed_traits(text, minor, "Got an empty trait in: ")
            if forbidden and minor < microversions.FORBIDDEN_TRAITS:
                raise _malformed_traits(text, minor)
            if forbidden:
                self.forbidden.add(name[1:])
            else:
                self.required.append({name})

    def _read_member_of(self, text: str, minor: int) -> None:
        without = text.removeprefix("!")
        if without != text and minor < microversions.FORBIDDEN_AGGREGATES:
            raise BadRequest(
                "Forbidden member_of parameters are not supported in the specified microversion"
            )
        if "," in without and not without.startswith("in:"):
            raise BadRequest(
                "Multiple values for 'member_of' must be prefixed with the 'in:' keyword using "
                f"the valid microversion. Got: {text}"
            )
        names = {_uuid(name, "member_of") for name in without.removeprefix("in:").split(",")}
        if without != text:
            self.not_member_of |= names
        else:
            self.member_of.append(names)


@dataclass
class Wanted:
    """A parsed query for allocation candidates.

    :param groups: groups by suffix.
    :param isolate: whether groups with a suffix have to be served by different providers.
    :param limit: maximum number of candidates.
    :param root_required: traits that the root of the tree needs.
    :param root_forbidden: traits that it may not have.
    :param same_subtree: sets of suffixes whose providers have to be below one of them.
    """

    groups: dict[str, Group]
    isolate: bool = False
    limit: int | None = None
    root_required: set[str] = field(default_factory=set)
    root_forbidden: set[str] = field(default_factory=set)
    same_subtree: list[set[str]] = field(default_factory=list)

    def traits(self) -> set[str]:
        """Return all traits that are named."""
        named = (group.traits() for group in self.groups.values())
        return set().union(self.root_required, self.root_forbidden, *named)


def candidates(query: Mapping[str, Any], minor: int) -> Wanted:
    """Return what a query for candidates asks for; raise BadRequest if it is invalid."""
    numbered = minor < microversions.NAMED_GROUPS
    pattern = re.compile(f"{_KINDS}{_NUMBER if numbered else _SUFFIX}")
    wanted = Wanted({})
    for key, value in query.items():
        match = pattern.fullmatch(key)
        suffix = (match["suffix"] or "") if match else ""
        if match and _knows(match["kind"], suffix, minor):
            group = wanted.groups.setdefault(suffix, Group())
            group.read(match["kind"], value, minor, suffix)
        elif not _read_wide(wanted, key, value, minor):
            raise _unexpected(key, query, minor)
    _check_groups(wanted, minor, grouped="group_policy" in query)
    return wanted


def _unexpected(key: str, query: Mapping[str, Any], minor: int) -> InvalidQuery:
    if minor >= microversions.GROUPS:
        suffix = "([1-9][0-9]*)?$" if minor < microversions.NAMED_GROUPS else _NAMED
        kinds = sorted(kind for kind in _SINCE if minor >= _SINCE[kind])
        known = ", ".join(f"'^{kind}{suffix}'" for kind in kinds)
        return InvalidQuery(f"{key!r} does not match any of the regexes: {known}")
    if "resources" not in query:
        return InvalidQuery("'resources' is a required property")
    return InvalidQuery(f"Additional properties are not allowed ({key!r} was unexpected)")


def resources(text: str) -> dict[str, int]:
    """Return the amounts of a text such as ``VCPU:2,DISK_GB:4``; raise BadRequest if invalid."""
    shape = (
        "Badly formed resources parameter. Expected resources query string parameter in form: "
        "?resources=VCPU:2,MEMORY_MB:1024. Got: "
    )
    if not text.strip():
        raise BadRequest(f"{shape}empty string.")
    found = {}
    for part in text.split(","):
        name, colon, amount = part.partition(":")
        if not colon or ":" in amount:
            raise BadRequest(f"{shape}{part}.")
        number = parse_integer(amount, maximum=_LARGEST)
        if number is None:
            raise BadRequest(
                f"Requested resource {name} expected positive integer amount. Got: {amount}."
            )
        if number < 1:
            raise BadRequest(f"Requested resource {name} requires amount >= 1. Got: {number}.")
        found[name] = number
    return found


def _knows(kind: str, suffix: str, minor: int) -> bool:
    return minor >= _SINCE[kind] and (not suffix or minor >= microversions.GROUPS)


def _read_wide(wanted: Wanted, key: str, value: Any, minor: int) -> bool:
    """Read a parameter of all groups; return whether the version supports it."""
    values = value if isinstance(value, list) else [value]
    if key == "limit" and minor >= microversions.LIMIT:
        if not re.fullmatch(r"[1-9][0-9]{0,17}", values[-1]):
            raise InvalidQuery(f"{values[-1]!r} does not match '^[1-9][0-9]*$'")
        wanted.limit = int(values[-1])
    elif key == "group_policy" and minor >= microversions.GROUPS:
        if values[-1] not in ("none", "isolate"):
            raise InvalidQuery(f"{values[-1]!r} is not one of ['none', 'isolate']")
        wanted.isolate = values[-1] == "isolate"
    elif key == "root_required" and minor >= microversions.ROOT_REQUIRED:
        group = Group()
        # Only one trait of several can't be asked for, in any version.
        group.read("required", values[-1], microversions.ROOT_REQUIRED)
        wanted.root_required = set().union(*group.required)
        wanted.root_forbidden = group.forbidden
        conflicts = wanted.root_required & group.forbidden
        if conflicts:
            raise BadRequest(
                "Conflicting required and forbidden traits found in root_required: "
                f"{', '.join(sorted(conflicts))}",
                BAD_VALUE,
            )
    elif key == "same_subtree" and minor >= microversions.SAME_SUBTREE:
        wanted.same_subtree = [{part.strip() for part in text.split(",")} for text in values]
        if any("" in suffixes for suffixes in wanted.same_subtree):
            raise BadRequest(
                "Empty string (unsuffixed group) can not be specified in `same_subtree`", BAD_VALUE
            )
    else:
        return False
    return True


def _check_groups(wanted: Wanted, minor: int, *, grouped: bool) -> None:
    if not any(group.resources for group in wanted.groups.values()):
        raise BadRequest(
            "There must be at least one resources or resources[$S] parameter.", MISSING_VALUE
        )
    empty = [suffix for suffix, group in wanted.groups.items() if not group.resources]
    if minor >= microversions.SAME_SUBTREE:
        _check_subtrees(wanted, empty)
    elif empty:
        raise _orphaned(empty[0], wanted.groups[empty[0]])
    for suffix, group in wanted.groups.items():
        group.check_conflicts(suffix)
    if len([suffix for suffix in wanted.groups if suffix]) > 1 and not grouped:
        raise BadRequest(
            'The "group_policy" parameter is required when specifying more than one '
            '"resources{N}" parameter.'
        )


def _check_subtrees(wanted: Wanted, empty: list[str]) -> None:
    together = set().union(*wanted.same_subtree)
    alone = [suffix for suffix in empty if suffix not in together]
    if alone:
        raise BadRequest(
            "Resourceless suffixed group request should be specified in `same_subtree` query "
            f"param: bad group(s) - {alone}.",
            BAD_VALUE,
        )
    unknown = sorted(together - set(wanted.groups))
    if unknown:
        raise BadRequest(
            f"Real suffixes should be specified in `same_subtree`: {unknown} not found in "
            f"{list(wanted.groups)}.",
            BAD_VALUE,
        )


def _orphaned(suffix: str, group: Group) -> BadRequest:
    if group.required or group.forbidden:
        return BadRequest(
            "All traits parameters must be associated with resources.  Found the following "
            f"orphaned traits keys: required{suffix}"
        )
    if group.member_of or group.not_member_of:
        return BadRequest(
            "All member_of parameters must be associated with resources. Found the following "
            f"orphaned member_of keys: member_of{suffix}"
        )
    return BadRequest("All request groups must specify resources.")


def _in_tree(text: str) -> str:
    if not is_uuid(text.strip()):
        raise InvalidQuery(f"Expected 'in_tree' parameter to be a format of uuid. Got: {text}")
    return text.strip()


def _uuid(text: str, name: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise InvalidQuery(
            f"Expected '{name}' parameter to contain valid UUID(s). Got: {text}"
        ) from None


def _malformed_traits(text: str, minor: int, got: str = "Got: ") -> BadRequest:
    example = "HW_CPU_X86_VMX,CUSTOM_MAGIC"
    if minor >= microversions.FORBIDDEN_TRAITS:
        example = "HW_CPU_X86_VMX,!CUSTOM_MAGIC"
    return InvalidQuery(f"Expected 'required' parameter value of the form: {example}. {got}{text}")
