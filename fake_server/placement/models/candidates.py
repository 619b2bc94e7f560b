"""Allocation candidates: which providers could serve a request, and how."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING

from fake_server.placement.models import classes, inventories, providers, traits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from fake_server.db.store import Record, Transaction
    from fake_server.placement.queries import Group, Wanted

#: How many ways of serving one request by one tree are looked at.
_WAYS = 1000


@dataclass(frozen=True)
class Candidate:
    """One way to serve a request.

    :param resources: amounts by resource class, by the UUID of the provider.
    :param mappings: the providers of each group, by its suffix.
    """

    resources: Mapping[str, Mapping[str, int]]
    mappings: Mapping[str, list[str]]


class _Offers:
    """The possible providers, with the data for choosing among them."""

    def __init__(self, tx: Transaction, wanted: Wanted) -> None:
        self.room = {
            (name, amount): set(inventories.having(tx, name, amount))
            for group in wanted.groups.values()
            for name, amount in group.resources.items()
        }
        involved = sorted(set().union(*self.room.values()))
        rows = {row["uuid"]: row for row in providers.among(tx, "uuid", involved)}
        self.rows = {uuid: rows[uuid] for uuid in involved}
        if any(not group.resources for group in wanted.groups.values()):
            # What gives nothing may serve groups that ask for none.
            trees = _in_trees(tx, {row["root_uuid"] for row in rows.values()})
            self.rows |= {row["uuid"]: row for row in trees}
            involved = sorted(self.rows)
        named = {group.in_tree for group in wanted.groups.values() if group.in_tree}
        self.roots: dict[str | None, str] = {
            row["uuid"]: row["root_uuid"] for row in providers.among(tx, "uuid", sorted(named))
        }
        self.traits: dict[str, set[str]] = {}
        self.aggregates: dict[str, set[str]] = {}
        roots = {row["root_uuid"] for row in self.rows.values()}
        #: Those of whole trees: providers that are only between others count, too.
        self.parents = {
            row["uuid"]: row["parent_uuid"]
            for row in (_in_trees(tx, roots) if wanted.same_subtree else ())
        }
        asks_member = any(g.member_of or g.not_member_of for g in wanted.groups.values())
        if wanted.traits():
            self.traits = traits.of_providers(tx, sorted(roots.union(involved)))
        if asks_member:
            self.aggregates = providers.aggregates_of(tx, involved)

    def sets(self, *, nested: bool) -> Collection[tuple[str, list[str]]]:
        """Return the providers that can serve a request together, each with their tree's root."""
        if not nested:
            return [(row["root_uuid"], [uuid]) for uuid, row in self.rows.items()]
        found: dict[str, list[str]] = {}
        for uuid, row in self.rows.items():
            found.setdefault(row["root_uuid"], []).append(uuid)
        return found.items()

    def may_serve(self, group: Group, uuid: str) -> bool:
        """Return whether a provider suits a group, apart from inventories and required traits."""
        row = self.rows[uuid]
        return (
            not self.traits.get(uuid, set()) & group.forbidden
            and group.suits_aggregates(self.aggregates.get(uuid, set()))
            and (group.in_tree is None or self.roots.get(group.in_tree) == row["root_uuid"])
        )


def find(tx: Transaction, wanted: Wanted, *, nested: bool) -> list[Candidate]:
    """Return the ways to serve a request; raise NotFound for an unknown resource class.

    :param nested: whether several providers of a tree may serve it together.
    """
    for group in wanted.groups.values():
        for name in group.resources:
            classes.check(tx, name)
    offers = _Offers(tx, wanted)
    found = (
        candidate
        for root, members in offers.sets(nested=nested)
        if _root_fits(offers, wanted, root)
        for candidate in _in_tree(offers, wanted, members)
    )
    return list(islice(found, wanted.limit))


def involved(tx: Transaction, candidates: Iterable[Candidate], *, nested: bool) -> list[Record]:
    """Return the providers of candidates and, where they are ``nested``, those in their trees."""
    uuids = {uuid for candidate in candidates for uuid in candidate.resources}
    rows = providers.among(tx, "uuid", sorted(uuids))
    return _in_trees(tx, {row["root_uuid"] for row in rows}) if nested else rows


def _in_tree(offers: _Offers, wanted: Wanted, members: list[str]) -> Iterator[Candidate]:
    """Serve each group by one provider; that without a suffix, each class by one."""
    choices: list[tuple[str, dict[str, int], list[str]]] = []
    for suffix, group in wanted.groups.items():
        parts = [group.resources] if suffix else [{k: v} for k, v in group.resources.items()]
        for part in parts:
            able = [
                uuid
                for uuid in members
                if all(uuid in offers.room[item] for item in part.items())
                and offers.may_serve(group, uuid)
                and (not suffix or group.has_required(offers.traits.get(uuid, set())))
            ]
            choices.append((suffix, part, able))
    seen = set()
    for chosen in islice(product(*(able for _, _, able in choices)), _WAYS):
        candidate = _assembled(offers, wanted, choices, chosen)
        if candidate is None:
            continue
        key = (
            frozenset(
                (uuid, frozenset(taken.items())) for uuid, taken in candidate.resources.items()
            ),
            frozenset((suffix, frozenset(by)) for suffix, by in candidate.mappings.items()),
        )
        if key not in seen:
            seen.add(key)
            yield candidate


def _assembled(
    offers: _Offers,
    wanted: Wanted,
    choices: list[tuple[str, dict[str, int], list[str]]],
    chosen: tuple[str, ...],
) -> Candidate | None:
    resources: dict[str, dict[str, int]] = {}
    mappings: dict[str, list[str]] = {}
    for (suffix, part, _), uuid in zip(choices, chosen, strict=True):
        for name, amount in part.items():
            taken = resources.setdefault(uuid, {})
            taken[name] = taken.get(name, 0) + amount
        served = mappings.setdefault(suffix, [])
        if uuid not in served:
            served.append(uuid)
    plain = wanted.groups.get("")
    if plain is not None:
        has = set().union(*(offers.traits.get(uuid, set()) for uuid in mappings[""]))
        if not plain.has_required(has):
            return None
    by_suffix = [uuids[0] for suffix, uuids in mappings.items() if suffix]
    if wanted.isolate and len(set(by_suffix)) < len(by_suffix):
        return None
    for suffixes in wanted.same_subtree:
        together = {uuid for suffix in suffixes for uuid in mappings.get(suffix, ())}
        if not any(_is_below(offers, together, top) for top in together):
            return None
    return Candidate(resources, mappings)


def _is_below(offers: _Offers, uuids: set[str], top: str) -> bool:
    for uuid in uuids:
        current: str | None = uuid
        seen: set[str | None] = {None}
        while current not in seen and current != top:
            seen.add(current)
            current = offers.parents[current]
        if current != top:
            return False
    return True


def _root_fits(offers: _Offers, wanted: Wanted, root: str) -> bool:
    has = offers.traits.get(root, set())
    return wanted.root_required <= has and not wanted.root_forbidden & has


def _in_trees(tx: Transaction, roots: Iterable[str]) -> list[Record]:
    return providers.among(tx, "root_uuid", sorted(roots))
