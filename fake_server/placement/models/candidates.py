"""Allocation candidates: which providers could serve a request, and how."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING

from fake_server.placement.models import classes, inventories, providers, traits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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

    def trees(self) -> dict[str, list[str]]:
        """Return the providers by the root of their tree."""
        found: dict[str, list[str]] = {}
        for uuid, row in self.rows.items():
            found.setdefault(row["root_uuid"], []).append(uuid)
        return found

    def may_serve(self, group: Group, uuid: str) -> bool:
        """Return whether a provider suits a group, apart from inventories and required traits."""
        row = self.rows[uuid]
        return (
            not self.traits.get(uuid, set()) & group.forbidden
            and group.suits_aggregates(self.aggregates.get(uuid, set()))
            and group.in_tree in (None, row["root_uuid"], uuid)
        )


def find(tx: Transaction, wanted: Wanted) -> list[Candidate]:
    """Return the ways to serve a request; raise NotFound for an unknown resource class."""
    for group in wanted.groups.values():
        for name in group.resources:
            classes.check(tx, name)
    offers = _Offers(tx, wanted)
    found = (
        candidate
        for root, members in offers.trees().items()
        if _root_fits(offers, wanted, root)
        for candidate in _in_tree(offers, wanted, members)
    )
    return list(islice(found, wanted.limit))


def involved(tx: Transaction, candidates: Iterable[Candidate]) -> list[Record]:
    """Return the providers of candidates, and those in their trees."""
    uuids = {uuid for candidate in candidates for uuid in candidate.resources}
    rows = providers.among(tx, "uuid", sorted(uuids))
    return _in_trees(tx, {row["root_uuid"] for row in rows})


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
        key = frozenset(
            (uuid, frozenset(taken.items())) for uuid, taken in candidate.resources.items()
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
        taken = resources.setdefault(uuid, {})
        for name, amount in part.items():
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
        while current is not None and current != top:
            current = offers.parents[current]
        if current is None:
            return False
    return True


def _root_fits(offers: _Offers, wanted: Wanted, root: str) -> bool:
    has = offers.traits.get(root, set())
    return wanted.root_required <= has and not wanted.root_forbidden & has


def _in_trees(tx: Transaction, roots: Iterable[str]) -> list[Record]:
    return providers.among(tx, "root_uuid", sorted(roots))
