"""Labs as files describe them: resources with what belongs to them, checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._suggestion import suggestion
from baremetalclient.declare import count, read, value_checks
from baremetalclient.declare.lab_kinds import KINDS, LISTS, OTHER_LISTS, LabKind, folded
from baremetalclient.declare.read import UNREADABLE
from baremetalclient.declare.source import Source

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from baremetalclient.declare.read import Document, LabSource

MOST_TOLD = 50
"""How many problems a message names."""
_LONGEST = 1000
"""The characters of a problem that a message shows; a value in it may have any length."""


@dataclass(eq=False)
class LabItem:
    """A resource that a file describes.

    :param source: the file that it is from.
    :param entry: its entry in the file, such as ``nodes[0].ports[1]``.
    :param parents: the resources that it is nested in, the nearest first.
    :param nested: resources that belong to it, by the key of the list.
    :param seed_only: its fields that only seeds of the fake server have.
    """

    kind: LabKind
    source: Source
    entry: str
    parents: tuple[LabItem, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)
    nested: dict[str, list[LabItem]] = field(default_factory=dict)
    seed_only: dict[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where it is, with the name of the file."""
        return self.source.told(self.entry)

    @property
    def names(self) -> list[str]:
        """The names by which a file can refer to it."""
        found = (self.fields.get(name) for name in ("name", "uuid", "address"))
        return [name for name in found if name]

    @property
    def label(self) -> str:
        """Its name in messages."""
        return f"{self.kind.name} {next(iter(self.names), 'without a name')}"

    @property
    def id(self) -> str:
        """Its name in reports."""
        return self.kind.id_of(self.fields)

    @property
    def identity(self) -> tuple[str, ...]:
        """The fields that identify it; empty if the file has none that could."""
        for names in self.kind.identity:
            if all(self.fields.get(name) is not None for name in names):
                return names
        return ()

    @property
    def node(self) -> LabItem | None:
        """The node that it belongs to."""
        return self.parent("node")

    def parent(self, manager: str) -> LabItem | None:
        """Return what it is nested in, by the name of the manager."""
        return next((one for one in self.parents if one.kind.manager == manager), None)

    @property
    def links(self) -> list[LabItem]:
        """The resources around it that a field of it names."""
        return [one for one in self.parents if one.kind.parent_field in self.kind.schema.by_name]

    @property
    def portgroup(self) -> LabItem | None:
        """The port group of a port, if the file has it."""
        name = self.fields.get("portgroup")
        if name is None or self.node is None:
            return self.parent("portgroup")
        groups = self.node.nested.get("portgroups", [])
        return next((one for one in groups if name in one.names), None)

    def below(self) -> Iterator[LabItem]:
        """Yield what belongs to it, and what belongs to that."""
        for items in self.nested.values():
            for item in items:
                yield item
                yield from item.below()


class Lab:
    """The content of files, and its problems.

    :param new: whether everything is new: what a resource can't be created with is left out, and
        nothing has to identify it. Otherwise it has to be possible to compare it with the server.
    """

    def __init__(self, documents: Iterable[Document], *, new: bool = False) -> None:
        self._new = new
        self._source = Source("lab")
        #: What is wrong, each only once, with its line and a hint if it is one of the first.
        self.problems: dict[str, str] = {}
        #: The lists of resources that Ironic does not have.
        self.other_lists: dict[str, None] = {}
        #: The resources by the key of their list, those that belong to others in these.
        self.items: dict[str, list[LabItem]] = {key: [] for key in LISTS}
        #: The variables of the environment that its secrets are from, each only once.
        self.variables: dict[str, None] = {}
        for document in documents:
            self._add(document)
        if not self.problems:
            self.problems |= {text: text for text in _problems(self, new=new)}

    def all(self, key: str) -> list[LabItem]:
        """Return all resources of a kind, wherever they are in the files."""
        kind = KINDS[key]
        top = [item for items in self.items.values() for item in items]
        return [one for item in top for one in (item, *item.below()) if one.kind is kind]

    @property
    def left_out(self) -> list[str]:
        """What Ironic does not accept, each only once."""
        fields = (
            f"{name} of {key}" for key in KINDS for item in self.all(key) for name in item.seed_only
        )
        return list(dict.fromkeys([*fields, *self.other_lists]))

    def _add(self, document: Document) -> None:
        self._source = document.source
        self._add_problems(document.problems)
        self.variables |= dict.fromkeys(document.variables)
        content = document.content
        if not isinstance(content, dict):
            self._add_problems(
                [f"it has to be an object with one or more of the lists {', '.join(LISTS)}"]
            )
            return
        if sum(map(count.number_of_entries, content.values())) > count.MOST:
            self._add_problems([f"it stands for more than {count.MOST:,} entries in all"])
            return
        for key, value in content.items():
            if key in OTHER_LISTS:
                if value:
                    self.other_lists[key] = None
            elif key in LISTS and value is None:
                self._add_problems([f"{key} has no value; it has to be a list of objects"])
            elif key in LISTS:
                self.items[key] += self._read(key, value or [], key, (), {})
            else:
                self._add_unknown(key, key, LISTS, "Known lists")

    def _add_problems(self, problems: Iterable[str]) -> None:
        for problem in problems:
            self._add_problem(problem, problem)

    def _add_unknown(self, place: str, word: str, known: Sequence[str], label: str) -> None:
        problem = f"{place} is unknown."
        hint = "" if self._is_full else suggestion(word, known, label)
        self._add_problem(problem, problem + hint)

    def _add_problem(self, problem: str, hinted: str) -> None:
        key = f"{self._source.name}: {problem}"
        if key not in self.problems:
            self.problems[key] = key if self._is_full else self._source.told(hinted)

    @property
    def _is_full(self) -> bool:
        # To look for lines and for similar words takes time.
        return len(self.problems) >= MOST_TOLD

    def _read(
        self,
        key: str,
        items: Any,
        place: str,
        parents: tuple[LabItem, ...],
        numbers: Mapping[str, int],
    ) -> list[LabItem]:
        """Return the resources of a list, and record each invalid value."""
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            self._add_problems([f"{place} has to be a list of objects"])
            return []
        found = []
        variable = "number" if parents else "index"
        for position, item in enumerate(items):
            here = f"{place}[{position}]"
            try:
                entries = list(count.expanded(item, variable, numbers))
            except ValueError as error:
                self._add_problems([f"{here}: {error}"])
                continue
            found += [self._item(key, entry, here, parents, mine) for entry, mine in entries]
        return found

    def _item(
        self,
        key: str,
        entry: Mapping[str, Any],
        place: str,
        parents: tuple[LabItem, ...],
        numbers: Mapping[str, int],
    ) -> LabItem:
        kind = KINDS[key]
        made = LabItem(kind, self._source, place, parents)
        around = {one.kind.parent_field: one.fields.get("uuid") for one in made.links}
        for name, given in entry.items():
            here = f"{place}.{name}"
            if name in kind.nested or given is UNREADABLE:
                continue
            value = count.filled(given, numbers)
            if name in around:
                if value != around[name]:
                    nested = repr(around[name]) if around[name] else "another resource"
                    self._add_problems([f"{here} is {value!r}, but it is nested in {nested}"])
            elif name in kind.known and not (self._new and name in kind.not_new):
                self._add_problems(
                    value_checks.problems(kind, name, value, here, self._source)
                    if value is not None or name not in kind.required
                    else [f"{here} cannot be null"]
                )
                wrong = dict.fromkeys(count.unknown(value, numbers))
                self._add_problems(f"{here} has the unknown pattern {one}" for one in wrong)
                made.fields[name] = value
            elif name in kind.schema.by_name or name in (*kind.not_new, *kind.seed_only):
                made.seed_only[name] = given
            else:
                self._add_unknown(here, name, [*kind.known, *kind.nested], "Known fields")
        for name in kind.nested:
            if entry.get(name) is not None:
                made.nested[name] = self._read(
                    name, entry[name], f"{place}.{name}", (made, *parents), numbers
                )
        return made


def read_lab(lab: LabSource, allow_secrets: Sequence[str] = ()) -> Lab:
    """Return a lab from files.

    :param lab: the files, see :func:`~baremetalclient.declare.plan`.
    :param allow_secrets: patterns of references to secrets that are allowed.
    :raises ValidationError: if it is invalid; the message names the places.
    """
    found = Lab(read.read(lab, allow_secrets))
    check(found.problems.values())
    return found


def read_new(names: Sequence[str]) -> Lab:
    """Return a lab from files whose resources are all new.

    Allocations that have a node or failed are left out: nodes are not deployed yet.

    :raises ValidationError: if they are invalid; the message names the places.
    """
    found = Lab(read.read(names), new=True)
    check(found.problems.values())
    allocations = found.items["allocations"]
    found.items["allocations"] = [
        item
        for item in allocations
        if not item.fields.get("node") and item.seed_only.get("state") in (None, "allocating")
    ]
    if len(found.items["allocations"]) < len(allocations):
        found.other_lists["allocations that are no longer open"] = None
    return found


def check(problems: Iterable[str]) -> None:
    """Raise ValidationError if there are problems; it names the first ones."""
    listed = list(dict.fromkeys(problems))
    if listed:
        told = [one if len(one) <= _LONGEST else f"{one[:_LONGEST]}…" for one in listed[:MOST_TOLD]]
        if len(listed) > MOST_TOLD:
            told.append(f"and {len(listed) - MOST_TOLD:,} more")
        raise exc.ValidationError("\n".join(told))


def _problems(lab: Lab, *, new: bool) -> Iterator[str]:
    """Yield the problems of identities, names and references between resources."""
    for key, kind in KINDS.items():
        items = lab.all(key)
        for item in items:
            if not item.identity and not new:
                needed = " or ".join(" and ".join(names) for names in kind.identity)
                yield f"{item.place} needs {needed}, which identifies it"
        for names in _unique(kind):
            yield from _duplicates(items, names)
    for port in lab.all("ports"):
        name = port.fields.get("portgroup")
        if name is not None and port.portgroup is None:
            yield f"{port.place}.portgroup is {name!r}, but the node has no such port group"


def _unique(kind: LabKind) -> list[tuple[str, ...]]:
    own = [("uuid",), ("name",), ("address",)]
    return list(dict.fromkeys([*(one for one in own if one[0] in kind.known), *kind.identity]))


def _duplicates(items: list[LabItem], names: tuple[str, ...]) -> Iterator[str]:
    seen: dict[tuple[Hashable, ...], LabItem] = {}
    for item in items:
        values = [item.fields.get(name) for name in names]
        # Descriptions may be the same where something else tells resources apart.
        if None in values or (names == ("description",) and item.identity != names):
            continue
        scope = id(item.node) if names == ("boot_index",) else None
        same = map(folded, names, map(str, values))
        first = seen.setdefault((scope, *same), item)
        if first is not item:
            shown = ", ".join(map(repr, values))
            yield f"{item.place}: {' and '.join(names)} {shown} is in {first.place} already"
