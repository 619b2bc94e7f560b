"""Subnet pools: prefixes from which subnets are taken."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict, ServiceError
from fake_server.networking.errors import InvalidInput
from fake_server.networking.models import items, rbac

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_Network = IPv4Network | IPv6Network
_KIND = "subnetpools"
#: The bounds of prefixes by version: those of a new pool, and the longest one.
_LEAST, _LONGEST = {4: 8, 6: 64}, {4: 32, 6: 128}
_BOUNDS = ("min_prefixlen", "max_prefixlen", "default_prefixlen")


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a subnet pool and return it; raise what keeps it from being one."""
    if not values["prefixes"]:
        raise BadRequest("Empty subnet pool prefix list.", "EmptySubnetPoolPrefixList")
    pool = {**values, "ip_version": _version(values["prefixes"])}
    pool["prefixes"] = _compact(values["prefixes"])
    pool |= _bounds(pool)
    if pool["is_default"]:
        _check_only_default(session, pool)
    _check_scope(session, {"id": "ID", **pool})
    made = items.add(session, _KIND, pool)
    rbac.follow(session, _KIND, made)
    return made


def update(session: NetworkingSession, pool: Record, changes: Mapping[str, Any]) -> Record:
    """Change a subnet pool and return it; raise what keeps it as it is."""
    changed = {**pool, **changes}
    if "prefixes" in changes:
        _version(changes["prefixes"])
        _check_grown(pool, changes["prefixes"])
        changed["prefixes"] = _compact(changes["prefixes"])
    changed |= _bounds(changed)
    if changes.get("is_default") and not pool["is_default"]:
        _check_only_default(session, pool)
    if {"prefixes", "address_scope_id"} & set(changes):
        _check_scope(session, changed)
    return items.revise(session, _KIND, pool, changed)


def delete(session: NetworkingSession, pool: Record) -> None:
    """Remove a subnet pool; raise BadRequest if subnets are from it."""
    if _taken(session, pool):
        raise BadRequest(
            "Unable to delete subnet pool: Subnet pool has existing allocations.",
            "SubnetPoolDeleteError",
        )
    rbac.forget(session, pool["id"])
    items.remove(session, _KIND, pool["id"])


def add_prefixes(session: NetworkingSession, pool: Record, wanted: Sequence[str]) -> Record:
    """Let a subnet pool have more prefixes, and return it."""
    return update(session, pool, {"prefixes": [*pool["prefixes"], *wanted]})


def remove_prefixes(session: NetworkingSession, pool: Record, wanted: Sequence[str]) -> Record:
    """Take prefixes away from a subnet pool and return it; raise BadRequest for those in use."""
    gone = [ip_network(one) for one in wanted]
    left: list[Any] = [ip_network(one) for one in pool["prefixes"]]
    for one in gone:
        if any(one.overlaps(taken) for taken in _taken(session, pool)):
            raise BadRequest(
                "Illegal update to prefixes: One or more the prefixes to be removed is in use by a "
                "subnet..",
                "IllegalSubnetPoolPrefixUpdate",
            )
        left = [part for whole in left for part in _without(whole, one)]
    prefixes = [str(one) for one in collapse_addresses(left)]
    return items.save(session, _KIND, pool, {"prefixes": prefixes})


def default(session: NetworkingSession, version: int, project: str) -> Record:
    """Return the subnet pool for a project that names none; raise BadRequest without one."""
    for pool in items.fetch(session, _KIND):
        usable = pool["project_id"] == project or rbac.reaches(session, pool, project)
        if pool["is_default"] and pool["ip_version"] == version and usable:
            return pool
    raise BadRequest(
        f"Bad subnets request: No default subnetpool found for IPv{version}.", "BadRequest"
    )


def take(session: NetworkingSession, pool: Record, values: Mapping[str, Any]) -> str:
    """Return a prefix of a pool for a new subnet; raise what keeps it from having one."""
    if values["ip_version"] != pool["ip_version"]:
        raise BadRequest(
            "Bad subnets request: Cannot allocate IPv"
            f"{values['ip_version']} subnet from IPv{pool['ip_version']} subnet pool.",
            "BadRequest",
        )
    cidr = values["cidr"]
    length = ip_network(cidr).prefixlen if cidr is not None else values["prefixlen"]
    if length is None:
        length = pool["default_prefixlen"]
    _check_length(pool, length)
    _check_quota(session, pool, values["project_id"], length)
    taken = _taken(session, pool)
    if cidr is None:
        return _free(pool, taken, length)
    wanted = ip_network(cidr)
    inside = any(
        wanted[0] in whole and wanted[-1] in whole for whole in map(ip_network, pool["prefixes"])
    )
    if not inside or any(wanted.overlaps(one) for one in taken):
        raise ServiceError(
            "Failed to allocate subnet: Cannot allocate requested subnet from the available set "
            "of prefixes.",
            "SubnetAllocationError",
        )
    return str(cidr)


def _free(pool: Mapping[str, Any], taken: Sequence[_Network], length: int) -> str:
    """Return the first prefix of a length that overlaps none that is taken."""
    left = [ip_network(one) for one in pool["prefixes"]]
    for used in taken:
        left = [part for whole in left for part in _without(whole, used)]
    fitting = [one for one in left if one.prefixlen <= length]
    if not fitting:
        raise ServiceError(
            "Failed to allocate subnet: Insufficient prefix space to allocate subnet size "
            f"/{length}.",
            "SubnetAllocationError",
        )
    # The smallest space that is large enough.
    found = max(sorted(fitting, key=lambda one: int(one[0])), key=lambda one: one.prefixlen)
    return f"{found.network_address}/{length}"


def _without(whole: Any, part: Any) -> list[Any]:
    """Return what is left of a prefix without another one."""
    if not whole.overlaps(part):
        return [whole]
    if whole.subnet_of(part):
        return []
    return list(whole.address_exclude(part))


def _taken(session: NetworkingSession, pool: Mapping[str, Any]) -> list[_Network]:
    found = items.fetch(session, "subnets")
    return [ip_network(one["cidr"]) for one in found if one["subnetpool_id"] == pool["id"]]


def _version(prefixes: Sequence[str]) -> int:
    """Return the IP version of prefixes; raise BadRequest if there are both."""
    versions = {ip_network(one).version for one in prefixes}
    if len(versions) > 1:
        raise BadRequest(
            "Cannot mix IPv4 and IPv6 prefixes in a subnet pool.", "PrefixVersionMismatch"
        )
    return versions.pop()


def _compact(prefixes: Sequence[str]) -> list[str]:
    networks: list[Any] = [ip_network(one) for one in prefixes]
    return [str(one) for one in collapse_addresses(networks)]


def _bounds(pool: Mapping[str, Any]) -> Record:
    """Return the lengths of prefixes; raise BadRequest for those that don't go together."""
    version = pool["ip_version"]
    least, most, usual = (pool[name] for name in _BOUNDS)
    least = _LEAST[version] if least is None else least
    most = _LONGEST[version] if most is None else most
    usual = least if usual is None else usual
    for first, second, wrong in (
        (("max_prefixlen", most), ("ip_version_max", _LONGEST[version]), most > _LONGEST[version]),
        (("min_prefixlen", least), ("max_prefixlen", most), least > most),
        (("default_prefixlen", usual), ("min_prefixlen", least), usual < least),
        (("default_prefixlen", usual), ("max_prefixlen", most), usual > most),
    ):
        if wrong:
            shown = ", ".join(f"{name}={number}" for name, number in (first, second))
            raise BadRequest(f"Illegal prefix bounds: {shown}.", "IllegalSubnetPoolPrefixBounds")
    return dict(zip(_BOUNDS, (least, most, usual), strict=True))


def _check_grown(pool: Mapping[str, Any], prefixes: Sequence[str]) -> None:
    """Raise BadRequest if prefixes of a pool would be gone."""
    new: list[Any] = [ip_network(one) for one in _compact(prefixes)]
    for one in pool["prefixes"]:
        old: Any = ip_network(one)
        if not any(old.version == other.version and old.subnet_of(other) for other in new):
            raise BadRequest(
                "Illegal update to prefixes: Existing prefixes must be a subset of the new "
                "prefixes.",
                "IllegalSubnetPoolPrefixUpdate",
            )


def _check_only_default(session: NetworkingSession, pool: Mapping[str, Any]) -> None:
    for other in items.fetch(session, _KIND):
        if other["is_default"] and other["ip_version"] == pool["ip_version"]:
            raise InvalidInput(
                "A default subnetpool for this IP family has already been set. Only one default "
                "may exist per IP family"
            )


def _check_scope(session: NetworkingSession, pool: Mapping[str, Any]) -> None:
    """Raise an error if a pool can't be in its address scope."""
    ident = pool["address_scope_id"]
    if ident is None:
        return
    scope = items.need(session, "address_scopes", ident)
    if scope["ip_version"] != pool["ip_version"]:
        raise BadRequest(
            f"Illegal subnetpool association: subnetpool {pool['id']} cannot associate with "
            f"address scope {ident} because subnetpool ip_version is not {scope['ip_version']}.",
            "IllegalSubnetPoolIpVersionAssociationToAddressScope",
        )
    own = [ip_network(one) for one in pool["prefixes"]]
    for other in items.fetch(session, _KIND):
        if other["address_scope_id"] != ident or other["id"] == pool["id"]:
            continue
        theirs = [ip_network(one) for one in other["prefixes"]]
        if any(one.overlaps(two) for one in own for two in theirs):
            raise Conflict(
                "Failed to associate address scope: subnetpools within an address scope must have "
                "unique prefixes.",
                "AddressScopePrefixConflict",
            )


def _check_length(pool: Mapping[str, Any], length: int) -> None:
    least, most, _ = (pool[name] for name in _BOUNDS)
    longest = _LONGEST[pool["ip_version"]]
    if length > longest:
        lowest = ip_network(pool["prefixes"][0]).supernet(new_prefix=0).network_address
        raise BadRequest(f"invalid IPNetwork {lowest}/{length}", "AddrFormatError")
    if length < least:
        raise BadRequest(
            f"Unable to allocate subnet with prefix length {length}, minimum allowed prefix is "
            f"{least}.",
            "MinPrefixSubnetAllocationError",
        )
    if length > most:
        raise BadRequest(
            f"Unable to allocate subnet with prefix length {length}, maximum allowed prefix is "
            f"{most}.",
            "MaxPrefixSubnetAllocationError",
        )


def _check_quota(
    session: NetworkingSession, pool: Mapping[str, Any], project: str, length: int
) -> None:
    """Raise Conflict if a project would have more of a pool than its quota.

    It counts addresses of IPv4, and networks of 64 bits of IPv6.
    """
    quota = pool["default_quota"]
    if quota is None:
        return
    longest = {4: 32, 6: 64}[pool["ip_version"]]
    lengths = [
        ip_network(one["cidr"]).prefixlen
        for one in items.fetch(session, "subnets")
        if one["subnetpool_id"] == pool["id"] and one["project_id"] == project
    ]
    used = sum(2 ** max(longest - one, 0) for one in [*lengths, length])
    if used > quota:
        raise Conflict("Per-project subnet pool prefix quota exceeded.", "SubnetPoolQuotaExceeded")
